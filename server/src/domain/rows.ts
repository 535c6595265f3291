import type { Column } from './columns.ts'

/** The columns of a flow that are averaged. */
export const COUNTED = ['success', 'failures', 'latencySeconds', 'latencyCount'] as const
export type Counted = (typeof COUNTED)[number]

/** Columns of which some steps, from one on, are a flow's. */
export interface Rows {
  readonly columns: Readonly<Record<Counted, Column>>
  readonly from: number
  readonly steps: number
  /** Which of the columns' steps do not change any more; absent where that is not known. */
  readonly settled?: Settled | undefined
}

/** Steps before `end`, for as long as `of` is one and the same. */
export interface Settled {
  readonly of: object
  readonly end: number
}

export function isSameRows(one: Rows, other: Rows): boolean {
  return (
    one.from === other.from &&
    one.steps === other.steps &&
    one.columns.success === other.columns.success &&
    one.columns.failures === other.columns.failures &&
    one.columns.latencySeconds === other.columns.latencySeconds &&
    one.columns.latencyCount === other.columns.latencyCount
  )
}
