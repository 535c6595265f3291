import { BucketColumns } from './bucket-columns.ts'
import { stockOf } from './column-stock.ts'
import { type Column, emptyColumn, isAbsent, meanIn, valueAt } from './columns.ts'
import type { Histogram } from './histogram.ts'
import { InstantTraffic } from './instant-traffic.ts'
import { eitherOrBoth, type LatencyHistogram } from './latency-histogram.ts'
import { averageNativeOver, type NativeColumn } from './native-column.ts'
import type { NativeHistogram } from './native-histogram.ts'
import { remembered } from './remembered.ts'
import type { Counted, Rows } from './rows.ts'
import { ofSettled } from './settled-steps.ts'
import { EVERY_STEP, isKept, type StepMask, type Stretch, stretchOf } from './step-mask.ts'

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
  bucketSeries?: BucketColumns | undefined
  /** The same latencies as native histograms, where the cluster has such. */
  native?: NativeColumn | undefined
  /** How much older the buckets are than the rest; absent: as old. */
  bucketsAgeSeconds?: number | undefined
  /** Where the columns are part of longer ones: these are read without making columns of their own. */
  readonly within?: Rows
}

export function rowsOf(traffic: Traffic): Rows {
  return traffic.within ?? { columns: traffic, from: 0, steps: traffic.success.length }
}

export function emptyTraffic(length: number): Traffic {
  if (length === 1) return new InstantTraffic()
  return {
    success: emptyColumn(length),
    failures: emptyColumn(length),
    latencySeconds: emptyColumn(length),
    latencyCount: emptyColumn(length),
    buckets: new BucketColumns(length),
  }
}

/** One flow at one instant, or averaged over a window: plain numbers, null where nothing was measured. */
export interface Flow {
  readonly requestsPerSecond: number | null
  readonly failuresPerSecond: number | null
  readonly meanSeconds: number | null
  readonly histogram: LatencyHistogram | null
  /** Boundaries in seconds that only some of the histogram's parts had. */
  readonly lostBounds?: readonly number[] | undefined
  /** How much older the histogram is than the rest; absent: as old. */
  readonly histogramAgeSeconds?: number | undefined
}

export const NO_FLOW: Flow = { requestsPerSecond: null, failuresPerSecond: null, meanSeconds: null, histogram: null }

/** The flow with latencies that are as old as its numbers, whatever it had before. */
export function withHistogram(
  { requestsPerSecond, failuresPerSecond, meanSeconds }: Flow,
  histogram: LatencyHistogram,
): Flow {
  return { requestsPerSecond, failuresPerSecond, meanSeconds, histogram }
}

/** The flow at one step. */
export function flowAt(traffic: Traffic, step: number): Flow {
  const native = traffic.native?.[step] ?? null
  return flowFrom(traffic, { from: step, end: step + 1, keep: EVERY_STEP }, native)
}

/** A snapshot looks at one and the same flow from many sides: at its workload, and at each call to it. */
const instants = remembered((traffic: Traffic) => flowAt(traffic, 0))

/** The flow of traffic that was read for one instant and is not changed any more. */
export function flowNow(traffic: Traffic): Flow {
  return instants(traffic)
}

/** The flow summed as counters over the kept steps: rates are averaged, means are weighted by requests. */
export function flowOver(traffic: Traffic, keep: StepMask): Flow {
  const rows = rowsOf(traffic)
  const stretch = stretchOf(keep, rows.steps)
  return settledFlow(rows, stretch, () => {
    const native = traffic.native === undefined ? null : averageNativeOver(traffic.native, keep)
    return flowFrom(traffic, stretch, native)
  })
}

const settledFlow = ofSettled<Flow>()

/** The averages of what was counted over the kept steps. */
export function meansOver(traffic: Traffic, keep: StepMask): Means {
  const rows = rowsOf(traffic)
  const stretch = stretchOf(keep, rows.steps)
  return settledMeans(rows, stretch, () => meansIn(rows, stretch))
}

const settledMeans = ofSettled<Means>()

/** The latencies of the kept steps as `flowOver` has them. */
export function histogramOver(traffic: Traffic, keep: StepMask): LatencyHistogram | null {
  return flowOver(traffic, keep).histogram
}

/** Averages of what is counted: NaN where nothing was. */
export type Means = Readonly<Record<Counted, number>>

/** Means of what was counted, as a flow without latencies' histogram. */
export function flowOfMeans({ success, failures, latencySeconds, latencyCount }: Means): Flow {
  const counted = !Number.isNaN(success) || !Number.isNaN(failures)
  return {
    requestsPerSecond: counted ? (success || 0) + (failures || 0) : null,
    failuresPerSecond: counted ? failures || 0 : null,
    meanSeconds: Number.isNaN(latencySeconds) || !(latencyCount > 0) ? null : latencySeconds / latencyCount,
    histogram: null,
  }
}

/**
 * All four in one go, each over the steps at which it was measured: a snapshot reads thousands of flows over a history.
 * Success and failures are the two sides of what was counted, and one is none while only the other is there: the first
 * failure of a pod makes its series, and would be read as the rate of all of the time before.
 */
export function meansIn({ columns, from: offset }: Rows, { from, end, keep }: Stretch): Means {
  const { success, failures, latencySeconds, latencyCount } = columns
  // One by one: V8 makes an object of each sum at each step where they come out of a list.
  let good = 0
  let goods = 0
  let bad = 0
  let bads = 0
  let either = 0
  let time = 0
  let times = 0
  let count = 0
  let counts = 0
  for (let step = from; step < end; step += 1) {
    if (!isKept(keep, step)) continue
    const succeeded = success[offset + step] as number
    const failed = failures[offset + step] as number
    const isGood = !Number.isNaN(succeeded)
    const isBad = !Number.isNaN(failed)
    if (isGood) {
      good += succeeded
      goods += 1
    }
    if (isBad) {
      bad += failed
      bads += 1
    }
    if (isGood || isBad) either += 1
    const latency = latencySeconds[offset + step] as number
    if (!Number.isNaN(latency)) {
      time += latency
      times += 1
    }
    const measured = latencyCount[offset + step] as number
    if (!Number.isNaN(measured)) {
      count += measured
      counts += 1
    }
  }
  return {
    success: goods === 0 ? Number.NaN : good / either,
    failures: bads === 0 ? Number.NaN : bad / either,
    latencySeconds: time / times,
    latencyCount: count / counts,
  }
}

function flowFrom(traffic: Traffic, stretch: Stretch, native: NativeHistogram | null): Flow {
  const { requestsPerSecond, failuresPerSecond, meanSeconds } = flowOfMeans(meansIn(rowsOf(traffic), stretch))
  const classic = classicFrom(traffic, stretch)
  const either = native === null ? null : eitherOrBoth(classic.histogram, native, requestsPerSecond)
  const lostBounds = either === null ? classic.lostBounds : [...classic.lostBounds, ...(either.lostBounds ?? [])]
  return {
    requestsPerSecond,
    failuresPerSecond,
    meanSeconds,
    histogram: either === null ? classic.histogram : either.merged,
    ...(lostBounds.length === 0 ? {} : { lostBounds }),
    ...(traffic.bucketsAgeSeconds === undefined ? {} : { histogramAgeSeconds: traffic.bucketsAgeSeconds }),
  }
}

interface Classic {
  readonly histogram: Histogram | null
  readonly lostBounds: readonly number[]
}

const NO_CLASSIC: Classic = { histogram: null, lostBounds: [] }

/**
 * The buckets that hold what the last one, +Inf, holds: all series, all steps. One that only some pods have, or had for
 * some of the time, is the sum of fewer and would be read as a plateau; without it the others stay exact.
 */
function classicFrom({ buckets, bucketSeries }: Traffic, stretch: Stretch): Classic {
  if (buckets.size === 0) return NO_CLASSIC
  const { bounds, indices } = buckets.ascending()
  const last = indices.at(-1) as number
  const total = buckets.meanIn(last, stretch)
  if (bounds.at(-1) !== Number.POSITIVE_INFINITY || Number.isNaN(total)) return NO_CLASSIC
  const steps = buckets.measuredIn(last, stretch)
  const series = (bound: number) => {
    const column = bucketSeries?.get(bound)
    return column === undefined ? 0 : meanIn(column, 0, stretch) || 0
  }
  const allSeries = bucketSeries === undefined ? 0 : series(Number.POSITIVE_INFINITY) * (1 - ROUNDING)
  const cumulative = new Array<number>(bounds.length)
  const lostBounds: number[] = []
  for (let place = 0; place < bounds.length; place += 1) {
    const [bound, index] = [bounds[place] as number, indices[place] as number]
    const value = buckets.meanIn(index, stretch)
    const isWhole = !Number.isNaN(value) && (steps === 1 || buckets.measuredIn(index, stretch) >= steps)
    if (!isWhole || (allSeries > 0 && series(bound) < allSeries)) {
      lostBounds.push(bound)
      cumulative[place] = Number.NaN
    } else {
      cumulative[place] = value
    }
  }
  // Most flows have one and the same bounds: one list for all of them.
  if (lostBounds.length === 0) return { histogram: { upperBounds: bounds, cumulative }, lostBounds }
  const kept = (_: number, place: number) => !Number.isNaN(cumulative[place])
  const upperBounds = bounds.filter(kept)
  return { histogram: { upperBounds, cumulative: cumulative.filter(kept) }, lostBounds }
}

/** Averages of whole numbers differ by rounding. */
const ROUNDING = 1e-9

/** Mean latency at one step; null without traffic. */
export function meanAt(traffic: Traffic, step: number): number | null {
  const { columns, from } = rowsOf(traffic)
  const latency = valueAt(columns.latencySeconds, from + step)
  const count = valueAt(columns.latencyCount, from + step)
  return latency === null || count === null || !(count > 0) ? null : latency / count
}

const courses = { single: stockOf('single'), double: stockOf('double') }

/** Mean latency at each step, as precise as what it is of; NaN without traffic. */
export function meansOf(traffic: Traffic): Column {
  const { columns, from, steps } = rowsOf(traffic)
  const { latencySeconds, latencyCount } = columns
  const means = courses[latencySeconds instanceof Float32Array ? 'single' : 'double'].take(steps)
  for (let step = 0; step < steps; step += 1) {
    const count = latencyCount[from + step] as number
    means[step] = count > 0 ? (latencySeconds[from + step] as number) / count : Number.NaN
  }
  return means
}

/** Requests per second at each step; NaN where nothing was counted. */
export function requestsOf(traffic: Traffic): Float64Array {
  const { columns, from, steps } = rowsOf(traffic)
  const requests = new Float64Array(steps)
  for (let step = 0; step < steps; step += 1) {
    const [good, bad] = [columns.success[from + step] as number, columns.failures[from + step] as number]
    requests[step] = Number.isNaN(good) ? bad : Number.isNaN(bad) ? good : good + bad
  }
  return requests
}

export function requestsAt(traffic: Traffic, step: number): number | null {
  const { columns, from } = rowsOf(traffic)
  const success = valueAt(columns.success, from + step)
  const failures = valueAt(columns.failures, from + step)
  return success === null && failures === null ? null : (success ?? 0) + (failures ?? 0)
}

/** Whether requests were counted at all, be it none of them in the window. */
export function hasBuckets({ buckets, native }: Traffic): boolean {
  return buckets.size > 0 || native !== undefined
}

export function isCounted(traffic: Traffic): boolean {
  const { columns, from, steps } = rowsOf(traffic)
  return !isAbsent(columns.success, from, from + steps) || !isAbsent(columns.failures, from, from + steps)
}
