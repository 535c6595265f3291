import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engines } from './find-engines.ts'
import { freePort, type Program, startProgram } from './program.ts'

/** One Prometheus to be started, with a Thanos sidecar beside it. */
export interface Wanted {
  readonly cluster: string
  readonly replica: string
  readonly binary: string
  /** `scrape_configs:` of its configuration. */
  readonly scrapes: string
}

export interface Fleet {
  /** URL of each Prometheus, by `cluster/replica`. */
  readonly prometheus: ReadonlyMap<string, string>
  /** Thanos Query over all of them; `replica` is its replica label. */
  readonly thanosUrl: string
  close(): Promise<void>
}

/** Real servers with empty data folders on free ports of loopback. */
export async function startFleet(engines: Engines, wanted: readonly Wanted[]): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-engines-'))
  const programs: Program[] = []
  const prometheus = new Map<string, string>()
  const close = async () => {
    await Promise.all(programs.map((program) => program.close()))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const stores = await Promise.all(
      wanted.map(async (one) => {
        const url = await startOne(join(folder, `${one.cluster}-${one.replica}`), one, programs)
        prometheus.set(`${one.cluster}/${one.replica}`, url)
        return startSidecar(engines.thanos, url, programs)
      }),
    )
    const thanosUrl = await startQuery(engines.thanos, stores, programs)
    return { prometheus, thanosUrl, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startOne(folder: string, wanted: Wanted, programs: Program[]): Promise<string> {
  mkdirSync(folder)
  const file = join(folder, 'prometheus.yml')
  const { cluster, replica } = wanted
  writeFileSync(
    file,
    `global: { external_labels: { cluster: ${cluster}, replica: ${replica} }, scrape_interval: 500ms, scrape_timeout: 500ms }
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
  programs.push(await startProgram(wanted.binary, args, `${url}/-/ready`))
  return url
}

async function startSidecar(binary: string, prometheusUrl: string, programs: Program[]): Promise<string> {
  const [grpc, http] = [await freePort(), await freePort()]
  const args = [
    'sidecar',
    `--prometheus.url=${prometheusUrl}`,
    `--grpc-address=127.0.0.1:${grpc}`,
    `--http-address=127.0.0.1:${http}`,
    '--log.level=warn',
  ]
  programs.push(await startProgram(binary, args, `http://127.0.0.1:${http}/-/ready`))
  return `127.0.0.1:${grpc}`
}

async function startQuery(binary: string, stores: readonly string[], programs: Program[]): Promise<string> {
  const [grpc, http] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${http}`
  const args = [
    'query',
    `--grpc-address=127.0.0.1:${grpc}`,
    `--http-address=127.0.0.1:${http}`,
    '--query.replica-label=replica',
    '--log.level=warn',
    ...stores.map((address) => `--endpoint=${address}`),
  ]
  programs.push(await startProgram(binary, args, `${url}/-/ready`))
  await untilItKnows(url, stores.length)
  return url
}

/** Thanos Query is ready before it has met its stores. */
async function untilItKnows(url: string, count: number): Promise<void> {
  const giveUpAt = Date.now() + 30_000
  for (;;) {
    const { data } = (await (await fetch(`${url}/api/v1/stores`)).json()) as { data?: { sidecar?: unknown[] } }
    if ((data?.sidecar ?? []).length === count) return
    if (Date.now() > giveUpAt) throw new Error(`Thanos Query knows ${JSON.stringify(data)}, not ${count} sidecars`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
