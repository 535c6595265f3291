import type { NativeColumn } from '../domain/native-column.ts'
import { type NativeHistogram, nativeHistogram, settled } from '../domain/native-histogram.ts'
import type { Sample, SampleSeries } from './api.ts'
import { type StepRange, stepAt, stepsIn } from './step-range.ts'
import { UpstreamError } from './upstream-error.ts'

/**
 * One native histogram of an answer: `[unix seconds, {"count":"1.5","sum":"3","buckets":[[rule,"low","high","1.5"]]}]`.
 * Rules: 0 (low,high], 1 [low,high), 2 (low,high), 3 [low,high]. They follow from the bounds' signs and tell nothing
 * that the bounds do not. Empty buckets are left out. Source: prometheus util/jsonutil/marshal.go.
 */
export function readNative(value: unknown): { readonly atSeconds: number; readonly histogram: NativeHistogram } {
  if (!Array.isArray(value) || typeof value[0] !== 'number') throw malformed('is not [time, {...}]')
  const given: unknown = value[1]
  if (typeof given !== 'object' || given === null) throw malformed('is not an object')
  const { count, sum, buckets = [] } = given as Readonly<Record<string, unknown>>
  if (!Array.isArray(buckets)) throw malformed('has buckets that are not a list')
  const read = nativeHistogram({ count: number(count), sum: number(sum) }, buckets.map(readBucket))
  return { atSeconds: value[0], histogram: read }
}

function readBucket(bucket: unknown): readonly [number, number, number] {
  if (!Array.isArray(bucket) || bucket.length !== 4)
    throw malformed('has a bucket that is not [rule, low, high, count]')
  const [rule, low, high, count]: unknown[] = bucket
  if (typeof rule !== 'number' || rule < 0 || rule > 3) throw malformed('has a bucket of an unknown boundary rule')
  return [number(low), number(high), number(count)]
}

/** Samples whose histograms are told from each other by their neighbours, see `settled`. */
export function settleSamples(samples: readonly Sample[]): readonly Sample[] {
  const settle = settled(samples.flatMap(({ histogram }) => histogram ?? []))
  return samples.map((one) => (one.histogram === undefined ? one : { ...one, histogram: settle(one.histogram) }))
}

export function settleSeries(all: readonly SampleSeries[]): readonly SampleSeries[] {
  const settle = settled(all.flatMap(({ histograms = [] }) => histograms.flatMap((histogram) => histogram ?? [])))
  return all.map((one) =>
    one.histograms === undefined
      ? one
      : { ...one, histograms: one.histograms.map((histogram) => histogram && settle(histogram)) },
  )
}

/** Histograms by their steps of the range. */
export function nativeColumn(
  histograms: readonly { readonly atSeconds: number; readonly histogram: NativeHistogram }[],
  range: StepRange,
): NativeColumn {
  const column: NativeColumn = new Array(stepsIn(range)).fill(null)
  for (const { atSeconds, histogram } of histograms) {
    const step = stepAt(range, atSeconds)
    if (step >= 0 && step < column.length) column[step] = histogram
  }
  return column
}

function number(text: unknown): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY
  if (text === '-Inf') return Number.NEGATIVE_INFINITY
  if (text === 'NaN') return Number.NaN
  const value = typeof text === 'string' && text.trim() !== '' ? Number(text) : Number.NaN
  if (Number.isNaN(value)) throw malformed('holds what is not a number')
  return value
}

function malformed(what: string): UpstreamError {
  return new UpstreamError('malformed', `not an answer of a Prometheus API: a native histogram ${what}`)
}
