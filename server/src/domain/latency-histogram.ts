import { type Histogram, mergeHistograms, monotonic, type QuantileEstimate, quantile, totalOf } from './histogram.ts'
import { mergeExponential } from './merge-native.ts'
import { type NativeHistogram, nativeQuantile } from './native-histogram.ts'

/** How latencies were counted: in the classic buckets of a scrape page, or in a native histogram. */
export type LatencyHistogram = Histogram | NativeHistogram

export function isNative(histogram: LatencyHistogram): histogram is NativeHistogram {
  return 'layout' in histogram
}

/** Observations, or their rate. */
export function observationsOf(histogram: LatencyHistogram): number {
  return isNative(histogram) ? histogram.count : totalOf(histogram)
}

/** The q-quantile in seconds, interpolated as Prometheus does for this kind of histogram; null where it answers NaN. */
export function latencyQuantile(q: number, histogram: LatencyHistogram): QuantileEstimate | null {
  return isNative(histogram) ? nativeQuantile(q, histogram) : quantile(q, histogram)
}

export interface MergedLatency {
  readonly merged: LatencyHistogram
  /** Boundaries in seconds that some have and the sum cannot have. */
  readonly lostBounds: readonly number[]
}

/**
 * Adds histograms of any kind. Classic ones keep the boundaries that all of them have, exponential ones the coarsest
 * schema. Kinds that do not fit each other keep the boundaries at which all of them know their count: such a boundary
 * lies within no bucket that holds anything, of any of them. That is exact there, whatever the layouts were.
 */
export function mergeLatencies(histograms: readonly LatencyHistogram[]): MergedLatency {
  const [only, ...more] = histograms
  if (only !== undefined && more.length === 0) return { merged: only, lostBounds: [] }
  const classic = histograms.filter((one): one is Histogram => !isNative(one))
  const native = histograms.filter(isNative)
  const full = native.filter(({ count }) => count > 0)
  if (native.length === 0) return mergeHistograms(classic)
  const [first] = native
  const oneUnit = native.every(({ unitSeconds }) => unitSeconds === first?.unitSeconds)
  if (classic.length === 0 && oneUnit && full.every(({ layout }) => layout === 'exponential')) {
    const merged = mergeExponential(native)
    return { merged, lostBounds: lostOf(native, merged) }
  }
  const custom = classic.length === 0 && oneUnit && full.every(({ layout }) => layout !== 'exponential')
  const unitSeconds = custom ? (first?.unitSeconds ?? 1) : 1
  const parts = histograms.map((one) => filledOf(one, unitSeconds))
  const bounds = sharedBounds(parts)
  const lostBounds = lostOf(
    histograms,
    bounds.map((bound) => bound * unitSeconds),
  )
  if (!custom) return { merged: classicOf(bounds, parts), lostBounds }
  const counts = countsBetween(bounds, parts)
  const kept = counts.flatMap((count, index) => (count > 0 ? [index] : []))
  return {
    merged: {
      count: native.reduce((sum, { count }) => sum + count, 0),
      sum: native.reduce((total, { sum }) => total + sum, 0),
      lows: kept.map((index) => bounds[index] ?? 0),
      highs: kept.map((index) => bounds[index + 1] ?? 0),
      counts: kept.map((index) => counts[index] ?? 0),
      layout: 'custom',
      schema: null,
      unitSeconds,
    },
    lostBounds,
  }
}

/** Boundaries of a histogram with what lies below each, and its buckets that hold anything. */
interface Filled {
  readonly bounds: readonly number[]
  readonly cumulative: readonly number[]
  readonly buckets: readonly { readonly low: number; readonly high: number; readonly count: number }[]
}

function filledOf(histogram: LatencyHistogram, unitSeconds: number): Filled {
  if (isNative(histogram)) {
    const factor = histogram.unitSeconds / unitSeconds
    const buckets = histogram.counts.map((count, index) => {
      const [low, high] = [(histogram.lows[index] ?? 0) * factor, (histogram.highs[index] ?? 0) * factor]
      return { low: histogram.layout === 'exponential' ? atLeastZero(low, high) : customLow(low, high), high, count }
    })
    let sum = 0
    const below = buckets.flatMap(({ count }) => {
      sum += count
      return [sum - count, sum]
    })
    return { bounds: buckets.flatMap(({ low, high }) => [low, high]), cumulative: below, buckets }
  }
  const counts = monotonic(histogram.cumulative)
  const bounds = histogram.upperBounds.map((bound) => bound / unitSeconds)
  const buckets = bounds.map((high, index) => ({
    low: atLeastZero(bounds[index - 1] ?? Number.NEGATIVE_INFINITY, high),
    high,
    count: (counts[index] ?? 0) - (counts[index - 1] ?? 0),
  }))
  // Restarts leave buckets that decrease. Prometheus adds first and raises them afterwards; so is it here.
  return { bounds, cumulative: histogram.cumulative, buckets: buckets.filter(({ count }) => count > 0) }
}

/** Latencies begin at zero, and so does the first bucket; a zero bucket of no width is what it says. */
function atLeastZero(low: number, high: number): number {
  return high > 0 ? Math.max(0, low) : low
}

/** The boundaries that lie within no filled bucket. */
function sharedBounds(all: readonly Filled[]): number[] {
  const filled = all.flatMap(({ buckets }) => buckets)
  const candidates = [...new Set(all.flatMap(({ bounds }) => bounds))].sort((a, b) => a - b)
  return candidates.filter((bound) => filled.every(({ low, high }) => !isWithin(bound, low, high)))
}

/** Custom bounds may lie below zero; only what has no end there begins at zero, or is told by its upper bound alone. */
function customLow(low: number, high: number): number {
  return low === Number.NEGATIVE_INFINITY && high > 0 ? 0 : low
}

/** What lies between each two of the boundaries. */
function countsBetween(bounds: readonly number[], all: readonly Filled[]): number[] {
  const counts = new Array<number>(Math.max(0, bounds.length - 1)).fill(0)
  for (const { low, high, count } of all.flatMap(({ buckets }) => buckets)) {
    const inside = insideOf(low, high)
    const at = bounds.findIndex((bound, index) => bound < inside && inside <= (bounds[index + 1] ?? Number.NaN))
    counts[at] = (counts[at] ?? 0) + count
  }
  return counts
}

/** A value that lies in the bucket for certain, whatever its bounds were rounded to. */
function insideOf(low: number, high: number): number {
  if (high === Number.POSITIVE_INFINITY) return high
  return low === Number.NEGATIVE_INFINITY ? high - 2 * ROUNDING * Math.abs(high) : (low + high) / 2
}

/** Seconds made of milliseconds are off by a rounding: no bucket is as narrow as that. */
const ROUNDING = 1e-12

function isWithin(bound: number, low: number, high: number): boolean {
  const off = ROUNDING * Math.abs(bound)
  return bound > low + off && bound < high - off
}

function classicOf(bounds: readonly number[], all: readonly Filled[]): Histogram {
  const upperBounds = bounds.filter((bound) => bound > 0)
  if (upperBounds.at(-1) !== Number.POSITIVE_INFINITY) upperBounds.push(Number.POSITIVE_INFINITY)
  return {
    upperBounds,
    cumulative: upperBounds.map((bound) => all.reduce((sum, one) => sum + cumulativeAt(one, bound), 0)),
  }
}

/** Between its own boundaries a histogram is asked only where nothing lies: the boundary below tells as much. */
function cumulativeAt({ bounds, cumulative }: Filled, bound: number): number {
  let below = 0
  for (let index = 0; index < bounds.length; index += 1) {
    const own = bounds[index] ?? 0
    if (own > bound && own - bound > ROUNDING * Math.abs(bound)) break
    below = cumulative[index] ?? below
  }
  return below
}

function lostOf(parts: readonly LatencyHistogram[], merged: LatencyHistogram | readonly number[]): number[] {
  const kept = Array.isArray(merged) ? merged : boundsOf(merged as LatencyHistogram)
  const all = new Set(parts.flatMap(boundsOf))
  return [...all]
    .filter((bound) => !kept.some((one) => Math.abs(one - bound) <= ROUNDING * Math.abs(bound)))
    .filter((bound) => Number.isFinite(bound) && bound > 0)
    .sort((a, b) => a - b)
}

function boundsOf(histogram: LatencyHistogram): readonly number[] {
  if (!isNative(histogram)) return histogram.upperBounds.filter(Number.isFinite)
  const { lows, highs, unitSeconds } = histogram
  return [...lows, ...highs].map((bound) => bound * unitSeconds)
}

/**
 * One histogram of a flow that may be counted in classic buckets, natively, or both. Both by the same pods (where the
 * classic ones are scraped besides) are the same requests twice: the native one stands. Both by different pods, as
 * while a scrape is converted, add up. Which of them it is the requests tell, whose rate is known from a counter of
 * its own; where it is not known nothing is added.
 */
export function eitherOrBoth(
  classic: Histogram | null,
  native: NativeHistogram | null,
  requestsPerSecond: number | null,
): MergedLatency | null {
  if (native === null) return classic === null ? null : { merged: classic, lostBounds: [] }
  if (classic === null) return { merged: native, lostBounds: [] }
  const [inClassic, inNative] = [totalOf(classic), native.count]
  const larger = Math.max(inClassic, inNative)
  const off = (count: number) => Math.abs(count - (requestsPerSecond ?? larger))
  if (off(inClassic + inNative) < off(larger)) return mergeLatencies([classic, native])
  return { merged: inNative >= larger * (1 - SAME_COUNT) ? native : classic, lostBounds: [] }
}

/** Two counts of the same scrapes differ by rounding. */
const SAME_COUNT = 1e-6
