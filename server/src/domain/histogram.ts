/**
 * A classic histogram: cumulative counts (or rates) per upper bound, bounds ascending, the last one +Inf.
 * Bounds are in seconds.
 */
export interface Histogram {
  readonly upperBounds: readonly number[]
  readonly cumulative: readonly number[]
}

/** Where a quantile lies: its interpolated value, and the bucket that holds it (`high` null: beyond the last finite bound). */
export interface QuantileEstimate {
  readonly value: number
  readonly low: number
  readonly high: number | null
}

/**
 * Relative tolerance under which two neighbouring buckets count as equal. Buckets that were added up in another
 * order differ by rounding; without this a quantile jumps over an empty plateau.
 * Source: prometheus promql/quantile.go, `smallDeltaTolerance`.
 */
const SMALL_DELTA = 1e-12

/** Smallest normal double times the tolerance decides near zero, as Prometheus' util/almost does. */
const SMALLEST_NORMAL = 2 ** -1022

function almostEqual(a: number, b: number): boolean {
  if (a === b) return true
  const sum = Math.abs(a) + Math.abs(b)
  const difference = Math.abs(a - b)
  if (a === 0 || b === 0 || sum < SMALLEST_NORMAL) return difference < SMALL_DELTA * SMALLEST_NORMAL
  return difference / Math.min(sum, Number.MAX_VALUE) < SMALL_DELTA
}

/** Builds a histogram from `le -> count`; equal bounds (`1` and `1.0`) have to be summed by the caller's key. */
export function histogramOf(buckets: ReadonlyMap<number, number>): Histogram {
  const upperBounds = [...buckets.keys()].sort((a, b) => a - b)
  return { upperBounds, cumulative: upperBounds.map((bound) => buckets.get(bound) ?? 0) }
}

/**
 * Adds histograms. Where the layouts differ only the shared boundaries are kept, which is exact for cumulative
 * buckets; `lostBounds` lists the boundaries that had to go. One without observations has none below any boundary, and
 * costs the others nothing.
 */
export function mergeHistograms(histograms: readonly Histogram[]): {
  merged: Histogram
  lostBounds: readonly number[]
} {
  const observing = histograms.filter((histogram) => totalOf(histogram) > 0)
  const [first, ...rest] = observing.length > 0 ? observing : histograms
  if (first === undefined) return { merged: { upperBounds: [], cumulative: [] }, lostBounds: [] }
  const shared = first.upperBounds.filter((bound) => rest.every((other) => other.upperBounds.includes(bound)))
  const all = new Set([first, ...rest].flatMap((histogram) => histogram.upperBounds))
  const sums = new Map(shared.map((bound) => [bound, 0]))
  for (const histogram of [first, ...rest]) {
    histogram.upperBounds.forEach((bound, index) => {
      const sum = sums.get(bound)
      if (sum !== undefined) sums.set(bound, sum + (histogram.cumulative[index] ?? 0))
    })
  }
  const lostBounds = [...all].filter((bound) => !sums.has(bound)).sort((a, b) => a - b)
  return { merged: histogramOf(sums), lostBounds }
}

/** Number (or rate) of observations: the +Inf bucket. */
export function totalOf(histogram: Histogram): number {
  return histogram.cumulative.at(-1) ?? 0
}

/**
 * The q-quantile, interpolated exactly as Prometheus' `histogram_quantile` does for classic buckets.
 * Null where Prometheus answers NaN: no +Inf bucket, fewer than two buckets, or no observations.
 * Source: prometheus promql/quantile.go `BucketQuantile`, v3.
 */
export function quantile(q: number, histogram: Histogram): QuantileEstimate | null {
  const { upperBounds } = histogram
  const last = upperBounds.length - 1
  if (Number.isNaN(q) || q < 0 || q > 1 || last < 1 || upperBounds[last] !== Number.POSITIVE_INFINITY) return null
  const counts = monotonic(histogram.cumulative)
  const observations = counts[last] ?? 0
  if (!(observations > 0)) return null
  const rank = q * observations
  let index = 0
  while (index < last && (counts[index] ?? 0) < rank) index += 1
  const low = index === 0 ? 0 : (upperBounds[index - 1] ?? 0)
  if (index === last) return { value: low, low, high: null }
  const high = upperBounds[index] ?? 0
  if (index === 0 && high <= 0) return { value: high, low: high, high }
  const below = index === 0 ? 0 : (counts[index - 1] ?? 0)
  const inside = (counts[index] ?? 0) - below
  const value = low + (high - low) * ((rank - below) / inside)
  return Number.isNaN(value) ? null : { value, low, high }
}

/** Prometheus' `ensureMonotonicAndIgnoreSmallDeltas`: flattens rounding noise and any decrease. */
export function monotonic(cumulative: readonly number[]): readonly number[] {
  // Copied only where something is flattened: mostly nothing is, and each percentile of each row comes by here.
  let counts: number[] | null = null
  let previous = cumulative[0] ?? 0
  for (let index = 1; index < cumulative.length; index += 1) {
    const current = cumulative[index] ?? 0
    if (current === previous) continue
    if (almostEqual(current, previous) || current < previous) {
      counts ??= [...cumulative]
      counts[index] = previous
    } else {
      previous = current
    }
  }
  return counts ?? cumulative
}
