import { type Account, type FlowNet, gatheredFrom, visitsFrom } from './flow-net.ts'

/** A part of a total: seconds per request of the focus; failures: per second. */
export interface Contribution extends Account {
  readonly seconds: number
}

/** One focus' total (or its change), split over accounts that add up to it. */
export class Decomposition {
  readonly totalSeconds: number
  readonly #net: FlowNet
  readonly #visits: Float64Array
  readonly #sums: Float64Array
  /** Accounts that something on the way belongs to, even where it comes to nothing. */
  readonly #met: Uint8Array
  #contributions: readonly Contribution[] | null = null
  #calls: ReadonlyMap<string, number> | null = null

  /** `scale`: how many visits of the focus are looked at; undefined when the focus has no numbers. */
  static of(net: FlowNet, focus: string, scale = 1): Decomposition | undefined {
    const node = net.index.get(focus)
    if (node === undefined || Number.isNaN(net.totals[node])) return undefined
    return new Decomposition(net, node, scale)
  }

  private constructor(net: FlowNet, focus: number, scale: number) {
    this.#net = net
    this.totalSeconds = scale * (net.totals[focus] as number)
    this.#visits = visitsFrom(net, focus)
    this.#sums = new Float64Array(net.accounts.length)
    this.#met = new Uint8Array(net.accounts.length)
    const { partOffsets, partAccounts, partAmounts } = net
    const [visits, sums, met] = [this.#visits, this.#sums, this.#met]
    for (let node = 0; node < visits.length; node += 1) {
      if (visits[node] === 0) continue
      const count = (visits[node] as number) * scale
      const end = partOffsets[node + 1] as number
      for (let part = partOffsets[node] as number; part < end; part += 1) {
        const account = partAccounts[part] as number
        sums[account] = (sums[account] as number) + count * (partAmounts[part] as number)
        met[account] = 1
      }
    }
  }

  get contributions(): readonly Contribution[] {
    this.#contributions ??= this.#net.accounts.flatMap((account, at) =>
      this.#met[at] === 1 ? [{ ...account, seconds: this.#sums[at] as number }] : [],
    )
    return this.#contributions
  }

  /** What is on the way, one account after the other: large fleets have too many to draw each up. */
  each(take: (account: Account, seconds: number) => void): void {
    const { accounts } = this.#net
    for (let at = 0; at < accounts.length; at += 1) {
      if (this.#met[at] === 1) take(accounts[at] as Account, this.#sums[at] as number)
    }
  }

  /** The accounts that come to at least so much. */
  atLeast(seconds: number): Contribution[] {
    const { accounts } = this.#net
    const found: Contribution[] = []
    for (let at = 0; at < accounts.length; at += 1) {
      if (this.#met[at] === 0 || (this.#sums[at] as number) < seconds) continue
      found.push({ ...(accounts[at] as Account), seconds: this.#sums[at] as number })
    }
    return found
  }

  /** Null when nothing on the way belongs to it. */
  secondsOf(kind: Account['kind'], id: string): number | null {
    const at = this.#net.accountAt({ kind, id })
    return at === undefined || this.#met[at] === 0 ? null : (this.#sums[at] as number)
  }

  /** Visits per visit of the focus. */
  visitsOf(id: string): number {
    const node = this.#net.index.get(id)
    return node === undefined ? 0 : (this.#visits[node] as number)
  }

  /** Seconds of the total that arrive over a call, by its id: what a path is chosen by. */
  carriedSeconds(callId: string): number {
    this.#calls ??= callers(this.#net)
    const call = this.#calls.get(callId)
    return call === undefined ? 0 : carriedOver(this.#net, this.#visits, call)
  }
}

const callerMaps = new WeakMap<FlowNet, ReadonlyMap<string, number>>()

function callers(net: FlowNet): ReadonlyMap<string, number> {
  let map = callerMaps.get(net)
  if (map === undefined) {
    map = new Map(net.callIds.map((id, call) => [id, call]))
    callerMaps.set(net, map)
  }
  return map
}

function carriedOver(net: FlowNet, visits: Float64Array, call: number): number {
  let [low, high] = [0, net.offsets.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((net.offsets[middle] as number) <= call) low = middle
    else high = middle
  }
  return (visits[low] as number) * (net.carried[call] as number)
}

/** What one account adds to each node's total, by node id: for a few accounts and every focus at once. */
export function addedBy(net: FlowNet, { kind, id }: Account): (focus: string) => number {
  const account = net.accountAt({ kind, id })
  if (account === undefined) return () => 0
  const direct = new Float64Array(net.totals.length)
  for (let node = 0; node < direct.length; node += 1) {
    for (let part = net.partOffsets[node] as number; part < (net.partOffsets[node + 1] as number); part += 1) {
      if (net.partAccounts[part] === account)
        direct[node] = (direct[node] as number) + (net.partAmounts[part] as number)
    }
  }
  const added = gatheredFrom(net, direct)
  return (focus) => {
    const node = net.index.get(focus)
    return node === undefined ? 0 : (added[node] as number)
  }
}
