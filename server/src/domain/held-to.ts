import type { Assessed } from './assess.ts'
import type { GoalRow, GoalVerdict } from './goal-rows.ts'
import type { Situation } from './situation.ts'
import { critMeanSeconds, failureLimits, isTooFew, LEAST_JUDGED } from './yardstick.ts'

/** What the status of one workload is held against, so that everybody can check it. */
export interface HeldTo {
  /** Mean latency, seconds: above the first it is unusual, from the second on critical (null: never). Null: no usual is known. */
  readonly mean: readonly [number, number | null] | null
  /** Share of failing requests: trouble, and critical trouble, from there on. Null: nobody counts failures. */
  readonly failures: readonly [number, number] | null
  /** So many requests the rate window takes for its mean and its failures to be judged, and it has fewer; null: it has enough. */
  readonly tooFewBelow: number | null
  /** The goals that somebody set. */
  readonly goals: readonly HeldGoal[]
}

export interface HeldGoal {
  readonly measure: GoalRow['measure']
  readonly goal: number
  /** `burning`: kept at this moment, while its error budget is spent too fast. */
  readonly verdict: Exclude<GoalVerdict, 'asUsual' | 'worse' | 'better'> | 'burning'
}

/** Null where nothing fresh is there to be judged. */
export function heldTo(situation: Situation, workload: Assessed, rows: readonly GoalRow[]): HeldTo | null {
  const { now, usual, stale, history, ref } = workload
  if (stale || !now.requestsPerSecond) return null
  const cluster = situation.clusters.get(ref.cluster)
  const { windowSeconds } = situation
  const goals = rows.flatMap(heldGoal)
  if (isTooFew(now.requestsPerSecond * windowSeconds)) {
    return { mean: null, failures: null, tooFewBelow: LEAST_JUDGED, goals }
  }
  const high = history?.band?.high ?? null
  const crit = critMeanSeconds(usual.meanSeconds)
  return {
    mean: high === null || now.meanSeconds === null ? null : [high, crit === null ? null : Math.max(high, crit)],
    failures:
      cluster === undefined || now.failuresPerSecond === null
        ? null
        : failureLimits(cluster, now, usual, windowSeconds),
    tooFewBelow: null,
    goals,
  }
}

function heldGoal({ measure, goal, verdict, budget }: GoalRow): HeldGoal[] {
  if (goal === null || verdict === 'asUsual' || verdict === 'worse' || verdict === 'better') return []
  const burning = verdict !== 'missed' && budget !== null && budget.grade !== 'none'
  return [{ measure, goal, verdict: burning ? 'burning' : verdict }]
}
