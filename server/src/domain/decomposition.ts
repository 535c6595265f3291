import { type Account, type FlowNet, gatheredFrom, visitsFrom } from './flow-net.ts'

/** A part of a total: seconds per request of the focus; failures: per second. */
export interface Contribution extends Account {
  readonly seconds: number
}

/** One focus' total (or its change), split over accounts that add up to it. */
export class Decomposition {
  readonly totalSeconds: number
  readonly #net: FlowNet
  readonly #scale: number
  readonly #visits: Float64Array
  #known: Float64Array | null = null
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
    this.#scale = scale
    this.totalSeconds = scale * (net.totals[focus] as number)
    this.#visits = visitsFrom(net, focus)
  }

  /** By account; NaN where nothing on the way belongs to it. */
  get #sums(): Float64Array {
    this.#known ??= this.#addUp()
    return this.#known
  }

  #addUp(): Float64Array {
    const { partOffsets, partAccounts, partAmounts, accounts } = this.#net
    const visits = this.#visits
    const scale = this.#scale
    const sums = new Float64Array(accounts.length).fill(Number.NaN)
    for (let node = 0; node < visits.length; node += 1) {
      if (visits[node] === 0) continue
      const count = (visits[node] as number) * scale
      const end = partOffsets[node + 1] as number
      for (let part = partOffsets[node] as number; part < end; part += 1) {
        const account = partAccounts[part] as number
        const sum = sums[account] as number
        const more = count * (partAmounts[part] as number)
        sums[account] = Number.isNaN(sum) ? more : sum + more
      }
    }
    return sums
  }

  /** The same where nothing and none at all need not be told apart, which is quicker. */
  #addUpRoughly(): Float64Array {
    const { partOffsets, partAccounts, partAmounts, accounts } = this.#net
    const visits = this.#visits
    const scale = this.#scale
    const sums = new Float64Array(accounts.length)
    let part = 0
    for (let node = 0; node < visits.length; node += 1) {
      const count = (visits[node] as number) * scale
      const end = partOffsets[node + 1] as number
      if (count === 0) part = end
      for (; part < end; part += 1) {
        const account = partAccounts[part] as number
        sums[account] = (sums[account] as number) + count * (partAmounts[part] as number)
      }
    }
    return sums
  }

  get contributions(): readonly Contribution[] {
    this.#contributions ??= this.atLeast(Number.NEGATIVE_INFINITY)
    return this.#contributions
  }

  /** What is on the way, one account after the other: large fleets have too many to draw each up. */
  each(take: (account: Account, seconds: number) => void): void {
    const { accounts, linkIds } = this.#net
    const sums = this.#sums
    for (let at = 0; at < accounts.length; at += 1) {
      const sum = sums[at] as number
      if (!Number.isNaN(sum)) take(accounts[at] as Account, sum)
    }
    this.#links(Number.NEGATIVE_INFINITY, (link, seconds) =>
      take({ kind: 'link', id: linkIds[link] as string }, seconds),
    )
  }

  /** The accounts that come to at least so much. */
  atLeast(seconds: number): Contribution[] {
    const { accounts, linkIds } = this.#net
    const sums = seconds > 0 && this.#known === null ? this.#addUpRoughly() : this.#sums
    const found: Contribution[] = []
    for (let at = 0; at < accounts.length; at += 1) {
      const sum = sums[at] as number
      if (!(sum >= seconds)) continue
      const { kind, id } = accounts[at] as Account
      found.push({ kind, id, seconds: sum })
    }
    this.#links(seconds, (link, amount) => found.push({ kind: 'link', id: linkIds[link] as string, seconds: amount }))
    return found
  }

  /** Links of one call each that come to at least so much. */
  #links(least: number, take: (link: number, seconds: number) => void): void {
    const { linkOffsets, linkAmounts, linkMost } = this.#net
    const visits = this.#visits
    for (let node = 0; node < visits.length; node += 1) {
      if (visits[node] === 0) continue
      const count = (visits[node] as number) * this.#scale
      if (count * (linkMost[node] as number) < least) continue
      const end = linkOffsets[node + 1] as number
      for (let link = linkOffsets[node] as number; link < end; link += 1) {
        const seconds = count * (linkAmounts[link] as number)
        if (seconds >= least) take(link, seconds)
      }
    }
  }

  /** Null when nothing on the way belongs to it. */
  secondsOf(kind: Account['kind'], id: string): number | null {
    const at = this.#net.accountAt({ kind, id })
    if (at !== undefined) {
      const sum = this.#sums[at] as number
      return Number.isNaN(sum) ? null : sum
    }
    const link = kind === 'link' ? linkAt(this.#net, id) : undefined
    if (link === undefined) return null
    const visits = this.#visits[link.node] as number
    return visits === 0 ? null : visits * this.#scale * (this.#net.linkAmounts[link.at] as number)
  }

  /** What each circle whose members cannot be told apart adds as a whole; those that add most come first among its ids. */
  get circles(): readonly {
    readonly ids: readonly string[]
    readonly links: readonly string[]
    readonly seconds: number
  }[] {
    return this.#net.inseparable.map((members) => {
      const inside = new Set(members)
      const own = (id: string) => (this.secondsOf('workload', id) ?? 0) + (this.secondsOf('unexplained', id) ?? 0)
      let seconds = members.reduce((sum, id) => sum + own(id), 0)
      const links: string[] = []
      this.each(({ kind, id }, amount) => {
        const [from = '', to = ''] = id.split('~')
        if (kind !== 'link' || !inside.has(from) || !inside.has(to)) return
        links.push(id)
        seconds += amount
      })
      return { ids: [...members].sort((a, b) => own(b) - own(a)), links, seconds }
    })
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
  return (visits[nodeAt(net.offsets, call)] as number) * (net.carried[call] as number)
}

/** The node whose stretch of the columns holds this place. */
function nodeAt(offsets: Int32Array, place: number): number {
  let [low, high] = [0, offsets.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((offsets[middle] as number) <= place) low = middle
    else high = middle
  }
  return low
}

const linkMaps = new WeakMap<FlowNet, ReadonlyMap<string, number>>()

function linkAt(net: FlowNet, id: string): { readonly at: number; readonly node: number } | undefined {
  let map = linkMaps.get(net)
  if (map === undefined) {
    map = new Map(net.linkIds.map((link, at) => [link, at]))
    linkMaps.set(net, map)
  }
  const at = map.get(id)
  return at === undefined ? undefined : { at, node: nodeAt(net.linkOffsets, at) }
}

/** What one account adds to each node's total, by node id: for a few accounts and every focus at once. */
export function addedBy(net: FlowNet, { kind, id }: Account): (focus: string) => number {
  const account = net.accountAt({ kind, id })
  const link = kind === 'link' && account === undefined ? linkAt(net, id) : undefined
  if (account === undefined && link === undefined) return () => 0
  const direct = new Float64Array(net.totals.length)
  if (link !== undefined) direct[link.node] = net.linkAmounts[link.at] as number
  for (let node = 0; account !== undefined && node < direct.length; node += 1) {
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
