import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../scripts/free-ports.mjs'
import { oneOfMany } from '../../src/federation/one-of-many.ts'
import type { PrometheusApi } from '../../src/prometheus/api.ts'
import { startProgram } from './program.ts'
import { remoteWrite, type TimeSeries } from './remote-write.ts'

export interface Victoria {
  readonly url: string
  /** As a crash would. */
  kill(): Promise<void>
  /** Where it was, with what it had written to its disk. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** A real single-node VictoriaMetrics with an empty data folder; `scrapes`: its own `scrape_configs:`. */
export async function startVictoria(
  binary: string,
  { scrapes = null, flags = [] }: { readonly scrapes?: string | null; readonly flags?: readonly string[] } = {},
): Promise<Victoria> {
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-victoria-'))
  const file = join(folder, 'scrapes.yml')
  if (scrapes !== null) writeFileSync(file, `scrape_configs:\n${scrapes}\n`)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const args = [
    `-storageDataPath=${join(folder, 'data')}`,
    `-httpListenAddr=127.0.0.1:${port}`,
    '-loggerLevel=ERROR',
    ...(scrapes === null ? [] : [`-promscrape.config=${file}`]),
    ...flags,
  ]
  const start = () => startProgram(binary, args, `${url}/health`)
  let running = await start()
  return {
    url,
    kill: () => running.close(),
    async restart() {
      running = await start()
    },
    async close() {
      await running.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Remote write, and what it does by itself some seconds later: makes it searchable. */
export async function writeInto(url: string, series: readonly TimeSeries[]): Promise<void> {
  await remoteWrite(url, series)
  const flushed = await fetch(`${url}/internal/force_flush`)
  if (!flushed.ok) throw new Error(`force_flush: HTTP ${flushed.status}`)
}

/** One of the clusters that an endpoint holds, as the server asks it. */
export function clusterOf(endpoint: PrometheusApi, value: string): PrometheusApi {
  const matcher = { label: 'cluster', op: '=', value } as const
  return oneOfMany(endpoint, { matcher, absence: () => null, confirmedAbsence: async () => null })
}

/** The same series as one of several clusters. */
export function labelled(series: readonly TimeSeries[], cluster: string): TimeSeries[] {
  return series.map(({ labels, ...rest }) => ({ ...rest, labels: { ...labels, cluster } }))
}
