import type { GoalCounts } from './burn.ts'

/** An alert that fires in a cluster's Prometheus, as it tells it. */
export interface FiringAlert {
  readonly name: string
  readonly severity: string | null
  /** What its author wrote for a reader; null where nothing is written. */
  readonly summary: string | null
  /** Unix seconds; null where it is not told. */
  readonly sinceSeconds: number | null
  readonly labels: Readonly<Record<string, string>>
}

/** What happened to a suspect's pods lately, and how they share its load. */
export interface SuspectFacts {
  /** Unix seconds. */
  readonly events: readonly { readonly atSeconds: number; readonly kind: string; readonly text: string }[]
  /** Whether kube-state-metrics knows its pods: without it restarts inside a pod are not seen. */
  readonly kubeTold: boolean
  /** Those that report; null where they are not told apart. */
  readonly pods:
    | readonly { readonly name: string; readonly requestsPerSecond: number; readonly meanSeconds: number | null }[]
    | null
}

/** What one cluster's Prometheus tells beside the golden signals: asked rarely, and never waited for. */
export interface Surroundings {
  /** How far its clock is ahead of ours; null or absent: not told. */
  readonly clockSkewSeconds?: number | null
  /** By workload id, for those that have goals. */
  readonly goals: ReadonlyMap<string, GoalCounts>
  /** Null: not known. `told` false: the endpoint has no alerts to tell of. */
  readonly alerts: { readonly firing: readonly FiringAlert[]; readonly told: boolean } | null
  /** By workload id, for those that are suspected. */
  readonly suspects?: ReadonlyMap<string, SuspectFacts>
}
