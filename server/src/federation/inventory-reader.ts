import { inventoryQuestions, readInventory } from '../dialects/inventory.ts'
import type { Inventory } from '../domain/stitch/inventory.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { type Answers, collectInstant } from './collect.ts'

/** What ingress controllers count changes with the traffic; who owns an address hardly ever does. */
const COUNT_AGAIN_SECONDS = 60
const LEAST_WINDOW_SECONDS = 60
const SCRAPES_IN_WINDOW = 4

/**
 * What a cluster knows beside its mesh: addresses, services, hosts at its ingress. Asked rarely, kept while it cannot
 * be asked: without it calls are joined by less, and nothing is wrong.
 */
export class InventoryReader {
  readonly #cluster: string
  readonly #api: PrometheusApi
  #present: ReadonlySet<string> = new Set()
  #answers: Answers = new Map()
  #inventory: Inventory | null = null
  #countedAtSeconds = Number.NEGATIVE_INFINITY

  constructor(cluster: string, api: PrometheusApi) {
    this.#cluster = cluster
    this.#api = api
  }

  get inventory(): Inventory | null {
    return this.#inventory
  }

  /** Asks for everything anew. `present`: the metrics that the cluster has. Never rejects for what the cluster does. */
  async refresh(
    present: ReadonlySet<string>,
    scrapeIntervalSeconds: number | null,
    nowSeconds: number,
    signal: AbortSignal,
  ): Promise<void> {
    this.#present = present
    await this.#ask(['slow', 'fast'], scrapeIntervalSeconds, nowSeconds, signal)
  }

  /** Asks for the counts alone, at most once a minute; where there are none, nothing. */
  async recount(scrapeIntervalSeconds: number | null, nowSeconds: number, signal: AbortSignal): Promise<void> {
    if (nowSeconds - this.#countedAtSeconds < COUNT_AGAIN_SECONDS) return
    await this.#ask(['fast'], scrapeIntervalSeconds, nowSeconds, signal)
  }

  async #ask(
    lanes: readonly string[],
    scrapeIntervalSeconds: number | null,
    nowSeconds: number,
    signal: AbortSignal,
  ): Promise<void> {
    const windowSeconds = Math.max(LEAST_WINDOW_SECONDS, SCRAPES_IN_WINDOW * (scrapeIntervalSeconds ?? 0))
    const questions = inventoryQuestions(this.#present, windowSeconds).filter(({ lane }) => lanes.includes(lane))
    this.#countedAtSeconds = nowSeconds
    if (questions.length === 0) return
    const { answers } = await collectInstant(this.#api, questions, nowSeconds, signal)
    this.#answers = new Map([...this.#answers, ...answers])
    this.#inventory = readInventory(this.#cluster, this.#answers)
  }
}
