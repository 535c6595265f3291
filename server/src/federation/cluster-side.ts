import type { Dialect } from '../dialects/dialect.ts'
import type { Matcher } from '../dialects/promql.ts'
import type { Goal } from '../domain/goals.ts'
import type { Surroundings } from '../domain/surroundings.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { metered } from '../prometheus/metered.ts'
import { AlertReader } from './alert-reader.ts'
import { ClusterPast } from './cluster-past.ts'
import { GoalReader } from './goal-reader.ts'
import { SideTasks } from './side-tasks.ts'
import type { Gap } from './snapshot.ts'
import { SuspectReader } from './suspect-reader.ts'

export interface ClusterSideOptions {
  readonly cluster: string
  readonly api: PrometheusApi
  readonly dialects: () => readonly Dialect[]
  readonly goals: readonly Goal[]
  readonly maxLoad: number
  /** What tells the cluster from others behind the same endpoint; null: it has one of its own. */
  readonly matcher: Matcher | null
}

type Suspected = NonNullable<Surroundings['suspects']>

/** What is asked of one cluster beside its snapshots. */
export class ClusterSide {
  readonly #alerts: AlertReader
  readonly #goals: GoalReader
  readonly #suspects: SuspectReader
  readonly #tasks: SideTasks

  constructor(options: ClusterSideOptions) {
    const { cluster, dialects, maxLoad } = options
    // Apart from what else the cluster is asked: each task is to cost what it asks.
    const { api, querySeconds } = metered(options.api)
    this.#alerts = new AlertReader({ ...options, api })
    this.#goals = new GoalReader({ ...options, api })
    this.#suspects = new SuspectReader({ name: cluster, past: new ClusterPast(cluster, api, dialects) })
    this.#tasks = new SideTasks(querySeconds, [this.#alerts, this.#suspects, this.#goals], maxLoad)
  }

  /** A live snapshot with these workloads of the cluster went out, that suspects these, of whatever cluster. */
  async tick(ids: Iterable<string>, suspects: readonly string[], nowSeconds: number): Promise<void> {
    this.#goals.know(ids, nowSeconds)
    this.#suspects.suspect(suspects)
    await this.#tasks.tick(nowSeconds)
  }

  /** A live snapshot went out for which the cluster gave no answer. */
  clusterFailed(): void {
    this.#alerts.clusterFailed()
  }

  /** What is known by now. */
  known(nowSeconds: number): Surroundings {
    return { goals: this.#goals.counts(), alerts: this.#alerts.known(nowSeconds), suspects: this.#suspects.known() }
  }

  /** What of it could not be told. */
  gaps(): readonly Gap[] {
    return this.#alerts.gaps()
  }

  /** What was so at an instant of the past, asked now. */
  async at(ids: Iterable<string>, atSeconds: number, signal: AbortSignal): Promise<Surroundings> {
    const [goals, alerts] = await Promise.all([
      this.#goals.at(ids, atSeconds, signal),
      this.#alerts.at(atSeconds, signal),
    ])
    return { goals, alerts }
  }

  /** What had happened to these suspects by an instant of the past. */
  suspectsAt(ids: readonly string[], atSeconds: number, signal: AbortSignal): Promise<Suspected> {
    return this.#suspects.at(ids, atSeconds, signal)
  }

  close(): void {
    this.#tasks.close()
  }
}
