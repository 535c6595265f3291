import { expect } from 'vitest'
import type { Dialect, SeriesColumn } from '../../src/dialects/dialect.ts'
import { linkerd } from '../../src/dialects/linkerd.ts'
import { readAtOnce } from '../../src/dialects/read-series.ts'
import { type Golden, PERCENTILES, readGolden, type Truths } from '../../src/domain/golden.ts'
import { mergedFlow } from '../../src/domain/group.ts'
import type { WorkloadRef } from '../../src/domain/identity.ts'
import { isNative, type LatencyHistogram, latencyQuantile } from '../../src/domain/latency-histogram.ts'
import type { NativeHistogram } from '../../src/domain/native-histogram.ts'
import type { Observation } from '../../src/domain/observation.ts'
import type { Traffic } from '../../src/domain/traffic.ts'
import { type ClusterPrometheus, createPrometheus } from '../../src/prometheus/create-prometheus.ts'

/** Goldseam's own client of one cluster; several URLs are replicas of the same data. */
export function clientOf(name: string, urls: readonly string[]): ClusterPrometheus {
  const endpoints = urls.map((url) => ({
    url,
    headers: {},
    authorization: async () => null,
    ca: null,
    timeoutSeconds: 30,
    maxResponseBytes: 50_000_000,
    maxSeries: 200_000,
  }))
  return createPrometheus({ name, endpoints }, { nowSeconds: () => Date.now() / 1_000, observe: () => undefined })
}

/** What the dialect makes of one cluster's answers. */
export async function observe(
  cluster: string,
  client: Pick<ClusterPrometheus, 'query'>,
  atSeconds: number,
  windowSeconds: number,
  dialect: Dialect = linkerd,
): Promise<Observation> {
  const signal = AbortSignal.timeout(30_000)
  const ask = async (name: string, promql: string): Promise<[string, SeriesColumn[]]> => {
    const { data, warnings } = await client.query(promql, atSeconds, signal)
    expect(warnings, `${cluster}, ${name}`).toEqual([])
    const columns = [...data].map(({ value, histogram, ...of }) => ({
      ...of,
      values: Float64Array.of(value),
      ...(histogram === undefined ? {} : { histograms: [histogram] }),
    }))
    return [name, columns]
  }
  const questions = dialect.questions(windowSeconds).map(({ name, promql }) => ask(name, promql))
  const first = new Map(await Promise.all(questions))
  const read = readAtOnce(dialect, cluster, 1, first)
  const callers = [...read.outbound.values()].map(({ from }) => from)
  const edges = callers.length === 0 ? null : dialect.edgeQuestion(windowSeconds, callers)
  if (edges === null) return read
  return readAtOnce(dialect, cluster, 1, new Map([...first, await ask(edges.name, edges.promql)]))
}

/** One flow as Goldseam reads it, and the histogram behind its percentiles. */
export interface Ours {
  readonly golden: Golden
  readonly truths?: Truths
  readonly histogram: LatencyHistogram | null
}

/** Workload without its cluster, as the queries that compare name it. */
export function keyOf({ namespace, kind, name }: WorkloadRef): string {
  return `${namespace}/${kind === 'job' ? 'k8s_job' : kind}/${name}`
}

export function inboundOf(observation: Observation): Map<string, Traffic> {
  return new Map([...observation.inbound.values()].map(({ workload, total }) => [keyOf(workload), total]))
}

export function callsOf(observation: Observation): Map<string, Traffic> {
  return new Map(
    [...observation.outbound.values()].flatMap(({ from, destination, traffic }) =>
      destination.kind === 'workload' ? [[`${keyOf(from)} > ${keyOf(destination.workload)}`, traffic]] : [],
    ),
  )
}

/** Rates add up; percentiles come from histograms that were added bound by bound. */
export function merged(all: readonly ReadonlyMap<string, Traffic>[], windowSeconds: number): Map<string, Ours> {
  const keys = new Set(all.flatMap((one) => [...one.keys()]))
  return new Map(
    [...keys].map((key) => {
      const parts = all.flatMap((one) => one.get(key) ?? [])
      const flow = mergedFlow(parts)
      const { histogram } = flow
      const { golden, truths } = readGolden(flow, { windowSeconds, seen: true, stale: false })
      return [key, { golden, truths, histogram }]
    }),
  )
}

/**
 * Where a percentile may lie: where the rank falls exactly on a plateau of empty buckets, one rounding decides between
 * its two ends, and both are right. Seconds; null when there is only one answer.
 */
export function tieOf(q: number, histogram: LatencyHistogram): readonly [number, number] | null {
  const { upperBounds, cumulative } = isNative(histogram) ? boundsOf(histogram) : histogram
  const rank = q * (cumulative.at(-1) ?? 0)
  const from = cumulative.findIndex((count) => count >= rank * (1 - 1e-9))
  const to = cumulative.findIndex((count) => count > rank * (1 + 1e-9))
  const end = upperBounds[to === -1 ? upperBounds.length - 2 : to - 1]
  const start = upperBounds[from]
  return from === -1 || from === to || start === undefined || end === undefined ? null : [start, end]
}

function boundsOf({ lows, highs, counts, unitSeconds }: NativeHistogram) {
  const upperBounds = [lows[0] ?? 0]
  const cumulative = [0]
  for (const [index, count] of counts.entries()) {
    const [low, high] = [(lows[index] ?? 0) * unitSeconds, (highs[index] ?? 0) * unitSeconds]
    if (low > (upperBounds.at(-1) ?? 0)) {
      upperBounds.push(low)
      cumulative.push(cumulative.at(-1) ?? 0)
    }
    upperBounds.push(high)
    cumulative.push((cumulative.at(-1) ?? 0) + count)
  }
  return { upperBounds, cumulative }
}

/** Goldseam's numbers of one flow, by the names that the comparison uses; null where it shows none. */
export function numbersOf({ golden, histogram }: Ours): ReadonlyMap<string, number | null> {
  const percentiles = PERCENTILES.map(
    ({ name, q }) => [name, histogram === null ? null : (latencyQuantile(q, histogram)?.value ?? null)] as const,
  )
  return new Map<string, number | null>([
    ['rps', golden.requestsPerSecond],
    ['success', golden.successRatio],
    ['mean', golden.latencySeconds.mean],
    ...percentiles,
  ])
}
