import type { Answers } from '../dialects/dialect.ts'
import { type InventoryQuestion, readInventory } from '../dialects/inventory.ts'
import type { Inventory } from '../domain/stitch/inventory.ts'
import type { Collected } from './collect.ts'
import { isYounger } from './is-younger.ts'

/** Two looks: a server that has just begun with nothing has scraped by then what there is to scrape. */
const GONE_AFTER_SECONDS = 300

/** Which facts each part of an inventory follows from: question and metric. */
const PARTS = [
  { part: 'podAddresses', from: { pods: 'kube_pod_info' } },
  {
    part: 'behindService',
    from: {
      pods: 'kube_pod_info',
      endpoints: 'kube_endpoint_address',
      slices: 'kube_endpointslice_endpoints',
    },
  },
  { part: 'balancers', from: { balancers: 'kube_service_status_load_balancer_ingress' } },
] as const

/**
 * The newest answers about what a cluster knows beside its mesh. What could not be asked stands, and facts stand a while
 * longer than they are told: addresses and services do not all go at once, what tells of them does. Longer they do not
 * stand, as the addresses go to other pods.
 */
export class InventoryAnswers {
  readonly #known = new Map<string, { readonly metric: string; readonly series: NonNullable<Answer> }>()
  /** Since when, unix seconds, facts are no longer told that still stand. */
  readonly #emptySince = new Map<string, number>()
  /** Of a process before this one: stands in for facts that were not told yet. */
  #recalled: Inventory | null = null

  recall(inventory: Inventory | null): void {
    this.#recalled ??= inventory
  }

  /** The metrics of what stands: asked for until an answer tells that they are gone. */
  get metrics(): readonly string[] {
    const told = [...this.#known.values()].flatMap(({ metric, series }) => (series.length > 0 ? [metric] : []))
    const recalled = this.#recalledParts().flatMap(({ from }) =>
      Object.entries(from).flatMap(([name, metric]) => (this.#known.has(name) ? [] : [metric])),
    )
    return [...told, ...recalled]
  }

  /** What is no longer among the questions is told by others of them. */
  keepOnly(questions: readonly InventoryQuestion[]): void {
    const names = new Set(questions.map(({ name }) => name))
    for (const [name, { metric }] of this.#known) if (!names.has(name)) this.#known.set(name, { metric, series: [] })
  }

  take(questions: readonly InventoryQuestion[], { answers, doubtful }: Collected, nowSeconds: number): void {
    for (const { name, metric, lane } of questions) {
      const series = answers.get(name)
      if (series === undefined || doubtful.has(name)) continue
      if (series.length > 0) this.#emptySince.delete(name)
      else if (lane === 'slow' && this.#standsFor(name, nowSeconds)) continue
      this.#known.set(name, { metric, series })
    }
    if (this.#recalledParts().length === 0) this.#recalled = null
  }

  /** `told`: what was answered about another instant, and goes before. */
  read(cluster: string, told: Answers = new Map()): Inventory {
    const known = [...this.#known].map(([name, { series }]) => [name, series] as const)
    const inventory = readInventory(cluster, new Map([...known, ...told]))
    const recalled = this.#recalledParts().flatMap(({ part }) =>
      this.#recalled !== null && inventory[part].size === 0 ? [[part, this.#recalled[part]]] : [],
    )
    return { ...inventory, ...Object.fromEntries(recalled) }
  }

  /** Whether facts that are not told just now stand all the same. */
  #standsFor(name: string, nowSeconds: number): boolean {
    const known = this.#known.get(name)
    const isHeld =
      known === undefined ? this.#recalledParts().some(({ from }) => name in from) : known.series.length > 0
    if (!isHeld) return false
    const sinceSeconds = this.#emptySince.get(name) ?? nowSeconds
    this.#emptySince.set(name, sinceSeconds)
    return isYounger(sinceSeconds, nowSeconds, GONE_AFTER_SECONDS)
  }

  /** The parts that hold something of before, and of which not all was told since. */
  #recalledParts() {
    return PARTS.filter(
      ({ part, from }) =>
        this.#recalled !== null &&
        this.#recalled[part].size > 0 &&
        Object.keys(from).some((name) => !this.#known.has(name)),
    )
  }
}

type Answer = ReturnType<Answers['get']>
