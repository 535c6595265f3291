import { random } from './random.ts'
import type { HistogramSample, TimeSeries } from './remote-write.ts'
import { BOUNDS, type Timeline } from './world.ts'

/** How a workload's latencies are kept: `converted` = custom buckets made of classic ones. */
export type Kept = 'exponential' | 'converted' | 'both' | 'changing' | 'unlike'

export const KEPT: readonly Kept[] = ['exponential', 'converted', 'both', 'changing', 'unlike']
export const WORKLOADS_EACH = 6

export interface NativeWorldOptions {
  readonly seed: number
  /** Place of the cluster among the others. */
  readonly index: number
  readonly timeline: Timeline
  readonly le: (bound: number) => string
  /** What the cluster's version can keep. */
  readonly kept?: readonly Kept[]
}

/** The bounds that all pods of `unlike` workloads have. */
export const SHARED_BOUNDS = BOUNDS.filter((_, index) => index % 2 === 0)

/**
 * Workloads `<kept>-<n>` of namespace `native` with one to three pods each, some of which restart. `both`: the pods show
 * classic buckets besides, of the same requests. `changing`: classic in clusters of even index, converted in the others;
 * all of it is also written as `reference_latency_ms_bucket`, which a Prometheus can add up. `unlike`: every other pod
 * has only `SHARED_BOUNDS`.
 */
export function drawNativeWorld({ seed, index, timeline, le, kept: all = KEPT }: NativeWorldOptions): TimeSeries[] {
  const draw = random(seed)
  return all.flatMap((kept) =>
    Array.from({ length: WORKLOADS_EACH }, (_, number) => `${kept}-${number}`).flatMap((name) =>
      Array.from({ length: (kept === 'unlike' ? 2 : 1) + Math.floor(draw() * 3) }, (_, pod) => pod).flatMap((pod) => {
        const own = { deployment: name, pod: `${name}-${pod}` }
        const labels = { direction: 'inbound', namespace: 'native', target_port: '8080', ...own }
        const counters = drawHits(draw, timeline.steps, kept === 'exponential' ? 60 : BOUNDS.length + 1)
        const schema = 1 + Math.floor(draw() * 4)
        const bounds = kept === 'unlike' && pod % 2 === 1 ? SHARED_BOUNDS : BOUNDS
        return written({ labels, kept, bounds, counters, schema, isEven: index % 2 === 0, timeline, le })
      }),
    ),
  )
}

/** Counts per bucket and step; few buckets are hit, and a restart begins at zero. */
function drawHits(draw: () => number, steps: number, buckets: number): number[][] {
  const weights = Array.from({ length: buckets }, () => (draw() < 0.35 ? draw() ** 3 : 0))
  const restartAt = draw() < 0.4 ? 2 + Math.floor(draw() * (steps - 3)) : null
  const load = 5 + draw() * 2_000
  let hits = weights.map((weight) => Math.floor(weight * 1e4))
  return Array.from({ length: steps }, (_, step) => {
    if (step === restartAt) hits = weights.map(() => 0)
    hits = hits.map((count, at) => count + Math.floor(load * (weights[at] ?? 0) * (0.5 + draw())))
    return hits
  })
}

function written(one: {
  labels: Record<string, string>
  kept: Kept
  bounds: readonly number[]
  counters: readonly (readonly number[])[]
  schema: number
  isEven: boolean
  timeline: Timeline
  le: (bound: number) => string
}): TimeSeries[] {
  const { labels, kept, bounds, counters, schema, isEven, timeline, le } = one
  const atMs = (step: number) => (timeline.startSeconds + step * timeline.stepSeconds) * 1_000 + 150
  const floats = (name: string, more: Record<string, string>, of: (hits: readonly number[]) => number): TimeSeries => ({
    labels: { ...labels, ...more, __name__: name },
    samples: counters.map((hits, step) => ({ atMs: atMs(step), value: of(hits) })),
  })
  const totalOf = (hits: readonly number[]) => hits.reduce((sum, count) => sum + count, 0)
  const sumOf = (hits: readonly number[]) =>
    hits.reduce(
      (sum, count, bucket) => sum + count * (kept === 'exponential' ? bucket + 1 : (BOUNDS[bucket] ?? 9e4)),
      0,
    )
  const classic = (name: string) =>
    [...bounds, Number.POSITIVE_INFINITY].map((bound) =>
      floats(`${name}_bucket`, { le: le(bound) }, (hits) =>
        totalOf(hits.filter((_, bucket) => (BOUNDS[bucket] ?? Number.POSITIVE_INFINITY) <= bound)),
      ),
    )
  const sums = [floats('response_latency_ms_sum', {}, sumOf), floats('response_latency_ms_count', {}, totalOf)]
  const histograms: TimeSeries = {
    labels: { ...labels, __name__: 'response_latency_ms' },
    samples: [],
    histograms: counters.map((hits, step) => ({
      atMs: atMs(step),
      value: kept === 'exponential' ? exponential(hits, schema, sumOf(hits)) : converted(hits, sumOf(hits)),
    })),
  }
  const isClassic = kept === 'both' || kept === 'unlike' || (kept === 'changing' && isEven)
  const isNative = kept !== 'unlike' && (kept !== 'changing' || !isEven)
  return [
    floats('response_total', { classification: 'success' }, totalOf),
    floats('request_total', {}, totalOf),
    ...(isClassic ? [...classic('response_latency_ms'), ...sums] : []),
    ...(isNative ? [histograms] : []),
    ...(kept === 'changing' ? classic('reference_latency_ms') : []),
  ]
}

/** From a millisecond on, as fine as the schema; the first count lies in the zero bucket. */
function exponential(hits: readonly number[], schema: number, sum: number): HistogramSample {
  const [zero = 0, ...rest] = hits
  const buckets = new Map(rest.map((count, index) => [index + 2 ** schema, count]))
  return { sum, schema, zero: { threshold: 2 ** -10, count: zero }, buckets }
}

function converted(hits: readonly number[], sum: number): HistogramSample {
  return {
    sum,
    schema: -53,
    zero: { threshold: 0, count: 0 },
    buckets: new Map(hits.map((count, index) => [index, count])),
    customBounds: BOUNDS,
  }
}
