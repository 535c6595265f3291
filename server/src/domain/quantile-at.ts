import { quantile } from './histogram.ts'
import { latencyQuantile } from './latency-histogram.ts'
import { flowAt, type Traffic } from './traffic.ts'

/** Taken over by the next. */
const cumulative: number[] = []

/**
 * The q-quantile of a flow's latencies at one step, in seconds, as `latencyQuantile` has it of `flowAt`; null where there
 * is none. Where all is as usual no histogram is made for it: the sparklines of a fleet are tens of thousands of points.
 */
export function quantileAt(q: number, traffic: Traffic, step: number): number | null {
  const { buckets, bucketSeries, native } = traffic
  if (buckets.size > 0 && bucketSeries === undefined && native === undefined) {
    const { bounds, indices } = buckets.ascending()
    cumulative.length = indices.length
    let whole = true
    for (let place = 0; place < indices.length; place += 1) {
      const value = buckets.at(indices[place] as number, step)
      if (Number.isNaN(value)) whole = false
      cumulative[place] = value
    }
    if (whole) return quantile(q, { upperBounds: bounds, cumulative })?.value ?? null
  }
  const { histogram } = flowAt(traffic, step)
  return histogram === null ? null : (latencyQuantile(q, histogram)?.value ?? null)
}
