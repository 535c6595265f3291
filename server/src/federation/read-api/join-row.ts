import type { NativeHistogram } from '../../domain/native-histogram.ts'

export type Labels = Readonly<Record<string, string>>
export type Value = number | NativeHistogram

/** One series of one cluster, or of all: a value per instant (unix seconds). */
export interface JoinRow {
  readonly labels: Labels
  readonly at: ReadonlyMap<number, Value>
}

/** What each cluster answered to one question. */
export type Answers = ReadonlyMap<string, readonly JoinRow[]>

/** Rows by their labels. */
export type Rows = ReadonlyMap<string, JoinRow>
