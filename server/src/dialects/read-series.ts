import { addInto, addScaledInto, type Values } from '../domain/columns.ts'
import { addNative, seriesOf, type Traffic } from '../domain/traffic.ts'
import type { SeriesColumn } from './dialect.ts'
import { COUNTED } from './with-series-counts.ts'

export type Labels = Readonly<Record<string, string>>

/** `le` as a number, so that `1` (Prometheus 2) and `1.0` (Prometheus 3) are one bucket; null where it is unreadable. */
export function boundOf({ le }: { readonly le?: string | undefined }): number | null {
  const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le || Number.NaN)
  return Number.isNaN(bound) ? null : bound
}

/**
 * Adds one series of a latency: a classic bucket, by its `le`, or native histograms. Bounds are in units of which a
 * second has `unitsPerSecond`.
 */
export function addBucket(
  traffic: Traffic,
  { labels, le, values, histograms }: SeriesColumn,
  unitsPerSecond: number,
): void {
  if (histograms !== undefined) {
    const unitSeconds = 1 / unitsPerSecond
    addNative(
      traffic,
      histograms.map((one) => one && { ...one, unitSeconds }),
    )
  }
  const bound = le === undefined ? null : boundOf({ le })
  if (bound !== null && labels[COUNTED] === 'series') seriesOf(traffic).add(bound / unitsPerSecond, values)
  else if (bound !== null) traffic.buckets.add(bound / unitsPerSecond, values)
}

/** Adds sum or count of a histogram, told apart by the label `part`. */
export function addTime(traffic: Traffic, { labels, values }: SeriesColumn, unitsPerSecond: number): void {
  if (labels.part === 'count') addInto(traffic.latencyCount, values)
  else addScaledInto(traffic.latencySeconds, values, 1 / unitsPerSecond)
}

export function addCount(traffic: Traffic, values: Values, failed: boolean): void {
  addInto(failed ? traffic.failures : traffic.success, values)
}
