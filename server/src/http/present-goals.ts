import type { GoalRow } from '../contract/index.ts'
import type { GoalRow as Row } from '../domain/goal-rows.ts'

/** A goal as the contract has it. */
export function presentGoal({ budget, ...row }: Row): GoalRow {
  return { ...row, budget: budget === null ? null : { ...budget, burns: budget.burns.map((burn) => ({ ...burn })) } }
}
