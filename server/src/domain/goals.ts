import type { PercentileName } from './golden.ts'
import { matchesGlob } from './stitch/glob.ts'

export type LatencyMeasure = 'mean' | PercentileName

/** What the workloads that match `workload` (an id or a glob over ids) are to keep to. */
export interface Goal {
  readonly workload: string
  /** Above 0 and below 1. */
  readonly successRatio: number | null
  readonly latencySeconds: Readonly<Partial<Record<LatencyMeasure, number>>>
  readonly leastRequestsPerSecond: number | null
  /** Of the error budget; null: 30 days. */
  readonly periodSeconds: number | null
}

/** What one workload is to keep to. */
export interface OwnGoals extends Omit<Goal, 'workload' | 'periodSeconds'> {
  readonly periodSeconds: number
}

/** The period that burn rates of 14.4, 6 and 1 are made for. */
const PERIOD_SECONDS = 30 * 86_400

/** All goals that match, measure by measure the last one's; null where nobody set any. */
export function goalsFor(goals: readonly Goal[], id: string): OwnGoals | null {
  const mine = goals.filter(({ workload }) => matchesGlob(workload, id))
  if (mine.length === 0) return null
  const last = <T>(pick: (goal: Goal) => T | null): T | null =>
    mine.reduce<T | null>((at, goal) => pick(goal) ?? at, null)
  return {
    successRatio: last(({ successRatio }) => successRatio),
    latencySeconds: Object.assign({}, ...mine.map(({ latencySeconds }) => latencySeconds)),
    leastRequestsPerSecond: last(({ leastRequestsPerSecond }) => leastRequestsPerSecond),
    periodSeconds: last(({ periodSeconds }) => periodSeconds) ?? PERIOD_SECONDS,
  }
}
