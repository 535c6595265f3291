import { addInto, averageOver, type Column, emptyColumn, valueAt } from './columns.ts'
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
  readonly buckets: Map<number, Column>
  /** The same latencies as native histograms, where the cluster has such. */
  native?: NativeColumn
}

export function emptyTraffic(length: number): Traffic {
  return {
    success: emptyColumn(length),
    failures: emptyColumn(length),
    latencySeconds: emptyColumn(length),
    latencyCount: emptyColumn(length),
    buckets: new Map(),
  }
}

/** The column of one bucket bound, made when it is first asked for. */
export function bucketColumn(traffic: Traffic, upperBoundSeconds: number): Column {
  let column = traffic.buckets.get(upperBoundSeconds)
  if (column === undefined) {
    column = emptyColumn(traffic.success.length)
    traffic.buckets.set(upperBoundSeconds, column)
  }
  return column
}

export function addTraffic(target: Traffic, more: Traffic): void {
  addInto(target.success, more.success)
  addInto(target.failures, more.failures)
  addInto(target.latencySeconds, more.latencySeconds)
  addInto(target.latencyCount, more.latencyCount)
  for (const [bound, column] of more.buckets) addInto(bucketColumn(target, bound), column)
  if (more.native !== undefined) addNative(target, more.native)
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
}

export const NO_FLOW: Flow = { requestsPerSecond: null, failuresPerSecond: null, meanSeconds: null, histogram: null }

/** The flow at one step. */
export function flowAt(traffic: Traffic, step: number): Flow {
  return flowFrom(
    traffic,
    (column) => valueAt(column, step),
    (native) => native[step] ?? null,
  )
}

/** The flow summed as counters over the kept steps: rates are averaged, means are weighted by requests. */
export function flowOver(traffic: Traffic, keep: (step: number) => boolean): Flow {
  return flowFrom(
    traffic,
    (column) => averageOver(column, keep),
    (native) => averageNativeOver(native, keep),
  )
}

function flowFrom(
  traffic: Traffic,
  pick: (column: Column) => number | null,
  pickNative: (native: NativeColumn) => NativeHistogram | null,
): Flow {
  const success = pick(traffic.success)
  const failures = pick(traffic.failures)
  const latency = pick(traffic.latencySeconds)
  const count = pick(traffic.latencyCount)
  const requestsPerSecond = success === null && failures === null ? null : (success ?? 0) + (failures ?? 0)
  const classic = classicFrom(traffic, pick)
  const native = traffic.native === undefined ? null : pickNative(traffic.native)
  const either = native === null ? null : eitherOrBoth(classic, native, requestsPerSecond)
  return {
    requestsPerSecond,
    failuresPerSecond: success === null && failures === null ? null : (failures ?? 0),
    meanSeconds: latency === null || count === null || !(count > 0) ? null : latency / count,
    histogram: either === null ? classic : either.merged,
    ...(either === null || either.lostBounds.length === 0 ? {} : { lostBounds: either.lostBounds }),
  }
}

function classicFrom({ buckets }: Traffic, pick: (column: Column) => number | null): Histogram | null {
  const bounds = [...buckets.keys()].sort((a, b) => a - b)
  const cumulative = bounds.map((bound) => pick(buckets.get(bound) ?? emptyColumn(0)))
  const complete = bounds.length > 0 && cumulative.every((value) => value !== null)
  return complete ? { upperBounds: bounds, cumulative: cumulative.map((value) => value ?? 0) } : null
}

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
