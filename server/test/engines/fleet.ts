import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../scripts/free-ports.mjs'
import type { Engines } from './find-engines.ts'
import { type Program, startProgram } from './program.ts'

/** One Prometheus to be started, with a Thanos sidecar beside it. */
export interface Wanted {
  readonly cluster: string
  readonly replica: string
  readonly binary: string
  /** `scrape_configs:` of its configuration. */
  readonly scrapes: string
  /** External labels besides `cluster` and `replica`. */
  readonly labels?: Readonly<Record<string, string>>
}

export interface Fleet {
  /** URL of each Prometheus, by `cluster/replica`. */
  readonly prometheus: ReadonlyMap<string, string>
  /** Thanos Query over all of them; `replica` is its replica label, unless it was told otherwise. */
  readonly thanosUrl: string
  /** The programs, by `cluster/replica`, `cluster/replica sidecar` and `query`: to be stopped and started again. */
  readonly programs: ReadonlyMap<string, Restartable>
  close(): Promise<void>
}

/** A program that can be started again where it was. */
export interface Restartable extends Program {
  restart(): Promise<void>
}

const ONE_OF_EACH = ['--query.replica-label=replica']

/** Real servers with empty data folders on free ports of loopback. `queryArgs`: what Thanos Query is told besides. */
export async function startFleet(
  engines: Engines,
  wanted: readonly Wanted[],
  queryArgs: readonly string[] = ONE_OF_EACH,
): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-engines-'))
  const programs = new Map<string, Restartable>()
  const prometheus = new Map<string, string>()
  const close = async () => {
    await Promise.all([...programs.values()].map((program) => program.close()))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const stores = await Promise.all(
      wanted.map(async (one) => {
        const name = `${one.cluster}/${one.replica}`
        const keep = (kind: string, program: Restartable) => programs.set(`${name}${kind}`, program)
        const url = await startOne(join(folder, name.replace('/', '-')), one, (program) => keep('', program))
        prometheus.set(name, url)
        return startSidecar(engines.thanos, url, (program) => keep(' sidecar', program))
      }),
    )
    const thanosUrl = await startQuery(engines.thanos, stores, queryArgs, (program) => programs.set('query', program))
    return { prometheus, thanosUrl, programs, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startRestartable(binary: string, args: readonly string[], readyUrl: string): Promise<Restartable> {
  let running = await startProgram(binary, args, readyUrl)
  return {
    close: () => running.close(),
    end: () => running.end(),
    pause: () => running.pause(),
    resume: () => running.resume(),
    async restart() {
      await running.close()
      running = await startProgram(binary, args, readyUrl)
    },
  }
}

async function startOne(folder: string, wanted: Wanted, keep: (program: Restartable) => void): Promise<string> {
  mkdirSync(folder)
  const file = join(folder, 'prometheus.yml')
  const { cluster, replica } = wanted
  const labels = JSON.stringify({ cluster, replica, ...wanted.labels })
  writeFileSync(
    file,
    `global: { external_labels: ${labels}, scrape_interval: 500ms, scrape_timeout: 500ms }
scrape_configs:
${wanted.scrapes}
`,
  )
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const args = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--web.enable-remote-write-receiver',
    '--log.level=warn',
  ]
  keep(await startRestartable(wanted.binary, args, `${url}/-/ready`))
  return url
}

async function startSidecar(
  binary: string,
  prometheusUrl: string,
  keep: (program: Restartable) => void,
): Promise<string> {
  const [grpc, http] = [await freePort(), await freePort()]
  const args = [
    'sidecar',
    `--prometheus.url=${prometheusUrl}`,
    `--grpc-address=127.0.0.1:${grpc}`,
    `--http-address=127.0.0.1:${http}`,
    '--log.level=warn',
  ]
  keep(await startRestartable(binary, args, `http://127.0.0.1:${http}/-/ready`))
  return `127.0.0.1:${grpc}`
}

async function startQuery(
  binary: string,
  stores: readonly string[],
  more: readonly string[],
  keep: (program: Restartable) => void,
): Promise<string> {
  const [grpc, http] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${http}`
  const args = [
    'query',
    `--grpc-address=127.0.0.1:${grpc}`,
    `--http-address=127.0.0.1:${http}`,
    ...more,
    '--log.level=warn',
    ...stores.map((address) => `--endpoint=${address}`),
  ]
  keep(await startRestartable(binary, args, `${url}/-/ready`))
  await untilItKnows(url, stores.length)
  return url
}

/** Thanos Query is ready before it has met its stores. */
async function untilItKnows(url: string, count: number): Promise<void> {
  const giveUpAt = Date.now() + 120_000
  for (;;) {
    const { data } = (await (await fetch(`${url}/api/v1/stores`)).json()) as { data?: { sidecar?: unknown[] } }
    if ((data?.sidecar ?? []).length === count) return
    if (Date.now() > giveUpAt) throw new Error(`Thanos Query knows ${JSON.stringify(data)}, not ${count} sidecars`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
