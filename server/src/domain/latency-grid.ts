import { type Histogram, monotonic } from './histogram.ts'
import { isNative, type LatencyHistogram } from './latency-histogram.ts'
import { flowAt, type Traffic } from './traffic.ts'

/** Rates per bucket over time. `bounds`: upper ends in seconds, the last one may be infinite. */
export interface LatencyGrid {
  readonly bounds: readonly number[]
  /** One a step; null where nothing was measured. */
  readonly columns: readonly (readonly number[] | null)[]
}

/** Seconds: the grid that native histograms, whose bounds are many, are laid over; two rows for each doubling. */
const NATIVE_BOUNDS = Array.from({ length: 32 }, (_, index) => 0.001 * 2 ** (index / 2))

/** A flow's latencies as a grid of the bounds that its steps share; rows that never hold anything are left out at both ends. */
export function latencyGrid(traffic: Traffic, steps: number): LatencyGrid {
  const histograms = Array.from({ length: steps }, (_, step) => flowAt(traffic, step).histogram)
  const known = histograms.filter((one): one is LatencyHistogram => one !== null)
  const native = known.some(isNative)
  const bounds = native
    ? [...NATIVE_BOUNDS, Number.POSITIVE_INFINITY]
    : [...new Set(known.flatMap((one) => (isNative(one) ? [] : one.upperBounds)))].sort((a, b) => a - b)
  const columns = histograms.map((one) => (one === null ? null : countsIn(one, bounds)))
  return trimmed({ bounds, columns })
}

function countsIn(histogram: LatencyHistogram, bounds: readonly number[]): number[] {
  const counts = bounds.map(() => 0)
  const add = (upper: number, count: number) => {
    const index = bounds.findIndex((bound) => bound >= upper * (1 - 1e-9))
    const row = index < 0 ? bounds.length - 1 : index
    counts[row] = (counts[row] ?? 0) + count
  }
  if (isNative(histogram)) {
    // A bucket that lies across two rows goes to the one that holds its middle.
    histogram.counts.forEach((count, index) => {
      const [low, high] = [histogram.lows[index] ?? 0, histogram.highs[index] ?? 0]
      const middle = Number.isFinite(high) ? Math.sqrt(Math.max(low, high / 4) * high) : high
      add(middle * histogram.unitSeconds, count)
    })
    return counts
  }
  perBucket(histogram).forEach((count, index) => {
    add(histogram.upperBounds[index] ?? Number.POSITIVE_INFINITY, count)
  })
  return counts
}

/** What lies in each bucket by itself. */
export function perBucket({ cumulative }: Histogram): number[] {
  const counts = monotonic(cumulative)
  return counts.map((count, index) => count - (counts[index - 1] ?? 0))
}

function trimmed({ bounds, columns }: LatencyGrid): LatencyGrid {
  const used = bounds.flatMap((_, row) => (columns.some((column) => (column?.[row] ?? 0) > 0) ? [row] : []))
  const [first] = used
  const last = used.at(-1)
  if (first === undefined || last === undefined) return { bounds: [], columns: columns.map((column) => column && []) }
  // One empty row above: the place where a stall would show.
  const from = Math.max(0, first - 1)
  const to = Math.min(bounds.length, last + 2)
  return { bounds: bounds.slice(from, to), columns: columns.map((column) => column?.slice(from, to) ?? null) }
}
