import type { GoalRow } from './goal-rows.ts'
import { type Measure, valueFor } from './goals.ts'

/** Parts of a bar's length, 0 to 1. */
export interface Bullets {
  readonly limit: number
  readonly a: number | null
  readonly b: number | null
}

/** So much is left beside the longest of a row. */
const HEADROOM = 1.15

/**
 * Both sides of a goal and its limit on one axis from zero. Of success it is what fails: of 99.9 and 99.0 % no eye sees
 * on an axis from zero that one is ten times the other. Null where nothing was measured.
 */
export function bulletsOf({ measure, limit, a, b }: Pick<GoalRow, 'measure' | 'limit' | 'a' | 'b'>): Bullets | null {
  const of = (held: GoalRow['a']) => {
    const value = held === null ? null : valueFor(measure, held.cell)
    return value === null ? null : amount(measure, value)
  }
  const [mine, ...sides] = [amount(measure, limit), of(a), of(b)] as const
  const longest = Math.max(mine, ...sides.map((side) => side ?? 0)) * HEADROOM
  if (!(longest > 0) || sides.every((side) => side === null)) return null
  const part = (side: number | null | undefined) => (side == null ? null : side / longest)
  return { limit: mine / longest, a: part(sides[0]), b: part(sides[1]) }
}

function amount(measure: Measure, value: number): number {
  return measure === 'sr' ? Math.max(0, 1 - value) : value
}
