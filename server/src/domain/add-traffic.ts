import { BucketColumns } from './bucket-columns.ts'
import { addStepsInto } from './columns.ts'
import { InstantTraffic } from './instant-traffic.ts'
import { addNativeInto, type NativeColumn } from './native-column.ts'
import { COUNTED, type Counted } from './rows.ts'
import { rowsOf, type Traffic } from './traffic.ts'

export function addTraffic(target: Traffic, more: Traffic): void {
  const { columns, from, steps } = rowsOf(more)
  for (const name of COUNTED) addCounted(target, name, columns[name], 1, from, steps)
  addBuckets(target, more)
  if (more.native !== undefined) addNative(target, more.native)
}

/** Adds `factor` times `values` to one of a flow's columns as `addInto` does, without making a view of it. */
export function addCounted(
  target: Traffic,
  name: Counted,
  values: ArrayLike<number>,
  factor = 1,
  valuesFrom = 0,
  valuesSteps = values.length,
): void {
  const { columns, from, steps } = rowsOf(target)
  addStepsInto(columns[name], from, values, valuesFrom, Math.min(steps, valuesSteps), factor)
}

/** The buckets of a flow, to be added to. */
export function bucketsToAdd(traffic: Traffic): BucketColumns {
  return traffic instanceof InstantTraffic ? traffic.ownBuckets() : traffic.buckets
}

/**
 * A flow with the latencies of another one, which are so much older: undefined for as old. Neither is changed.
 */
export function withLatencies(traffic: Traffic, other: Traffic, ageSeconds: number | undefined): Traffic {
  if (traffic instanceof InstantTraffic) return traffic.withLatencies(other, ageSeconds)
  const { buckets, native, bucketSeries } = other
  return { ...traffic, buckets, native, bucketSeries, bucketsAgeSeconds: ageSeconds }
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
  if (more.buckets.size === 0) return
  const buckets = bucketsToAdd(target)
  for (const [bound, column] of more.buckets) buckets.add(bound, column)
}

/** Where the number of series was not asked for, each bucket is of one and the same number. */
export function onceEach({ buckets }: Traffic): BucketColumns {
  return buckets.map((value) => (Number.isNaN(value) ? value : 1))
}

/** Of how many series each bucket is the sum, made when it is first asked for. */
export function seriesOf(traffic: Traffic): BucketColumns {
  traffic.bucketSeries ??= new BucketColumns(rowsOf(traffic).steps)
  return traffic.bucketSeries
}

/** Adds native histograms, step by step. */
export function addNative(target: Traffic, more: NativeColumn): void {
  target.native ??= new Array(rowsOf(target).steps).fill(null)
  addNativeInto(target.native, more)
}
