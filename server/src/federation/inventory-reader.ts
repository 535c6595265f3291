import { type InventoryQuestion, inventoryQuestions } from '../dialects/inventory.ts'
import type { Inventory } from '../domain/stitch/inventory.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { collectInstant } from './collect.ts'
import { InventoryAnswers } from './inventory-answers.ts'
import { isYounger } from './is-younger.ts'

/** What ingress controllers count changes with the traffic; who owns an address hardly ever does. */
const COUNT_AGAIN_SECONDS = 60
const LEAST_WINDOW_SECONDS = 60
const SCRAPES_IN_WINDOW = 4
/** Of an instant this near to the last look, who owns an address is what it was then. */
const FACTS_HOLD_SECONDS = 600

/**
 * What a cluster knows beside its mesh: addresses, services, hosts at its ingress. Asked rarely, kept while it cannot
 * be asked: without it calls are joined by less, and nothing is wrong. Dropped when it is gone.
 */
export class InventoryReader {
  readonly #cluster: string
  readonly #api: PrometheusApi
  #present: ReadonlySet<string> = new Set()
  readonly #answers = new InventoryAnswers()
  #inventory: Inventory | null = null
  #countedAtSeconds = Number.NEGATIVE_INFINITY
  #factsAtSeconds = Number.NEGATIVE_INFINITY

  constructor(cluster: string, api: PrometheusApi) {
    this.#cluster = cluster
    this.#api = api
  }

  get inventory(): Inventory | null {
    return this.#inventory
  }

  /** What was known before this process began. */
  recall(inventory: Inventory | null): void {
    this.#answers.recall(inventory)
    this.#inventory ??= inventory
  }

  /** Asks for everything anew. `present`: the metrics that the cluster has. Never rejects for what the cluster does. */
  async refresh(
    present: ReadonlySet<string>,
    scrapeIntervalSeconds: number | null,
    nowSeconds: number,
    signal: AbortSignal,
  ): Promise<void> {
    this.#present = present
    this.#factsAtSeconds = nowSeconds
    await this.#ask(['slow', 'fast'], scrapeIntervalSeconds, nowSeconds, signal)
  }

  /**
   * What a past instant (unix seconds) knew: its own counts, and its facts, or the present ones where nobody wrote any
   * down back then. What cannot be asked is as it is now. Keeps nothing.
   */
  async at(atSeconds: number, scrapeIntervalSeconds: number | null, signal: AbortSignal): Promise<Inventory | null> {
    const near = Math.abs(atSeconds - this.#factsAtSeconds) <= FACTS_HOLD_SECONDS
    const questions = this.#questions(near ? ['fast'] : ['slow', 'fast'], scrapeIntervalSeconds)
    if (questions.length === 0) return this.#inventory
    const { answers } = await collectInstant(this.#api, questions, atSeconds, signal)
    const facts = new Set(questions.flatMap(({ name, lane }) => (lane === 'slow' ? [name] : [])))
    const told = [...answers].filter(([name, series]) => series.length > 0 || !facts.has(name))
    return this.#answers.read(this.#cluster, new Map(told))
  }

  /** Asks for the counts alone, at most once a minute; where there are none, nothing. */
  async recount(scrapeIntervalSeconds: number | null, nowSeconds: number, signal: AbortSignal): Promise<void> {
    if (isYounger(this.#countedAtSeconds, nowSeconds, COUNT_AGAIN_SECONDS)) return
    await this.#ask(['fast'], scrapeIntervalSeconds, nowSeconds, signal)
  }

  async #ask(
    lanes: readonly string[],
    scrapeIntervalSeconds: number | null,
    nowSeconds: number,
    signal: AbortSignal,
  ): Promise<void> {
    const all = this.#questions(['slow', 'fast'], scrapeIntervalSeconds)
    const questions = all.filter(({ lane }) => lanes.includes(lane))
    this.#countedAtSeconds = nowSeconds
    // Facts are not read anew for counts that there are none of.
    if (questions.length === 0 && (this.#inventory === null || !lanes.includes('slow'))) return
    const collected = await collectInstant(this.#api, questions, nowSeconds, signal)
    this.#answers.keepOnly(all)
    this.#answers.take(questions, collected, nowSeconds)
    this.#inventory = this.#answers.read(this.#cluster)
  }

  #questions(lanes: readonly string[], scrapeIntervalSeconds: number | null): readonly InventoryQuestion[] {
    const windowSeconds = Math.max(LEAST_WINDOW_SECONDS, SCRAPES_IN_WINDOW * (scrapeIntervalSeconds ?? 0))
    const metrics = new Set([...this.#present, ...this.#answers.metrics])
    return inventoryQuestions(metrics, windowSeconds).filter(({ lane }) => lanes.includes(lane))
  }
}
