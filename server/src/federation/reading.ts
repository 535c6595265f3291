import type { Axis } from '../domain/baseline.ts'
import type { WorkloadRef } from '../domain/identity.ts'
import type { CalmVote } from './calm-vote.ts'

/** What to ask a cluster for. `live` reads keep what they learn; a view of the past is asked for anew. */
export interface Reading {
  readonly atSeconds: number
  readonly windowSeconds: number
  readonly axis: Axis
  readonly live: boolean
  /** Workloads of any cluster whose percentiles are wanted at this very instant. */
  readonly hot?: readonly WorkloadRef[]
  /** Whether calls have to be asked for anew, which all clusters decide together; absent: they have to be. */
  readonly calm?: CalmVote
}
