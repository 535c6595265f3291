import { spreadFrom } from '../flow-net.ts'
import { FlowNetBuilder } from '../flow-net-builder.ts'
import { clusterOf, type Picture, type PlacedCall } from './picture.ts'
import { type Part, Routing, type Split } from './routing.ts'

/** What one workload gets once a cluster is gone. All rates in requests per second. */
export interface Landing {
  readonly id: string
  readonly now: number
  readonly after: number
  /** Of the difference, what used to go to the cluster that is gone. */
  readonly direct: number
  /** The rest: calls of others that have more, or less, to do themselves. */
  readonly passedOn: number
  /** Workloads of the cluster that is gone for which it stands in. */
  readonly insteadOf: readonly string[]
  /** Where nothing at present tells who gets how much, it was shared evenly. */
  readonly assumedEven: boolean
  /** It has no requests now: it is taken to call whom the workload it stands in for calls. */
  readonly assumedCalls: boolean
}

/** Requests that have nowhere to go: the workload is nowhere else, or only where the stated split gives nothing. */
export interface Nowhere {
  readonly id: string
  readonly requestsPerSecond: number
  /** Who calls it from the clusters that are left; empty: only users, or what is outside. */
  readonly callers: readonly string[]
  /** Clusters in which it runs as well, and to which the split gives nothing. */
  readonly elsewhere: readonly string[]
}

export interface Landings {
  readonly landings: readonly Landing[]
  readonly nowhere: readonly Nowhere[]
}

/** Below this part of a workload's rate nothing changes that anybody would see. */
const LEAST_CHANGE = 1e-3

/**
 * Where the requests of a cluster land once it is gone. Users' requests go to the workload's twins, calls of the
 * workloads that are left too; twins that get more call on in proportion: r' = entries' + sum of r'_v * q(v->w), with q
 * calls per request as measured now. Calls that the lost cluster made are made no more.
 */
export function landingsWithout(picture: Picture, cluster: string, split: Split | null): Landings {
  const work = new Redirection(picture, cluster, split)
  work.redirect()
  return { landings: work.landings(), nowhere: work.nowhere }
}

class Redirection {
  readonly #picture: Picture
  readonly #routing: Routing
  readonly #lost: (id: string) => boolean
  readonly #callsTo = new Map<string, PlacedCall[]>()
  readonly #callsFrom = new Map<string, PlacedCall[]>()
  readonly #direct = new Map<string, number>()
  /** Requests that come along no more, because who made them is gone. */
  readonly #ended = new Map<string, number>()
  readonly #insteadOf = new Map<string, Set<string>>()
  readonly #even = new Set<string>()
  readonly #borrowing = new Set<string>()
  readonly nowhere: Nowhere[] = []

  constructor(picture: Picture, cluster: string, split: Split | null) {
    this.#picture = picture
    this.#lost = (id) => clusterOf(id) === cluster
    for (const call of picture.calls) {
      // A door's calls are those of whom it lets in.
      if (picture.doors.has(call.from)) continue
      add(this.#callsTo, call.to, call)
      add(this.#callsFrom, call.from, call)
    }
    this.#routing = new Routing(picture, cluster, split, (id) => this.#entering(id))
  }

  /** Everything that reaches the lost cluster from outside of it, to where it lands. */
  redirect(): void {
    for (const [id, rate] of this.#picture.rates) {
      if (!this.#lost(id) || rate <= 0) continue
      this.#end(id)
      const left = (this.#callsTo.get(id) ?? []).filter(({ from }) => !this.#lost(from))
      // Who comes through a door is let in at the door of where it lands.
      const entering = this.#picture.doors.has(id) ? 0 : this.#entering(id)
      const parts = this.#routing.partsOf(id, null)
      if (parts.length === 0) {
        const lost = entering + left.reduce((sum, call) => sum + call.requestsPerSecond, 0)
        const callers = [...new Set(left.map(({ from }) => from))]
        const elsewhere = this.#routing.elsewhere(id)
        if (lost > LEAST_CHANGE * rate) this.nowhere.push({ id, requestsPerSecond: lost, callers, elsewhere })
        continue
      }
      for (const part of parts) this.#land(id, part, entering, this.#doorsOf(id))
      for (const call of left) {
        const doors = call.via === null ? [] : [{ door: call.via, share: 1 }]
        for (const part of this.#routing.partsOf(id, call.from)) {
          // Whom its own cluster answers needs no door.
          const through = clusterOf(part.id) === clusterOf(call.from) ? [] : doors
          this.#land(id, part, call.requestsPerSecond, through)
        }
      }
    }
    this.nowhere.sort((a, b) => b.requestsPerSecond - a.requestsPerSecond)
  }

  landings(): Landing[] {
    const ids = [...this.#picture.rates.keys()].filter((id) => !this.#lost(id))
    const more = this.#solved(ids)
    return ids.flatMap((id): Landing[] => {
      const now = this.#picture.rates.get(id) ?? 0
      const change = more.get(id) ?? 0
      const direct = this.#direct.get(id) ?? 0
      if (Math.abs(change) <= LEAST_CHANGE * Math.max(now, direct) && direct <= 0) return []
      const insteadOf = [...(this.#insteadOf.get(id) ?? [])]
      const [assumedEven, assumedCalls] = [this.#even.has(id), this.#borrowing.has(id)]
      const after = Math.max(0, now + change)
      return [{ id, now, after, direct, passedOn: after - now - direct, insteadOf, assumedEven, assumedCalls }]
    })
  }

  /** Requests per second that no known workload makes: users', and what is outside. */
  #entering(id: string): number {
    const calls = (this.#callsTo.get(id) ?? []).reduce((sum, call) => sum + call.requestsPerSecond, 0)
    return Math.max(0, (this.#picture.rates.get(id) ?? 0) - calls)
  }

  /** Through which doors of its cluster a workload is entered, as shares of what enters. */
  #doorsOf(id: string): { door: string; share: number }[] {
    const entering = this.#entering(id)
    if (entering === 0) return []
    return this.#picture.calls.flatMap(({ from: door, to, requestsPerSecond }) => {
      if (to !== id || !this.#picture.doors.has(door)) return []
      const named = (this.#callsTo.get(id) ?? []).filter(({ via }) => via === door)
      const rest = requestsPerSecond - named.reduce((sum, call) => sum + call.requestsPerSecond, 0)
      return rest <= 0 ? [] : [{ door, share: Math.min(1, rest / entering) }]
    })
  }

  /** What a workload that is gone called elsewhere is called no more. */
  #end(id: string): void {
    for (const { to, via, requestsPerSecond } of this.#callsFrom.get(id) ?? []) {
      if (this.#lost(to)) continue
      addNumber(this.#ended, to, -requestsPerSecond)
      if (via !== null && !this.#lost(via)) addNumber(this.#ended, via, -requestsPerSecond)
    }
  }

  #land(id: string, part: Part, rate: number, doors: readonly { door: string; share: number }[]): void {
    const landed = rate * part.share
    if (landed <= 0) return
    addNumber(this.#direct, part.id, landed)
    this.#insteadOf.set(part.id, (this.#insteadOf.get(part.id) ?? new Set()).add(id))
    if (part.even) this.#even.add(part.id)
    for (const { door, share } of doors) {
      const twin = this.#picture.twinsOf(door).find((other) => clusterOf(other) === clusterOf(part.id))
      if (twin === undefined) continue
      addNumber(this.#direct, twin, landed * share)
      this.#insteadOf.set(twin, (this.#insteadOf.get(twin) ?? new Set()).add(door))
    }
  }

  /** What each workload that is left gets more, its own calls followed on. */
  #solved(ids: readonly string[]): Map<string, number> {
    const builder = new FlowNetBuilder(ids)
    const amounts = new Float64Array(ids.length)
    ids.forEach((id, at) => {
      amounts[at] = (this.#direct.get(id) ?? 0) + (this.#ended.get(id) ?? 0)
      builder.node(0)
      if (this.#picture.doors.has(id)) return
      for (const { to, via, share } of this.#callsPerRequest(id)) {
        builder.call('', to, share, 0)
        if (via !== null && !this.#lost(via)) builder.call('', via, share, 0)
      }
    })
    const net = builder.build((id) => id)
    const more = spreadFrom(net, amounts)
    return new Map(ids.map((id, at) => [id, more[at] as number]))
  }

  /** Calls per request of a workload that is left, where they go once the cluster is gone. */
  #callsPerRequest(id: string): { to: string; via: string | null; share: number }[] {
    const rate = this.#picture.rates.get(id) ?? 0
    if (rate > 0) {
      const calls = this.#callsFrom.get(id) ?? []
      return calls.flatMap((call) => this.#led(id, call, call.requestsPerSecond / rate))
    }
    const [model] = this.#insteadOf.get(id) ?? []
    const modelled = model === undefined ? 0 : (this.#picture.rates.get(model) ?? 0)
    const calls = model === undefined ? [] : (this.#callsFrom.get(model) ?? [])
    if (modelled > 0 && calls.length > 0) this.#borrowing.add(id)
    return modelled > 0 ? calls.flatMap((call) => this.#led(id, call, call.requestsPerSecond / modelled)) : []
  }

  #led(from: string, { to, via }: PlacedCall, share: number): { to: string; via: string | null; share: number }[] {
    if (!this.#lost(to)) return [{ to, via, share }]
    const near = this.#picture.twinsOf(to).find((twin) => clusterOf(twin) === clusterOf(from))
    const borrowed = (this.#picture.rates.get(from) ?? 0) === 0
    if (borrowed && near !== undefined) return [{ to: near, via: null, share }]
    return this.#routing.partsOf(to, from).map((part) => ({ to: part.id, via: null, share: share * part.share }))
  }
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

function addNumber(map: Map<string, number>, key: string, value: number): void {
  map.set(key, (map.get(key) ?? 0) + value)
}
