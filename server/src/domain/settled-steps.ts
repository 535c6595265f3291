import { remembered } from './remembered.ts'
import type { Rows } from './rows.ts'
import type { StepMask, Stretch } from './step-mask.ts'

/** What was made of some steps of long columns. */
interface Made<V> {
  readonly of: object
  readonly first: number
  readonly length: number
  /** Which of them were kept, as of `from`. */
  readonly keep: StepMask
  readonly from: number
  readonly value: V
}

/**
 * Remembers the last thing that was made of a stretch of each flow's steps, for flows whose columns are parts of longer
 * ones: what is usual is taken of the same steps in one snapshot after the other, and those do not change any more.
 * They lie elsewhere among the steps that are looked at as these move on, but at the same place in the long columns.
 */
export function ofSettled<V>(): (rows: Rows, stretch: Stretch, make: () => V) => V {
  const lastOf = remembered((_: Rows['columns']): { made: Made<V> | null } => ({ made: null }))
  return (rows, stretch, make) => {
    const { from, end, keep } = stretch
    const { settled } = rows
    const first = rows.from + from
    if (settled === undefined || end <= from || rows.from + end > settled.end) return make()
    const last = lastOf(rows.columns)
    const known = last.made
    if (known !== null && known.of === settled.of && known.first === first && known.length === end - from) {
      if (isSame(known.keep, known.from, keep, from, known.length)) return known.value
    }
    const value = make()
    last.made = { of: settled.of, first, length: end - from, keep, from, value }
    return value
  }
}

function isSame(one: StepMask, oneFrom: number, other: StepMask, otherFrom: number, steps: number): boolean {
  if (one === other && (one === null || oneFrom === otherFrom)) return true
  if (one === null || other === null) return false
  for (let step = 0; step < steps; step += 1) if (one[oneFrom + step] !== other[otherFrom + step]) return false
  return true
}
