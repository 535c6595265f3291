import type { Dialect } from '../dialects/dialect.ts'
import type { Goal } from '../domain/goals.ts'
import type { Surroundings } from '../domain/surroundings.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { GoalReader } from './goal-reader.ts'
import { SideTasks } from './side-tasks.ts'

export interface ClusterSideOptions {
  readonly cluster: string
  readonly api: PrometheusApi
  readonly dialects: () => readonly Dialect[]
  readonly goals: readonly Goal[]
  readonly maxLoad: number
}

/** What is asked of one cluster beside its snapshots. */
export class ClusterSide {
  readonly #goals: GoalReader
  readonly #tasks: SideTasks

  constructor(options: ClusterSideOptions) {
    this.#goals = new GoalReader(options)
    this.#tasks = new SideTasks(options.api, [this.#goals], options.maxLoad)
  }

  /** A live snapshot with these workloads of the cluster went out. */
  async tick(ids: Iterable<string>, nowSeconds: number): Promise<void> {
    this.#goals.know(ids)
    await this.#tasks.tick(nowSeconds)
  }

  /** What is known by now. */
  known(): Surroundings {
    return { goals: this.#goals.counts() }
  }

  /** What was so at an instant of the past, asked now. */
  async at(ids: Iterable<string>, atSeconds: number, signal: AbortSignal): Promise<Surroundings> {
    return { goals: await this.#goals.at(ids, atSeconds, signal) }
  }

  close(): void {
    this.#tasks.close()
  }
}
