import { totalOf } from '../../domain/histogram.ts'
import { isNative, type LatencyHistogram, latencyQuantile, mergeLatencies } from '../../domain/latency-histogram.ts'

/**
 * The quantile of all histograms added up. Outside 0 to 1 and without observations as Prometheus answers: infinite, and
 * not a number. Boundaries that the sum cannot have are put into `lost`.
 */
export function quantileOver(all: readonly LatencyHistogram[], q: number, lost: Set<number>): number {
  // Who observed nothing takes no boundaries away from the others.
  const some = all.filter((one) => (isNative(one) ? one.count : totalOf(one)) > 0)
  const { merged, lostBounds } = mergeLatencies(some.length > 0 ? some : all)
  // Exponential buckets become as coarse as the coarsest, which takes no boundary of a layout that people chose.
  if (!isNative(merged) || merged.layout !== 'exponential') for (const bound of lostBounds) lost.add(bound)
  if (q < 0) return Number.NEGATIVE_INFINITY
  if (q > 1) return Number.POSITIVE_INFINITY
  return latencyQuantile(q, merged)?.value ?? Number.NaN
}
