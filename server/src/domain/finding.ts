import type { Situation } from './situation.ts'
import type { Judgement } from './suspects.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/**
 * What is said of one workload's own trouble, with all that the fleet's sentence takes care of. `judgement` has it as its
 * focus. Null where it is in no trouble.
 */
export function findingOf(situation: Situation, judgement: Judgement, focus: string): Verdict | null {
  if (!judgement.affected.includes(focus) || !judgement.entries.some(({ id }) => id === focus)) return null
  // It is one trouble, whatever it has come of.
  return verdictOf(situation, { ...judgement, affected: [focus], problems: judgement.problems.slice(0, 1) })
}
