import type { CallEdge, CallGraph, CallNode } from './call-graph.ts'

/** Time of calls that somebody else is the reason of. */
export interface Charged {
  readonly of: string
  readonly seconds: number
}

/**
 * The calls of one account as columns, so that a large graph's accounts need no objects of their own: the next account
 * takes the sheet over. Of each call: `weight` calls per request, which add `link + rest + passes * total of the callee`.
 */
export class CallSheet {
  length = 0
  readonly edges: CallEdge[] = []
  /** Where the callee stands among the ledger's nodes. */
  readonly places: number[] = []
  readonly weights: number[] = []
  readonly linkSeconds: number[] = []
  /** This caller's requests differ from the callee's average: not to be explained further down. */
  readonly restSeconds: number[] = []
  /** Spent in or behind a callee without numbers of its own. */
  readonly beyondSeconds: number[] = []
  /** Share of the callee's total that this call carries: 1, less where the caller gave up waiting, 0 in the dark. */
  readonly passes: number[] = []
  /** Waited for a callee in vain, which it did not live to count, and whose time that is. */
  readonly inVain: (Charged | undefined)[] = []
  /** What calls made again because some had failed add to each call, and whose failures those were. */
  readonly retried: (Charged | undefined)[] = []

  clear(): void {
    this.length = 0
  }

  /** Begins a call that spends nothing yet; gives its place on the sheet. */
  add(edge: CallEdge, place: number, weight: number): number {
    const at = this.length
    this.length += 1
    this.edges[at] = edge
    this.places[at] = place
    this.weights[at] = weight
    this.linkSeconds[at] = 0
    this.restSeconds[at] = 0
    this.beyondSeconds[at] = 0
    this.passes[at] = 0
    this.inVain[at] = undefined
    this.retried[at] = undefined
    return at
  }

  /** Leaves out all calls but those that `isKept`, in their order. */
  keep(isKept: (at: number) => boolean): void {
    let kept = 0
    for (let at = 0; at < this.length; at += 1) {
      if (!isKept(at)) continue
      if (kept !== at) this.#move(at, kept)
      kept += 1
    }
    this.length = kept
  }

  #move(from: number, to: number): void {
    this.edges[to] = this.edges[from] as CallEdge
    for (const column of this.#numbers()) column[to] = column[from] as number
    this.inVain[to] = this.inVain[from]
    this.retried[to] = this.retried[from]
  }

  #numbers(): number[][] {
    return [this.places, this.weights, this.linkSeconds, this.restSeconds, this.beyondSeconds, this.passes]
  }
}

const NO_EDGES: readonly CallEdge[] = []

/** A graph whose nodes are known by place, their numbers as columns: NaN where nothing is known. */
export class Ledger {
  readonly graph: CallGraph
  readonly nodes: readonly CallNode[]
  /** By node: its calls. */
  readonly edges: readonly (readonly CallEdge[])[]
  readonly meanNow: Float64Array
  readonly meanUsual: Float64Array
  readonly rateNow: Float64Array
  /** The calls of the account that was drawn up last. */
  readonly sheet = new CallSheet()
  readonly #places: ReadonlyMap<string, number>

  constructor(graph: CallGraph, places: ReadonlyMap<string, number>) {
    this.graph = graph
    this.nodes = [...graph.nodes.values()]
    this.#places = places
    this.edges = this.nodes.map(({ id }) => graph.outgoing.get(id) ?? NO_EDGES)
    const count = this.nodes.length
    this.meanNow = new Float64Array(count)
    this.meanUsual = new Float64Array(count)
    this.rateNow = new Float64Array(count)
    for (let at = 0; at < count; at += 1) {
      const { now, usual } = this.nodes[at] as CallNode
      this.meanNow[at] = now === null ? Number.NaN : now.meanSeconds
      this.rateNow[at] = now === null ? Number.NaN : now.requestsPerSecond
      this.meanUsual[at] = usual === null ? Number.NaN : usual.meanSeconds
    }
  }

  /** -1 for who is not in the graph. */
  placeOf(id: string): number {
    return this.#places.get(id) ?? -1
  }
}
