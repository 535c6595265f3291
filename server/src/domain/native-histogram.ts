import type { QuantileEstimate } from './histogram.ts'

/**
 * A native histogram as Prometheus answers it: the buckets that hold anything, ascending, each with its bounds.
 * Counts may be rates. Bounds and sum are in units of `unitSeconds`: the bounds of exponential buckets are powers of
 * two in the unit they were measured in, and no longer after a conversion.
 */
export interface NativeHistogram {
  readonly count: number
  readonly sum: number
  readonly lows: readonly number[]
  readonly highs: readonly number[]
  readonly counts: readonly number[]
  /** `either`: the bounds fit both; see `settled`. */
  readonly layout: 'exponential' | 'custom' | 'either'
  /** Of exponential buckets: each bound is the one before times 2^(2^-schema). Null: nothing outside the zero bucket. */
  readonly schema: number | null
  readonly unitSeconds: number
}

/** Prometheus' schemas: from 2^16 to 2^(1/256) between two bounds. */
const SCHEMAS = { least: -4, most: 8 }
const GRID_TOLERANCE = 1e-6
/** So many neighbours on powers of two are no coincidence of custom bounds. */
const SURE_BUCKETS = 3

/**
 * A histogram out of the buckets of an answer. JSON does not tell the schema, but each exponential bucket does: with
 * bounds `low` and `high = low * 2^(2^-schema)`, the schema is `-log2(log2(high / low))`, a whole number, and
 * `log2(high) * 2^schema` is one too. Bounds that do not lie on one such grid, or that are infinite, are custom ones.
 * Where only a bucket or two with bounds like 1 and 2 or 4 and 8 hold anything, both fit.
 */
export function nativeHistogram(
  { count, sum }: { count: number; sum: number },
  buckets: readonly (readonly [low: number, high: number, count: number])[],
): NativeHistogram {
  const sorted = [...buckets].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const [lows, highs] = [sorted.map(([low]) => low), sorted.map(([, high]) => high)]
  return { count, sum, lows, highs, counts: sorted.map((one) => one[2]), ...layoutOf(lows, highs), unitSeconds: 1 }
}

function layoutOf(lows: readonly number[], highs: readonly number[]): Pick<NativeHistogram, 'layout' | 'schema'> {
  const custom = { layout: 'custom', schema: null } as const
  let schema: number | null = null
  let [zeroBucket, onGrid] = [false, 0]
  for (const [index, low] of lows.entries()) {
    const high = highs[index] ?? 0
    if (low === Number.NEGATIVE_INFINITY && high !== -Number.MAX_VALUE) return custom
    if (high === Number.POSITIVE_INFINITY && low !== Number.MAX_VALUE) return custom
    if (low === -high) {
      zeroBucket = true
      continue
    }
    // Observed infinities have a bucket of their own in every schema.
    if (!Number.isFinite(low) || !Number.isFinite(high)) continue
    const found = schemaOf(low, high)
    if (found === null || (schema !== null && found !== schema)) return custom
    schema = found
    onGrid += 1
  }
  const sure = zeroBucket || (schema ?? 0) > 0 || onGrid >= SURE_BUCKETS
  return { layout: sure ? 'exponential' : 'either', schema }
}

function schemaOf(low: number, high: number): number | null {
  if (low === 0 || high === 0 || low < 0 !== high < 0) return null
  const [near, far] = low < 0 ? [-high, -low] : [low, high]
  const exact = -Math.log2(Math.log2(far) - Math.log2(near))
  // Never -0.
  const schema = Math.round(exact) + 0
  if (Math.abs(exact - schema) > GRID_TOLERANCE || schema < SCHEMAS.least || schema > SCHEMAS.most) return null
  const index = Math.log2(far) * 2 ** schema
  return Math.abs(index - Math.round(index)) > GRID_TOLERANCE ? null : schema
}

/**
 * Decides the histograms whose bounds fit both layouts by the others of the same answer: custom if any of those is,
 * exponential if any of those is. Left alone they count as custom: exponential histograms as coarse as that are rare,
 * and the bounds of a percentile are the same either way, only the interpolation between them is not.
 */
export function settled(answer: readonly NativeHistogram[]): (histogram: NativeHistogram) => NativeHistogram {
  const isCustom =
    answer.some(({ layout }) => layout === 'custom') || !answer.some(({ layout }) => layout === 'exponential')
  return (histogram) => {
    if (histogram.layout !== 'either') return histogram
    return isCustom ? { ...histogram, layout: 'custom', schema: null } : { ...histogram, layout: 'exponential' }
  }
}

/** The q-quantile in seconds, as Prometheus 3 computes it; null where it answers NaN. */
export function nativeQuantile(q: number, histogram: NativeHistogram): QuantileEstimate | null {
  const found = quantileInUnits(q, histogram)
  if (found === null) return null
  const { unitSeconds } = histogram
  return {
    value: found.value * unitSeconds,
    low: found.low * unitSeconds,
    high: found.high === null ? null : found.high * unitSeconds,
  }
}

/** Source: prometheus promql/quantile.go `HistogramQuantile`, v3: from the top for q >= 0.5, so that rounding there is small. */
function quantileInUnits(q: number, { count, sum, lows, highs, counts, layout }: NativeHistogram) {
  if (Number.isNaN(q) || q < 0 || q > 1 || !(count > 0) || counts.length === 0) return null
  // Observed NaNs are counted and lie in no bucket; then only ranks from the bottom are right.
  const fromBottom = Number.isNaN(sum) || q < 0.5
  const rank = (fromBottom ? q : 1 - q) * count
  const steps = counts.length
  let seen = 0
  let index = 0
  for (let step = 0; step < steps; step += 1) {
    index = fromBottom ? step : steps - 1 - step
    seen += counts[index] ?? 0
    if (seen >= rank) break
  }
  const inside = counts[index] ?? 0
  const { low, high } = boundsOf(layout, lows, highs, index)
  if (high === Number.POSITIVE_INFINITY) return { value: low, low, high: null }
  if (low === Number.NEGATIVE_INFINITY) return { value: high, low: high, high }
  seen = Math.min(seen, count)
  if (seen < rank) return Number.isNaN(sum) ? null : { value: high, low, high }
  const fraction = (fromBottom ? rank - (seen - inside) : seen - rank) / inside
  return { value: interpolated(low, high, fraction, layout === 'exponential'), low, high }
}

function boundsOf(
  layout: NativeHistogram['layout'],
  lows: readonly number[],
  highs: readonly number[],
  index: number,
): { low: number; high: number } {
  const [low, high] = [lows[index] ?? 0, highs[index] ?? 0]
  if (layout !== 'exponential') return { low: low === Number.NEGATIVE_INFINITY && high > 0 ? 0 : low, high }
  if (!(low < 0 && high > 0)) return { low, high }
  // Nothing is below zero (or above) where no bucket there holds anything.
  const [below, above] = [(lows[0] ?? 0) < low, (highs.at(-1) ?? 0) > high]
  return { low: below ? low : 0, high: below && !above ? 0 : high }
}

function interpolated(low: number, high: number, fraction: number, exponential: boolean): number {
  if (!exponential || (low <= 0 && high >= 0)) return low + (high - low) * fraction
  const [lowLog, highLog] = [Math.log2(Math.abs(low)), Math.log2(Math.abs(high))]
  if (low > 0) return 2 ** (lowLog + (highLog - lowLog) * fraction)
  return -(2 ** (highLog + (lowLog - highLog) * (1 - fraction)))
}

/** The same rates taken `factor` times. */
export function scaledNative(histogram: NativeHistogram, factor: number): NativeHistogram {
  return {
    ...histogram,
    count: histogram.count * factor,
    sum: histogram.sum * factor,
    counts: histogram.counts.map((count) => count * factor),
  }
}
