import { BucketColumns } from './bucket-columns.ts'
import { addInto, type Column, emptyColumn, measuredOver, valueAt } from './columns.ts'
import type { Histogram } from './histogram.ts'
import { eitherOrBoth, type LatencyHistogram } from './latency-histogram.ts'
import { addNativeInto, averageNativeOver, type NativeColumn } from './native-column.ts'
import type { NativeHistogram } from './native-histogram.ts'

/**
 * What was measured of one flow of requests (into a workload, or along an edge), as rates per time step.
 * `latencySeconds` is seconds of latency per second; divided by `latencyCount` it gives the mean.
 */
export interface Traffic {
  readonly success: Column
  readonly failures: Column
  readonly latencySeconds: Column
  /** Requests per second behind `latencySeconds`. */
  readonly latencyCount: Column
  /** Upper bound in seconds -> cumulative requests per second. */
  readonly buckets: BucketColumns
  /** Of how many series each bucket is the sum, where that is not the same for all: pods with buckets of their own. */
  bucketSeries?: BucketColumns
  /** The same latencies as native histograms, where the cluster has such. */
  native?: NativeColumn
  /** How much older the buckets are than the rest; absent: as old. */
  readonly bucketsAgeSeconds?: number
}

export function emptyTraffic(length: number): Traffic {
  return {
    success: emptyColumn(length),
    failures: emptyColumn(length),
    latencySeconds: emptyColumn(length),
    latencyCount: emptyColumn(length),
    buckets: new BucketColumns(length),
  }
}

export function addTraffic(target: Traffic, more: Traffic): void {
  addInto(target.success, more.success)
  addInto(target.failures, more.failures)
  addInto(target.latencySeconds, more.latencySeconds)
  addInto(target.latencyCount, more.latencyCount)
  addBuckets(target, more)
  if (more.native !== undefined) addNative(target, more.native)
}

function addBuckets(target: Traffic, more: Traffic): void {
  const differ =
    target.buckets.size !== more.buckets.size || more.buckets.bounds().some((at) => !target.buckets.has(at))
  const both = target.buckets.size > 0 && more.buckets.size > 0
  if ((both && differ) || target.bucketSeries !== undefined || more.bucketSeries !== undefined) {
    const added = more.bucketSeries ?? onceEach(more)
    target.bucketSeries ??= onceEach(target)
    for (const [bound, column] of added) target.bucketSeries.add(bound, column)
  }
  for (const [bound, column] of more.buckets) target.buckets.add(bound, column)
}

/** Where the number of series was not asked for, each bucket is of one and the same number. */
export function onceEach({ buckets }: Traffic): BucketColumns {
  return buckets.map((value) => (Number.isNaN(value) ? value : 1))
}

/** Of how many series each bucket is the sum, made when it is first asked for. */
export function seriesOf(traffic: Traffic): BucketColumns {
  traffic.bucketSeries ??= new BucketColumns(traffic.success.length)
  return traffic.bucketSeries
}

/** Adds native histograms, step by step. */
export function addNative(target: Traffic, more: NativeColumn): void {
  target.native ??= new Array(target.success.length).fill(null)
  addNativeInto(target.native, more)
}

/** One flow at one instant, or averaged over a window: plain numbers, null where nothing was measured. */
export interface Flow {
  readonly requestsPerSecond: number | null
  readonly failuresPerSecond: number | null
  readonly meanSeconds: number | null
  readonly histogram: LatencyHistogram | null
  /** Boundaries in seconds that only some of the histogram's parts had. */
  readonly lostBounds?: readonly number[]
  /** How much older the histogram is than the rest; absent: as old. */
  readonly histogramAgeSeconds?: number
}

export const NO_FLOW: Flow = { requestsPerSecond: null, failuresPerSecond: null, meanSeconds: null, histogram: null }

/** The flow at one step. */
export function flowAt(traffic: Traffic, step: number): Flow {
  return flowFrom(traffic, {
    measured(column) {
      const value = valueAt(column, step)
      return value === null ? null : { value, steps: 1 }
    },
    native: (column) => column[step] ?? null,
  })
}

/** The flow summed as counters over the kept steps: rates are averaged, means are weighted by requests. */
export function flowOver(traffic: Traffic, keep: (step: number) => boolean): Flow {
  return flowFrom(traffic, {
    measured: (column) => measuredOver(column, keep),
    native: (column) => averageNativeOver(column, keep),
  })
}

/** One number out of a column of steps, and of how many steps it is made. */
interface Pick {
  measured(column: Column): { readonly value: number; readonly steps: number } | null
  native(column: NativeColumn): NativeHistogram | null
}

function flowFrom(traffic: Traffic, pick: Pick): Flow {
  const rateOf = (column: Column) => pick.measured(column)?.value ?? null
  const success = rateOf(traffic.success)
  const failures = rateOf(traffic.failures)
  const latency = rateOf(traffic.latencySeconds)
  const count = rateOf(traffic.latencyCount)
  const requestsPerSecond = success === null && failures === null ? null : (success ?? 0) + (failures ?? 0)
  const classic = classicFrom(traffic, pick)
  const native = traffic.native === undefined ? null : pick.native(traffic.native)
  const either = native === null ? null : eitherOrBoth(classic.histogram, native, requestsPerSecond)
  const lostBounds = [...classic.lostBounds, ...(either?.lostBounds ?? [])]
  return {
    requestsPerSecond,
    failuresPerSecond: success === null && failures === null ? null : (failures ?? 0),
    meanSeconds: latency === null || count === null || !(count > 0) ? null : latency / count,
    histogram: either === null ? classic.histogram : either.merged,
    ...(lostBounds.length === 0 ? {} : { lostBounds }),
    ...(traffic.bucketsAgeSeconds === undefined ? {} : { histogramAgeSeconds: traffic.bucketsAgeSeconds }),
  }
}

/**
 * The buckets that hold what the last one, +Inf, holds: all series, all steps. One that only some pods have, or had for
 * some of the time, is the sum of fewer and would be read as a plateau; without it the others stay exact.
 */
function classicFrom(
  { buckets, bucketSeries }: Traffic,
  pick: Pick,
): { histogram: Histogram | null; lostBounds: readonly number[] } {
  const last = pick.measured(buckets.get(Number.POSITIVE_INFINITY) ?? emptyColumn(0))
  if (last === null) return { histogram: null, lostBounds: [] }
  const series = (bound: number) => pick.measured(bucketSeries?.get(bound) ?? emptyColumn(0))?.value ?? 0
  const allSeries = bucketSeries === undefined ? 0 : series(Number.POSITIVE_INFINITY) * (1 - ROUNDING)
  const bounds = [...buckets].sort(([a], [b]) => a - b)
  const upperBounds: number[] = []
  const cumulative: number[] = []
  const lostBounds: number[] = []
  for (const [bound, column] of bounds) {
    const measured = pick.measured(column)
    if (measured === null || measured.steps < last.steps || (allSeries > 0 && series(bound) < allSeries)) {
      lostBounds.push(bound)
      continue
    }
    upperBounds.push(bound)
    cumulative.push(measured.value)
  }
  return { histogram: { upperBounds, cumulative }, lostBounds }
}

/** Averages of whole numbers differ by rounding. */
const ROUNDING = 1e-9

/** Mean latency at one step; null without traffic. */
export function meanAt(traffic: Traffic, step: number): number | null {
  const latency = valueAt(traffic.latencySeconds, step)
  const count = valueAt(traffic.latencyCount, step)
  return latency === null || count === null || !(count > 0) ? null : latency / count
}

export function requestsAt(traffic: Traffic, step: number): number | null {
  const success = valueAt(traffic.success, step)
  const failures = valueAt(traffic.failures, step)
  return success === null && failures === null ? null : (success ?? 0) + (failures ?? 0)
}

/** Whether requests were counted at all, be it none of them in the window. */
export function isCounted({ success, failures }: Traffic): boolean {
  const any = (column: Column) => column.some((value) => !Number.isNaN(value))
  return any(success) || any(failures)
}
