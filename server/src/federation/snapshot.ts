import type { Dialect } from '../dialects/dialect.ts'
import type { Situation } from '../domain/situation.ts'
import type { Judgement } from '../domain/suspects.ts'
import type { Verdict } from '../domain/verdict.ts'
import type { Watch } from '../domain/watch.ts'

/** What could not be answered: cluster, what, why, since when (unix seconds). */
export interface Gap {
  readonly cluster: string
  readonly what: string
  readonly why: string
  readonly detail: string
  readonly sinceSeconds: number
}

export interface ClusterSummary {
  readonly name: string
  readonly state: 'ok' | 'stale' | 'partial' | 'down' | 'pending'
  readonly ageSeconds: number | null
  /** Age of what the slow lane brought (the percentiles of workloads that are not watched closely); null: nothing yet. */
  readonly percentilesAgeSeconds: number | null
  /** How much older calls are than the rest: they stand for a while where nothing moves. Absent: nothing is known of them. */
  readonly callsAgeSeconds?: number
  readonly reason: string | null
  readonly workloads: number
  /** In its last good answer, however old that is; absent where nobody counted. */
  readonly workloadsLastSeen?: number | null
  readonly dialects: readonly string[]
  /** The same with what their metrics cannot tell. */
  readonly speaks: readonly Speaks[]
}

export type Speaks = Pick<Dialect, 'name' | 'limits' | 'countsFirstFailures' | 'sampled'>

/** One instant over all clusters: immutable, and everything on screen is derived from it. */
export interface Snapshot {
  readonly id: string
  readonly atSeconds: number
  readonly windowSeconds: number
  readonly refreshSeconds: number
  readonly clusters: readonly ClusterSummary[]
  readonly gaps: readonly Gap[]
  readonly situation: Situation
  readonly judgement: Judgement
  readonly verdict: Verdict
  /** What this server saw until then by looking; null for an instant of the past. */
  readonly watch: Watch | null
}
