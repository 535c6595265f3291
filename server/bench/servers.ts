import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, type Program, runFolder, startProgram } from './programs.ts'
import { type AskedQuery, QueryLog } from './query-log.ts'
import { type BenchWorld, CACHE, STEP_SECONDS } from './world.ts'

export interface PrometheusOf {
  readonly cluster: string
  readonly url: string
  /** Its TSDB; blocks that are added are found within a minute. */
  readonly data: string
  readonly program: Program
  readonly log: QueryLog
}

/** One real Prometheus a cluster over the blocks of a world. */
export interface PrometheusFleet {
  readonly all: readonly PrometheusOf[]
  cpuSeconds(): number
  /** The most memory that any of them ever held, and the most that all can have held together. */
  peakBytes(): { readonly largest: number; readonly together: number }
  /** What each was asked since the last look, in the order of `all`. */
  takeQueries(): AskedQuery[][]
  close(): Promise<void>
}

export const clusterName = (index: number) => `c${`${index + 1}`.padStart(2, '0')}`

export async function startPrometheusFleet(binary: string, world: BenchWorld): Promise<PrometheusFleet> {
  // Beside the blocks: links do not reach over file systems.
  const folder = runFolder(CACHE)
  const all: PrometheusOf[] = []
  const close = async () => {
    await Promise.all(all.map(({ program }) => program.close()))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    for (const [index, blocks] of world.folders.entries()) {
      const cluster = clusterName(index)
      const place = join(folder, cluster)
      const data = join(place, 'data')
      linkAll(blocks, data)
      const config = join(place, 'prometheus.yml')
      writeFileSync(config, configText(cluster, join(place, 'query.log')))
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const program = await startProgram(
        binary,
        [
          `--config.file=${config}`,
          `--storage.tsdb.path=${data}`,
          '--storage.tsdb.retention.time=10y',
          // Nothing is merged or thrown away: what is measured stays the same.
          '--storage.tsdb.min-block-duration=2h',
          '--storage.tsdb.max-block-duration=2h',
          // Nor what rules recorded, which lies in blocks over the same time as what it is made of.
          '--no-storage.tsdb.allow-overlapping-compaction',
          // Of thousands of queries at once some wait for long on a slow machine; two minutes is its own limit.
          '--query.timeout=15m',
          `--web.listen-address=127.0.0.1:${port}`,
          '--log.level=warn',
        ],
        `${url}/-/ready`,
      )
      all.push({ cluster, url, data, program, log: new QueryLog(join(place, 'query.log')) })
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    all,
    close,
    cpuSeconds: () => all.reduce((sum, { program }) => sum + program.cpuSeconds(), 0),
    peakBytes: () => {
      const peaks = all.map(({ program }) => program.peakBytes())
      return { largest: Math.max(...peaks), together: peaks.reduce((sum, peak) => sum + peak, 0) }
    },
    takeQueries: () => all.map(({ log }) => log.take()),
  }
}

/** The same files under another folder, so that several servers can have them, each with a head of its own. */
function linkAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (statSync(join(from, name)).isDirectory()) linkAll(join(from, name), join(to, name))
    else linkSync(join(from, name), join(to, name))
  }
}

function configText(cluster: string, queryLog: string): string {
  return `global:
  scrape_interval: ${STEP_SECONDS}s
  evaluation_interval: ${STEP_SECONDS}s
  external_labels: { cluster: ${cluster}, replica: a }
  query_log_file: ${queryLog}
`
}

/** Thanos Query over one sidecar a Prometheus. */
export interface ThanosFleet {
  readonly url: string
  readonly query: Program
  readonly sidecars: readonly Program[]
  close(): Promise<void>
}

export async function startThanos(binary: string, fleet: PrometheusFleet): Promise<ThanosFleet> {
  const programs: Program[] = []
  const close = async () => void (await Promise.all(programs.map((program) => program.close())))
  const start = async (args: readonly string[]) => {
    const [grpc, http] = [await freePort(), await freePort()]
    const addresses = [`--grpc-address=127.0.0.1:${grpc}`, `--http-address=127.0.0.1:${http}`, '--log.level=warn']
    const url = `http://127.0.0.1:${http}`
    const program = await startProgram(binary, [...args, ...addresses], `${url}/-/ready`)
    programs.push(program)
    // A large world may be too much for it: then it is what the system ends, and none of what else is measured.
    writeFileSync(`/proc/${program.pid}/oom_score_adj`, '1000')
    return { program, url, grpc: `127.0.0.1:${grpc}` }
  }
  try {
    const stores: string[] = []
    for (const { url } of fleet.all) stores.push((await start(['sidecar', `--prometheus.url=${url}`])).grpc)
    const sidecars = [...programs]
    const { program, url } = await start([
      'query',
      '--query.replica-label=replica',
      '--query.timeout=15m',
      ...stores.map((to) => `--endpoint=${to}`),
    ])
    await untilItKnows(url, stores.length)
    return { url, query: program, sidecars, close }
  } catch (error) {
    await close()
    throw error
  }
}

const STORES_LIMIT_MS = 180_000

/** Thanos Query is ready before it has met its stores. */
async function untilItKnows(url: string, count: number): Promise<void> {
  const giveUpAt = Date.now() + STORES_LIMIT_MS
  for (;;) {
    const { data } = (await (await fetch(`${url}/api/v1/stores`)).json()) as { data?: { sidecar?: unknown[] } }
    if ((data?.sidecar ?? []).length === count) return
    if (Date.now() > giveUpAt) throw new Error(`Thanos Query does not find its ${count} sidecars`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export interface Goldseam {
  readonly url: string
  readonly program: Program
  close(): Promise<void>
}

/** The built server as a process of its own; `settings` are further lines of its configuration. */
export async function startGoldseam(
  main: string,
  clusters: readonly { name: string; url: string }[],
  settings: readonly string[],
  nodeArgs: readonly string[] = [],
): Promise<Goldseam> {
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-bench-'))
  const port = await freePort()
  const config = join(folder, 'goldseam.yaml')
  const lines = clusters.map(({ name, url }) => `  - { name: ${name}, endpoints: [{ url: '${url}' }] }`)
  const ingresses = clusters.map(({ name }, index) => {
    const reached = `addresses: ['203.0.113.${20 + index}'], hosts: ['*.${name}.example.com']`
    return `  - { cluster: ${name}, workload: ingress-nginx/controller, ${reached} }`
  })
  const head = [`listen: 127.0.0.1:${port}`, 'log: { level: warn }', ...settings]
  writeFileSync(config, `${[...head, 'clusters:', ...lines, 'ingresses:', ...ingresses].join('\n')}\n`)
  const url = `http://127.0.0.1:${port}`
  // As the image and `npm start` run it.
  const env = { MALLOC_ARENA_MAX: '1', ...process.env, NODE_ENV: 'production' }
  const program = await startProgram(process.execPath, [...nodeArgs, main, '--config', config], `${url}/readyz`, env)
  const close = async () => {
    await program.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url, program, close }
}
