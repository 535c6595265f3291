import { setMaxListeners } from 'node:events'
import { linkerd } from '../dialects/linkerd.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { PlainSample } from '../prometheus/plain-sample.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { ClusterReader } from './cluster-reader.ts'
import type { ClusterReaderOptions } from './cluster-reader-options.ts'
import { axisTo } from './instants.ts'
import { type Kept, NOT_KEPT } from './kept.ts'

export const READER_AT = 1_800_000_000
const LABELS = { namespace: 'shop', deployment: 'web' }
const FAST = 'rate(response_total{direction="inbound"'
const BUCKETS = 'rate(response_latency_ms_bucket{direction="inbound"'

/** What a cluster of one workload does with a question; given for each, and to be changed while a test runs. */
export interface Answers {
  /** Throws what it is refused with, and gives how many query seconds it takes. */
  to(promql: string, isRange: boolean): number | Promise<number>
  requestsPerSecond: number
}

export const asksForRequests = (promql: string) => promql.includes(FAST)
export const asksForBuckets = (promql: string) => promql.includes(BUCKETS)

/** One cluster's reader over answers that a test gives, by a clock that it sets. */
export function readerOver(answers: Answers, options: Partial<ClusterReaderOptions> = {}) {
  const clock = { seconds: READER_AT }
  const asked: string[] = []
  const kept = countingKept()
  const { signal } = new AbortController()
  // One for all readings, each of which listens to it.
  setMaxListeners(0, signal)
  const answer = async (promql: string, isRange: boolean) => {
    asked.push(promql)
    const evalSeconds = await answers.to(promql, isRange)
    const rate = answers.requestsPerSecond
    const data = [
      ...(asksForRequests(promql) ? [new PlainSample(LABELS, { classification: 'success' }, rate)] : []),
      ...(asksForBuckets(promql) ? ['10', '+Inf'].map((le) => new PlainSample(LABELS, { le }, rate)) : []),
    ]
    return { data, warnings: [], evalSeconds }
  }
  const none = async () => {
    throw new UpstreamError('rejected', 'it does not tell')
  }
  const api = {
    query: (promql: string) => answer(promql, false),
    queryRange: async (promql: string) => ({ ...(await answer(promql, true)), data: [] }),
    labelValues: none,
    forward: none,
    scrapeIntervalSeconds: none,
    status: () => [],
  } as unknown as PrometheusApi
  const reader = new ClusterReader({
    name: 'east',
    api,
    dialects: [linkerd],
    fixed: true,
    peers: () => [],
    lastGoodForSeconds: 300,
    kept: kept.kept,
    keptPast: NOT_KEPT,
    softDeadlineSeconds: 5,
    goals: [],
    matcher: null,
    clock: () => clock.seconds,
    refreshSeconds: 10,
    bucketRefreshSeconds: 30,
    maxLoad: 1,
    ...options,
  })
  const readingOf = (windowSeconds: number) => {
    const atSeconds = clock.seconds
    return { atSeconds, windowSeconds, axis: axisTo(atSeconds, windowSeconds), live: true }
  }
  /** As a snapshot does it for the instant that the clock shows. */
  const read = (windowSeconds: number) => reader.read(readingOf(windowSeconds), clock.seconds, signal)
  return { reader, read, readingOf, clock, asked, kept, signal }
}

function countingKept() {
  const counts = { saved: 0, forgotten: 0 }
  const kept: Kept<never> = {
    load: async () => null,
    async save() {
      counts.saved += 1
    },
    async forget() {
      counts.forgotten += 1
    },
  }
  return { counts, kept }
}
