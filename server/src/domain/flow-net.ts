import type { Components } from './components.ts'

/** What a part of a total is put down to. */
export interface Account {
  /** `beyond`: inside or behind a callee that nobody (currently) measures. */
  readonly kind: 'workload' | 'link' | 'beyond' | 'unexplained'
  /** Workload, `from~to` for a link, or what lies in the dark. */
  readonly id: string
}

/**
 * A call graph as columns, for sums over all ways through it at once: `visits` to every node per visit of one node,
 * and what each visit adds to which account. Everything is per visit of the caller.
 */
export interface FlowNet {
  readonly index: ReadonlyMap<string, number>
  /** What one visit adds up to, with all that lies behind; NaN where nothing is known. */
  readonly totals: Float64Array
  /** Calls of node `n`: `offsets[n]` up to `offsets[n + 1]`. */
  readonly offsets: Int32Array
  readonly to: Int32Array
  /** Visits to the callee that one visit causes. */
  readonly steps: Float64Array
  readonly callIds: readonly string[]
  /** What arrives over the call, from the callee and from the way to it. */
  readonly carried: Float64Array
  readonly accounts: readonly Account[]
  accountAt(account: Account): number | undefined
  /** Parts of node `n`: `partOffsets[n]` up to `partOffsets[n + 1]`. */
  readonly partOffsets: Int32Array
  readonly partAccounts: Int32Array
  readonly partAmounts: Float64Array
  /** Links that one call alone is shown as, which are no accounts: of node `n` from `linkOffsets[n]` to `linkOffsets[n + 1]`. */
  readonly linkOffsets: Int32Array
  readonly linkIds: readonly string[]
  readonly linkAmounts: Float64Array
  /** The largest of a node's links, so that most need not be looked at. */
  readonly linkMost: Float64Array
  readonly components: Components
  /** The calls that leave a component, in the order of `components.nodes`: what visits pass on along, in one sweep. */
  readonly onward: Onward
  /** By component: the calls inside it; undefined where there are none, or where they were cut as inseparable. */
  readonly cyclic: readonly (Circles | undefined)[]
  /** Names of those who feed each other so much that they cannot be told apart: their calls among each other are cut. */
  readonly inseparable: readonly (readonly string[])[]
}

/** Calls of the node at place `p` of `components.nodes`: `offsets[p]` up to `offsets[p + 1]`. */
export interface Onward {
  readonly offsets: Int32Array
  readonly to: Int32Array
  readonly steps: Float64Array
  /** Components with circles, in order. */
  readonly circled: Int32Array
}

/** The calls within one component. Members stand in an order in which most calls lead from earlier to later ones. */
export interface Circles {
  readonly members: Int32Array
  /** By caller. */
  readonly forth: InsideCalls
  /** The same by callee. */
  readonly back: InsideCalls
}

/** Calls of the member at place `p`: `offsets[p]` up to `offsets[p + 1]`; `ends` are places of the other side. */
export interface InsideCalls {
  readonly offsets: Int32Array
  readonly ends: Int32Array
  readonly steps: Float64Array
}

/**
 * Visits to every node per visit of the focus: `V_f = 1 + returns`, `V_w = sum of V_v * step` over the calls v->w.
 */
export function visitsFrom(net: FlowNet, focus: number): Float64Array {
  const visits = new Float64Array(net.totals.length)
  visits[focus] = 1
  return spread(net, visits, net.components.of[focus] as number)
}

/** Visits to every node where `amounts[n]` of them begin at node n: `x_w = amounts_w + sum of x_v * step`. */
export function spreadFrom(net: FlowNet, amounts: Float64Array): Float64Array {
  return spread(net, amounts.slice(), 0)
}

/** In place; before the component `first` nothing begins. */
function spread(net: FlowNet, visits: Float64Array, first: number): Float64Array {
  const { components, cyclic, onward } = net
  const { nodes, starts } = components
  const { offsets, to, steps, circled } = onward
  let turn = circled.findIndex((component) => component >= first)
  if (turn < 0) turn = circled.length
  let at = starts[first] as number
  while (at < nodes.length) {
    const component = circled[turn]
    const before = component === undefined ? nodes.length : (starts[component] as number)
    if (component !== undefined && at === before) {
      solve(cyclic[component] as Circles, 'forth', visits)
      turn += 1
    }
    const end = component === undefined || at < before ? before : (starts[component + 1] as number)
    for (; at < end; at += 1) {
      const count = visits[nodes[at] as number] as number
      if (count === 0) continue
      const last = offsets[at + 1] as number
      for (let call = offsets[at] as number; call < last; call += 1) {
        const callee = to[call] as number
        visits[callee] = (visits[callee] as number) + count * (steps[call] as number)
      }
    }
  }
  return visits
}

/**
 * The other way round: what one visit of each node gathers, itself and everything behind it, where a visit of node n
 * adds `amounts[n]`: `x_v = amounts_v + sum of step * x_w` over the calls v->w. One pass answers for every focus.
 */
export function gatheredFrom(net: FlowNet, amounts: Float64Array): Float64Array {
  const { components, cyclic, offsets, to, steps } = net
  const { nodes, starts, of } = components
  const gathered = amounts.slice()
  for (let component = cyclic.length - 1; component >= 0; component -= 1) {
    const circles = cyclic[component]
    for (let at = starts[component] as number; at < (starts[component + 1] as number); at += 1) {
      const node = nodes[at] as number
      for (let call = offsets[node] as number; call < (offsets[node + 1] as number); call += 1) {
        const callee = to[call] as number
        const step = steps[call] as number
        if (step === 0 || (circles !== undefined && of[callee] === component)) continue
        gathered[node] = (gathered[node] as number) + step * (gathered[callee] as number)
      }
    }
    if (circles !== undefined) solve(circles, 'back', gathered)
  }
  return gathered
}

const SETTLED = 1e-15
/** A sweep leaves over only what calls that lead back carry; at the gain limit that settles within some 700. */
const MOST_SWEEPS = 2_000

/**
 * Adds up the series over a component's own steps, in place; it converges, because its gain is below the limit. Members
 * hand on what has reached them in an order in which most calls lead forward, so that one sweep does nearly all.
 */
function solve(circles: Circles, along: 'forth' | 'back', values: Float64Array): void {
  const { members } = circles
  const { offsets, ends, steps } = circles[along]
  const size = members.length
  const waiting = Float64Array.from(members, (node) => values[node] as number)
  for (let place = 0; place < size; place += 1) values[members[place] as number] = 0
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep += 1) {
    let [largest, most] = [0, 0]
    for (let turn = 0; turn < size; turn += 1) {
      const place = along === 'forth' ? turn : size - 1 - turn
      const amount = waiting[place] as number
      const node = members[place] as number
      if (amount !== 0) {
        waiting[place] = 0
        values[node] = (values[node] as number) + amount
        for (let call = offsets[place] as number; call < (offsets[place + 1] as number); call += 1) {
          const end = ends[call] as number
          waiting[end] = (waiting[end] as number) + (steps[call] as number) * amount
        }
        largest = Math.max(largest, Math.abs(amount))
      }
      most = Math.max(most, Math.abs(values[node] as number))
    }
    if (largest <= SETTLED * most) return
  }
}
