import type { GoalCounts } from './burn.ts'

/** What one cluster's Prometheus tells beside the golden signals: asked rarely, and never waited for. */
export interface Surroundings {
  /** By workload id, for those that have goals. */
  readonly goals: ReadonlyMap<string, GoalCounts>
}
