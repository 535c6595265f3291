import type { Compare, CompareCell } from '@goldseam/server/contract'
import { type Goal, type GoalVerdict, judged, measureOf } from './goals.ts'

/** What a side has to show against one goal. */
export interface Held {
  readonly verdict: GoalVerdict
  readonly cell: CompareCell
  /** The judgement in words, where the server made it. */
  readonly text: string | null
}

/** One goal and both sides; null: the goal is not the side's, or there is nothing of it. */
export interface GoalRow extends Goal {
  readonly key: string
  /** Whose goal it is; null: everything of a side added up. */
  readonly of: string | null
  readonly a: Held | null
  readonly b: Held | null
}

/** Goals that somebody typed, which are of everything together. */
export function typedRows(goals: readonly Goal[], { a, b }: Compare['all']): GoalRow[] {
  const held = (goal: Goal, cell: CompareCell | null): Held | null =>
    cell && { verdict: judged(goal, cell), cell, text: null }
  return goals.map((goal, index) => ({ ...goal, key: `typed ${index}`, of: null, a: held(goal, a), b: held(goal, b) }))
}

/** Goals that the config sets for single workloads; those that a side misses come first. */
export function configRows(rows: Compare['rows']): GoalRow[] {
  const found = rows.flatMap(({ key, a, b }) => {
    const mine = new Map<string, GoalRow>()
    for (const side of ['a', 'b'] as const) {
      const cell = side === 'a' ? a : b
      for (const { measure: name, goal, verdict, text } of cell?.goals ?? []) {
        if (goal === null || cell === null) continue
        const measure = measureOf(name)
        const id = `${key} ${measure} ${goal}`
        const row = mine.get(id) ?? { key: id, of: key, measure, limit: goal, a: null, b: null }
        mine.set(id, { ...row, [side]: { verdict, cell, text } })
      }
    }
    return [...mine.values()]
  })
  const misses = ({ a, b }: GoalRow) => [a, b].filter((held) => held?.verdict === 'missed').length
  return found.sort((one, other) => misses(other) - misses(one))
}
