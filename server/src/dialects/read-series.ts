import { addCounted, addNative, bucketsToAdd, seriesOf } from '../domain/add-traffic.ts'
import type { Apart } from '../domain/apart.ts'
import type { Values } from '../domain/columns.ts'
import type { Listed } from '../domain/listed.ts'
import type { Observation } from '../domain/observation.ts'
import { remembered } from '../domain/remembered.ts'
import type { Traffic } from '../domain/traffic.ts'
import { allAtOnce, Pieces, type Turns } from '../domain/turns.ts'
import type { Answers, Dialect, SeriesColumn } from './dialect.ts'
import { COUNTED } from './with-series-counts.ts'

export type Labels = Readonly<Record<string, string>>

/** So many series are a piece: less than a millisecond. */
export const SERIES_A_PIECE = 256

/** What a dialect reads, with nobody having a turn. */
export function readAtOnce(dialect: Dialect, cluster: string, steps: number, answers: Answers): Observation {
  return allAtOnce(dialect.reading(cluster, steps, answers))
}

/** Takes each series of an answer, in turns. */
export function* inPieces(answer: Listed<SeriesColumn> | undefined, take: (series: SeriesColumn) => void): Turns<void> {
  const pieces = new Pieces(SERIES_A_PIECE)
  for (const series of answer ?? []) {
    take(series)
    if (pieces.ended) yield
  }
}

/** `le` as a number, so that `1` (Prometheus 2) and `1.0` (Prometheus 3) are one bucket; null where it is unreadable. */
export const boundOf = remembered(({ le }: Apart): number | null => {
  const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le || Number.NaN)
  return Number.isNaN(bound) ? null : bound
})

/**
 * Adds one series of a latency: a classic bucket, by its `le`, or native histograms. Bounds are in units of which a
 * second has `unitsPerSecond`.
 */
export function addBucket(traffic: Traffic, { apart, values, histograms }: SeriesColumn, unitsPerSecond: number): void {
  if (histograms !== undefined) {
    const unitSeconds = 1 / unitsPerSecond
    addNative(
      traffic,
      histograms.map((one) => one && { ...one, unitSeconds }),
    )
  }
  const bound = apart.le === undefined ? null : boundOf(apart)
  if (bound !== null && apart[COUNTED] === 'series') seriesOf(traffic).add(bound / unitsPerSecond, values)
  else if (bound !== null) bucketsToAdd(traffic).add(bound / unitsPerSecond, values)
}

/** Adds sum or count of a histogram, told apart by the label `part`. */
export function addTime(traffic: Traffic, { apart, values }: SeriesColumn, unitsPerSecond: number): void {
  if (apart.part === 'count') addCounted(traffic, 'latencyCount', values)
  else addCounted(traffic, 'latencySeconds', values, 1 / unitsPerSecond)
}

export function addCount(traffic: Traffic, values: Values, failed: boolean): void {
  addCounted(traffic, failed ? 'failures' : 'success', values)
}
