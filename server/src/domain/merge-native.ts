import type { NativeHistogram } from './native-histogram.ts'

/**
 * Adds histograms of exponential buckets in one unit. Finer ones are first reduced to the coarsest schema, which is
 * exact: with bounds at 2^(i * 2^-schema), each bucket of a coarser schema is made of whole buckets of a finer one, and
 * index i goes to ceil(i / 2^(finer - coarser)). Zero buckets grow to the widest of them.
 * Source: prometheus model/histogram/float_histogram.go `Add`.
 */
export function mergeExponential(histograms: readonly NativeHistogram[]): NativeHistogram {
  const schemas = histograms.flatMap(({ schema }) => schema ?? [])
  const schema = schemas.length === 0 ? null : Math.min(...schemas)
  const zero = widestZero(histograms)
  const buckets = new Map<number, { low: number; high: number; count: number }>()
  for (const histogram of histograms) {
    histogram.counts.forEach((count, index) => {
      const own = { low: histogram.lows[index] ?? 0, high: histogram.highs[index] ?? 0 }
      const inZero = zero !== null && own.low >= -zero && own.high <= zero
      const bounds = inZero ? { low: -zero, high: zero } : reduced(own, histogram.schema, schema)
      const key = inZero ? 0 : keyOf(bounds, schema)
      const known = buckets.get(key)
      buckets.set(key, { ...(known ?? bounds), count: (known?.count ?? 0) + count })
    })
  }
  const sorted = [...buckets.values()].sort((a, b) => a.low - b.low || a.high - b.high)
  return {
    count: sumOf(histograms.map(({ count }) => count)),
    sum: sumOf(histograms.map(({ sum }) => sum)),
    lows: sorted.map(({ low }) => low),
    highs: sorted.map(({ high }) => high),
    counts: sorted.map(({ count }) => count),
    layout: 'exponential',
    schema,
    unitSeconds: histograms[0]?.unitSeconds ?? 1,
  }
}

/** Above every index of a bound: 2^1024 at the finest schema. */
const PAST_INDEXES = 1_000_000

/**
 * A number for each bucket but the zero bucket, made of its index: the same bound comes with other last digits out of
 * Prometheus' tables than out of a power.
 */
function keyOf({ low, high }: { low: number; high: number }, schema: number | null): number {
  const indexOf = (far: number) => Math.round(Math.log2(far) * 2 ** (schema ?? 0)) + PAST_INDEXES
  return high <= 0 ? -indexOf(-low) : indexOf(high)
}

/** The zero bucket that holds all the others, pushed out to the end of a bucket that it would cut in two. */
function widestZero(histograms: readonly NativeHistogram[]): number | null {
  let zero: number | null = null
  for (const { lows, highs } of histograms) {
    const at = lows.findIndex((low, index) => low === -(highs[index] ?? Number.NaN))
    if (at >= 0) zero = Math.max(zero ?? 0, highs[at] ?? 0)
  }
  for (let grown = zero !== null; grown && zero !== null; ) {
    const limit: number = zero
    for (const { lows, highs } of histograms) {
      lows.forEach((low, index) => {
        const [near, far] = [Math.abs(low), Math.abs(highs[index] ?? 0)].sort((a, b) => a - b)
        if (low !== -(highs[index] ?? 0) && (near ?? 0) < limit && (far ?? 0) > limit)
          zero = Math.max(zero ?? 0, far ?? 0)
      })
    }
    grown = zero > limit
  }
  return zero
}

function reduced(
  own: { low: number; high: number },
  from: number | null,
  to: number | null,
): { low: number; high: number } {
  if (from === null || to === null || from === to) return own
  if (own.low === -own.high || !Number.isFinite(own.low) || !Number.isFinite(own.high)) return own
  const negative = own.high <= 0
  const far = negative ? -own.low : own.high
  const index = Math.ceil(Math.round(Math.log2(far) * 2 ** from) / 2 ** (from - to))
  const [near, end] = [boundAt(index - 1, to), boundAt(index, to)]
  return negative ? { low: -end, high: -near } : { low: near, high: end }
}

/** 2^(index * 2^-schema); the last bound before infinity is the largest number. */
function boundAt(index: number, schema: number): number {
  const bound = 2 ** (index / 2 ** schema)
  return bound === Number.POSITIVE_INFINITY ? Number.MAX_VALUE : bound
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
