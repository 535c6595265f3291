import { readdirSync, readFileSync } from 'node:fs'
import type { Dialect, SeriesColumn } from '../../src/dialects/dialect.ts'
import { readAtOnce } from '../../src/dialects/read-series.ts'
import type { WorkloadRef } from '../../src/domain/identity.ts'
import type { Observation } from '../../src/domain/observation.ts'
import { withSlow } from '../../src/federation/bucket-lane.ts'
import { type ClusterPrometheus, createPrometheus } from '../../src/prometheus/create-prometheus.ts'
import { remoteWrite, type TimeSeries } from '../engines/remote-write.ts'
import { type RealPrometheus, startPrometheus } from '../support/start-prometheus.ts'
import { parseExposition, underLoad } from './exposition.ts'

export const WINDOW_SECONDS = 60
/** Between two pages on one Prometheus: longer than it looks back for a series. */
const APART_SECONDS = 600
const FIXTURES = new URL('../../src/dialects/fixtures/', import.meta.url)

export interface RealPages {
  /** What a dialect reads of one page, at the instant that page is of: each lane alone, as it is read of a cluster. */
  observe(dialect: Dialect, page: string, cluster?: string, peers?: readonly string[]): Promise<Observation>
  /** What its questions by name read of these workloads; null where it has none. */
  observeNamed(dialect: Dialect, page: string, workloads: readonly WorkloadRef[]): Promise<Observation | null>
  /** Writes series of one's own; they must lie apart from the pages. Returns their last instant. */
  write(series: (atSeconds: number) => readonly TimeSeries[]): Promise<number>
  observeAt(dialect: Dialect, atSeconds: number, cluster?: string, peers?: readonly string[]): Promise<Observation>
  close(): Promise<void>
}

/** The pages (`linkerd/2.14.prom`) of these dialects. */
export function pagesOf(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, FIXTURES))
      .filter((file) => file.endsWith('.prom'))
      .map((file) => `${folder}/${file}`),
  )
}

/** One real Prometheus that holds every page, each at an instant of its own. */
export async function startRealPages(binary: string, pages: readonly string[]): Promise<RealPages> {
  const started: RealPrometheus = await startPrometheus(
    binary,
    'global: {}\nstorage: { tsdb: { out_of_order_time_window: 2d } }\n',
  )
  const newest = Math.floor(Date.now() / 60_000) * 60 - 60
  const instants = new Map(pages.map((page, index) => [page, newest - (index + 1) * APART_SECONDS]))
  for (const [page, atSeconds] of instants) {
    await remoteWrite(started.url, underLoad(parseExposition(readFileSync(new URL(page, FIXTURES), 'utf8')), atSeconds))
  }
  const client = clientOf(started.url)
  const instantOf = (page: string) => instants.get(page) ?? Number.NaN
  let written = 0
  const pagesReal: RealPages = {
    observe: (dialect, page, cluster, peers) => pagesReal.observeAt(dialect, instantOf(page), cluster, peers),
    async observeAt(dialect, atSeconds, cluster = 'east', peers = []) {
      const lanes = { fast: new Map<string, SeriesColumn[]>(), slow: new Map<string, SeriesColumn[]>() }
      for (const { name, promql, lane } of dialect.questions(WINDOW_SECONDS, peers)) {
        lanes[lane].set(name, await ask(client, promql, atSeconds))
      }
      const fast = readAtOnce(dialect, cluster, 1, lanes.fast)
      const both = withSlow(fast, readAtOnce(dialect, cluster, 1, lanes.slow), 0)
      const callers = [...both.outbound.values()].map(({ from }) => from)
      const edges = dialect.edgeQuestion(WINDOW_SECONDS, callers, peers)
      if (edges === null) return both
      const calls = new Map([[edges.name, await ask(client, edges.promql, atSeconds)]])
      return withSlow(both, readAtOnce(dialect, cluster, 1, calls), 0)
    },
    async observeNamed(dialect, page, workloads) {
      if (dialect.workloadQuestions === undefined) return null
      const answers = new Map<string, SeriesColumn[]>()
      for (const { name, promql } of dialect.workloadQuestions(WINDOW_SECONDS, workloads)) {
        answers.set(name, await ask(client, promql, instantOf(page)))
      }
      return readAtOnce(dialect, 'east', 1, answers)
    },
    async write(series) {
      written += 1
      const atSeconds = newest - (pages.length + written) * APART_SECONDS
      await remoteWrite(started.url, series(atSeconds))
      return atSeconds
    },
    async close() {
      await client.close()
      await started.close()
    },
  }
  return pagesReal
}

async function ask(client: ClusterPrometheus, promql: string, atSeconds: number): Promise<SeriesColumn[]> {
  const { data, warnings } = await client.query(promql, atSeconds, AbortSignal.timeout(30_000))
  if (warnings.length > 0) throw new Error(`${warnings.join('; ')}: ${promql}`)
  return [...data].map(({ value, ...of }) => ({ ...of, values: Float64Array.of(value) }))
}

function clientOf(url: string): ClusterPrometheus {
  const endpoint = {
    url,
    headers: {},
    authorization: async () => null,
    ca: null,
    timeoutSeconds: 30,
    maxResponseBytes: 50_000_000,
    maxSeries: 200_000,
  }
  return createPrometheus(
    { name: 'east', endpoints: [endpoint] },
    { nowSeconds: () => Date.now() / 1_000, observe: () => undefined },
  )
}
