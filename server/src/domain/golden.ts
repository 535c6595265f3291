import type { QuantileEstimate } from './histogram.ts'
import { latencyQuantile, observationsOf } from './latency-histogram.ts'
import type { Flow } from './traffic.ts'

export const PERCENTILES = [
  { name: 'p50', q: 0.5, leastSamples: 20 },
  { name: 'p95', q: 0.95, leastSamples: 200 },
  { name: 'p99', q: 0.99, leastSamples: 1_000 },
  { name: 'p999', q: 0.999, leastSamples: 10_000 },
] as const

export type PercentileName = (typeof PERCENTILES)[number]['name']

export type Truth = 'value' | 'zero' | 'noTraffic' | 'neverSeen' | 'stale' | 'partial' | 'lowSample' | 'offScale'

export interface Golden {
  readonly requestsPerSecond: number | null
  readonly failuresPerSecond: number | null
  readonly successRatio: number | null
  /** Requests in the rate window. */
  readonly sampleCount: number | null
  /** What is behind the percentiles, which may be older than the rest; null where there are none. */
  readonly percentiles: { readonly sampleCount: number; readonly ageSeconds: number } | null
  /** Requests under way at any moment: rate x mean (Little's law). */
  readonly inFlight: number | null
  readonly latencySeconds: { readonly mean: number | null } & Readonly<Record<PercentileName, number | null>>
}

/** How many of the percentiles, from p50 on, rest on enough requests: those after them are decided by a handful. */
export function enoughFor({ percentiles }: Golden): number {
  return PERCENTILES.filter(({ leastSamples }) => (percentiles?.sampleCount ?? 0) >= leastSamples).length
}

export type Bounds = Readonly<Record<PercentileName, [number, number | null] | null>>

export type Truths = Readonly<Record<'requestsPerSecond' | 'successRatio' | 'mean' | PercentileName, Truth>>

export interface GoldenReading {
  readonly golden: Golden
  readonly bounds: Bounds
  readonly truths: Truths
  readonly truth: Truth
}

/** How to read a flow: `seen` = such series exist at all; `stale` = the numbers are last good ones. */
export interface ReadingContext {
  readonly windowSeconds: number
  readonly seen: boolean
  readonly stale: boolean
}

/**
 * Golden signals of a flow, each with the truth state it has to be shown in.
 * Percentiles come from buckets alone; minimum samples are those below which a percentile is decided by a handful.
 */
export function readGolden(flow: Flow, context: ReadingContext): GoldenReading {
  const rate = flow.requestsPerSecond
  const failures = flow.failuresPerSecond
  const sampleCount = rate === null ? null : rate * context.windowSeconds
  // Percentiles of a while ago say nothing about a workload that nobody calls any more.
  const measured = !rate && flow.histogramAgeSeconds !== undefined ? { ...flow, histogram: null } : flow
  const estimates = estimatesOf(measured)
  const golden: Golden = {
    requestsPerSecond: rate,
    failuresPerSecond: failures,
    successRatio: rate === null || failures === null || rate <= 0 ? null : (rate - failures) / rate,
    sampleCount,
    percentiles: behindPercentiles(measured, context.windowSeconds),
    inFlight: rate === null ? null : rate <= 0 ? 0 : flow.meanSeconds === null ? null : rate * flow.meanSeconds,
    latencySeconds: {
      mean: flow.meanSeconds,
      p50: estimates.p50?.value ?? null,
      p95: estimates.p95?.value ?? null,
      p99: estimates.p99?.value ?? null,
      p999: estimates.p999?.value ?? null,
    },
  }
  const truths = truthsOf(golden, estimates, context)
  return { golden, bounds: boundsOf(estimates), truths, truth: worst(truths) }
}

function behindPercentiles({ histogram, histogramAgeSeconds = 0 }: Flow, windowSeconds: number): Golden['percentiles'] {
  if (histogram === null) return null
  return { sampleCount: observationsOf(histogram) * windowSeconds, ageSeconds: histogramAgeSeconds }
}

type Estimates = Record<PercentileName, QuantileEstimate | null>

function estimatesOf(flow: Flow): Estimates {
  const of = (q: number) => (flow.histogram === null ? null : latencyQuantile(q, flow.histogram))
  return { p50: of(0.5), p95: of(0.95), p99: of(0.99), p999: of(0.999) }
}

function boundsOf(estimates: Estimates): Bounds {
  const of = (estimate: QuantileEstimate | null): [number, number | null] | null =>
    estimate === null ? null : [estimate.low, estimate.high]
  return { p50: of(estimates.p50), p95: of(estimates.p95), p99: of(estimates.p99), p999: of(estimates.p999) }
}

function truthsOf(golden: Golden, estimates: Estimates, context: ReadingContext): Truths {
  const rate = golden.requestsPerSecond
  // Requests that are unknown while latencies are there: their counter is not readable, which is not "no traffic".
  const unread = rate === null && golden.latencySeconds.mean !== null
  const absent: Truth | null = !context.seen
    ? 'neverSeen'
    : (rate === null && !unread) || rate === 0
      ? 'noTraffic'
      : null
  const dependent = (known: boolean, otherwise: Truth): Truth =>
    absent ?? (context.stale ? 'stale' : known ? otherwise : 'neverSeen')
  const percentile = (name: PercentileName, leastSamples: number): Truth => {
    const estimate = estimates[name]
    // No request by then, of a workload that has some by now.
    if (estimate === null) return dependent((golden.percentiles?.ageSeconds ?? 0) > 0, 'noTraffic')
    if (estimate.high === null) return dependent(true, 'offScale')
    // What a percentile is made of counts, not what came in since.
    return dependent(true, (golden.percentiles?.sampleCount ?? 0) < leastSamples ? 'lowSample' : 'value')
  }
  return {
    requestsPerSecond: !context.seen
      ? 'neverSeen'
      : context.stale
        ? 'stale'
        : rate === null
          ? unread
            ? 'neverSeen'
            : 'noTraffic'
          : rate > 0
            ? 'value'
            : 'zero',
    successRatio: dependent(golden.successRatio !== null, 'value'),
    mean: dependent(golden.latencySeconds.mean !== null, 'value'),
    p50: percentile('p50', PERCENTILES[0].leastSamples),
    p95: percentile('p95', PERCENTILES[1].leastSamples),
    p99: percentile('p99', PERCENTILES[2].leastSamples),
    p999: percentile('p999', PERCENTILES[3].leastSamples),
  }
}

/** From harmless to grave: what a row as a whole has to confess. p999 is left out: it lacks samples nearly always. */
const GRAVITY: readonly Truth[] = [
  'value',
  'zero',
  'lowSample',
  'offScale',
  'partial',
  'noTraffic',
  'stale',
  'neverSeen',
]

function worst(truths: Truths): Truth {
  const { p999: _rarelyEnough, ...judged } = truths
  return Object.values(judged).reduce((a, b) => (GRAVITY.indexOf(b) > GRAVITY.indexOf(a) ? b : a), 'value')
}
