import { type Axis, instantOf } from './baseline.ts'
import type { LatencyHistogram } from './latency-histogram.ts'
import type { Observation } from './observation.ts'
import { quantileAt } from './quantile-at.ts'
import { remembered } from './remembered.ts'
import { EVERY_STEP, isKept, type StepMask } from './step-mask.ts'
import { histogramOver, type Traffic } from './traffic.ts'

/**
 * Latency buckets over time, in coarser steps than the history's because they are many: the column's step i is the
 * rate over the `stepSeconds` up to that instant, so that the steps together cover the whole stretch.
 */
export interface BucketHistory {
  readonly axis: Axis
  readonly observation: Observation
}

/** 99th percentiles as they were met, of workloads by id: the newest one after `fromSeconds`, up to `toSeconds`. */
export interface PercentileTrail {
  p99(id: string, fromSeconds: number, toSeconds: number): number | null
}

/**
 * The buckets of one workload averaged over the stretches that count as usual: those all of whose finer steps on
 * `axis` are kept, or where there is no such stretch those of which most are. Without an axis all of it counts. Null
 * where nothing is known.
 */
export function usualHistogram(
  history: BucketHistory,
  id: string,
  axis: Axis | null,
  keep: StepMask,
): LatencyHistogram | null {
  const traffic = history.observation.inbound.get(id)?.total
  if (traffic === undefined) return null
  if (axis === null) return histogramOver(traffic, EVERY_STEP)
  const kept = keptShares(history.axis, axis, keep)
  const least = kept.includes(1) ? 1 : 0.5
  const mask = new Uint8Array(kept.length)
  for (let step = 0; step < kept.length; step += 1) if ((kept[step] as number) >= least) mask[step] = 1
  return histogramOver(traffic, mask)
}

/** Of each coarse step the part of its fine steps that is kept; 0 where it has none. */
function keptShares(coarse: Axis, fine: Axis, keep: StepMask): Float64Array {
  const shares = new Float64Array(coarse.steps)
  for (let step = 0; step < coarse.steps; step += 1) {
    const toSeconds = instantOf(coarse, step)
    const first = Math.floor((toSeconds - coarse.stepSeconds - fine.fromSeconds) / fine.stepSeconds) + 1
    const last = Math.floor((toSeconds - fine.fromSeconds) / fine.stepSeconds)
    let [count, kept] = [0, 0]
    for (let at = Math.max(0, first); at <= Math.min(fine.steps - 1, last); at += 1) {
      count += 1
      if (isKept(keep, at)) kept += 1
    }
    shares[step] = count === 0 ? 0 : kept / count
  }
  return shares
}

/** The p99 of one workload by instant: that of the coarse step which the instant lies in. Null where it is not known. */
export function p99Course(
  { axis, observation }: BucketHistory,
  id: string,
): ((atSeconds: number) => number | null) | null {
  const traffic = observation.inbound.get(id)?.total
  if (traffic === undefined) return null
  const known = p99Of(traffic, axis.steps)
  return (atSeconds) => {
    const step = Math.ceil((atSeconds - axis.fromSeconds) / axis.stepSeconds)
    if (step < 0 || step >= axis.steps) return null
    let value = known[step]
    if (value === undefined) {
      value = quantileAt(0.99, traffic, step)
      known[step] = value
    }
    return value
  }
}

/** A sparkline is drawn in every snapshot, of a past that changes once a minute. By step; undefined: not asked yet. */
const p99Of = remembered((_: Traffic, steps: number): (number | null | undefined)[] =>
  Array.from<undefined>({ length: steps }),
)
