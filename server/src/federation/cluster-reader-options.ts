import type { Dialect } from '../dialects/dialect.ts'
import type { Matcher } from '../dialects/promql.ts'
import type { Goal } from '../domain/goals.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import type { Kept } from './kept.ts'
import type { KeptGood } from './last-told.ts'
import type { LoadCapOptions } from './load-cap.ts'
import type { KeptPast } from './past-to-keep.ts'

export interface ClusterReaderOptions extends LoadCapOptions {
  readonly name: string
  readonly api: PrometheusApi
  readonly dialects: readonly Dialect[]
  /** What mirrored services carry in their names: the other clusters. */
  readonly peers: () => readonly string[]
  /** True when the configuration names the dialects: they are not detected. */
  readonly fixed: boolean
  readonly lastGoodForSeconds: number
  /** Where the last good values outlive the process. */
  readonly kept: Kept<KeptGood>
  /** Where the past of a silent cluster does. */
  readonly keptPast: Kept<KeptPast>
  /** Past this a live snapshot goes out without what has not come in. */
  readonly softDeadlineSeconds: number
  readonly goals: readonly Goal[]
  /** What tells the cluster from others behind the same endpoint; null: it has one of its own. */
  readonly matcher: Matcher | null
  /** Unix seconds. */
  readonly clock: () => number
}
