import { deltaAccount, valueAccount } from './accounts.ts'
import type { CallEdge, CallGraph, CallNode, NodeFlow } from './call-graph.ts'
import { type Charged, Ledger } from './call-sheet.ts'
import { Decomposition } from './decomposition.ts'
import type { FlowNet } from './flow-net.ts'
import { FlowNetBuilder } from './flow-net-builder.ts'

/*
 * Where a workload's time goes. Means add up along calls, percentiles do not, so all of this is on means:
 * L_v = own(v) + sum over calls e = v->w of q_e * (link(e) + L_w), with q_e = calls per request.
 * Definitions: architecture, "Own time".
 */

/** Splits the focus' mean latency (`now`) into own times and links. Undefined when the focus has no numbers. */
export function decomposeValue(graph: CallGraph, focus: string): Decomposition | undefined {
  return Decomposition.of(netOf(graph, 'value'), focus)
}

/** Splits the focus' change of mean latency, now against usual. Undefined when either is missing. */
export function decomposeDelta(graph: CallGraph, focus: string): Decomposition | undefined {
  return Decomposition.of(netOf(graph, 'delta'), focus)
}

/** What every node that has accounts adds itself, and all accounts as columns: drawn up once a graph, for every focus. */
interface Books {
  /** By node, as the net numbers them; NaN: not known. All calls one after the other. */
  readonly own: Float64Array
  /** The same with all calls at once. */
  readonly parallel: Float64Array
  /** Why it is not known, by node, where that can be said. */
  readonly reasons: ReadonlyMap<number, string>
  readonly net: FlowNet
}

const booksOf = { value: new WeakMap<CallGraph, Books>(), delta: new WeakMap<CallGraph, Books>() }

/** The graph's accounts of its means (`value`) or of their changes (`delta`) as columns. */
export function netOf(graph: CallGraph, of: 'value' | 'delta'): FlowNet {
  return books(graph, of).net
}

function books(graph: CallGraph, of: 'value' | 'delta'): Books {
  const known = booksOf[of].get(graph)
  if (known !== undefined) return known
  const drawnUp = drawUp(graph, of === 'value' ? valueAccount : deltaAccount)
  booksOf[of].set(graph, drawnUp)
  return drawnUp
}

/** Node by node, so that no more than one account is held at a time: large graphs have many. */
function drawUp(graph: CallGraph, accountOf: typeof valueAccount): Books {
  const builder = new FlowNetBuilder([...graph.nodes.keys()], graph.sharedLinks)
  const ledger = new Ledger(graph, builder.places)
  const { nodes, edges } = ledger
  const ownOf = new Float64Array(nodes.length).fill(Number.NaN)
  const parallel = new Float64Array(nodes.length).fill(Number.NaN)
  const reasons = new Map<number, string>()
  for (let at = 0; at < nodes.length; at += 1) {
    const { now, usual } = nodes[at] as CallNode
    const account = accountOf(ledger, at)
    builder.node(account?.total)
    if (account === undefined) continue
    const { total, own, least, reason, passedOn } = account
    if (own !== null) {
      ownOf[at] = own
      const calls = edges[at] as readonly CallEdge[]
      parallel[at] = highest(now, calls, 'now') - highest(usual, calls, 'usual')
    }
    if (reason !== null) reasons.set(at, reason)
    if (own !== null) enter(builder, ledger, 'workload', at, passedOn === 1 ? own : 0)
    else if (least !== null && least > 0) enter(builder, ledger, 'workload', at, least)
    else enter(builder, ledger, 'unexplained', at, least ?? total)
    enterCalls(builder, ledger, passedOn)
  }
  const reportAs = (id: string) => graph.nodes.get(id)?.reportAs ?? id
  return { own: ownOf, parallel, reasons, net: builder.build(reportAs) }
}

/** The calls of the account that was drawn up last. */
function enterCalls(builder: FlowNetBuilder, ledger: Ledger, passedOn: number): void {
  const { graph, sheet } = ledger
  for (let call = 0; call < sheet.length; call += 1) {
    const edge = sheet.edges[call] as CallEdge
    const place = sheet.places[call] as number
    const linkSeconds = sheet.linkSeconds[call] as number
    const restSeconds = sheet.restSeconds[call] as number
    const beyondSeconds = sheet.beyondSeconds[call] as number
    const inVain = sheet.inVain[call]
    const retried = sheet.retried[call]
    const weight = (sheet.weights[call] as number) * passedOn
    builder.part('link', edge.reportAs ?? edge.id, weight * linkSeconds)
    if (beyondSeconds !== 0) enter(builder, ledger, 'beyond', place, weight * beyondSeconds)
    if (restSeconds !== 0) enter(builder, ledger, 'unexplained', place, weight * restSeconds)
    charge(builder, graph, inVain, weight)
    charge(builder, graph, retried, weight)
    const direct = linkSeconds + restSeconds + beyondSeconds + (inVain?.seconds ?? 0) + (retried?.seconds ?? 0)
    builder.callTo(edge.id, place, weight * (sheet.passes[call] as number), weight * direct)
  }
}

type PartKind = 'workload' | 'beyond' | 'unexplained'

/** Most nodes are shown as what they are: those need not be looked up by name. */
function enter(builder: FlowNetBuilder, { nodes }: Ledger, kind: PartKind, place: number, amount: number): void {
  const { id, reportAs } = nodes[place] as CallNode
  if (reportAs === id) builder.partAt(kind, place, amount)
  else builder.part(kind, reportAs, amount)
}

function charge(builder: FlowNetBuilder, graph: CallGraph, whose: Charged | undefined, weight: number): void {
  if (whose === undefined || whose.seconds === 0) return
  const node = graph.nodes.get(whose.of)
  // Nobody sees whether it is spent there or behind it.
  builder.part(node?.now == null ? 'beyond' : 'workload', node?.reportAs ?? whose.of, weight * whose.seconds)
}

export interface OwnTime {
  /** Own delta per request; low when calls go one after the other, high when all at once. Null with a reason. */
  readonly seconds: number | null
  readonly lowSeconds: number | null
  readonly highSeconds: number | null
  /** Own delta / own total delta. */
  readonly ofSelf: number | null
  readonly deltaSeconds: number | null
  readonly reason: string | null
}

/** One node's own part of its change since usual. */
export function ownDelta(graph: CallGraph, id: string): OwnTime {
  const { own: ownOf, parallel: parallelOf, reasons, net } = books(graph, 'delta')
  const at = net.index.get(id)
  const total = at === undefined ? Number.NaN : (net.totals[at] as number)
  if (at === undefined || Number.isNaN(total)) {
    const reason = graph.nodes.get(id)?.now ? 'no usual values to compare with' : 'no traffic'
    return { seconds: null, lowSeconds: null, highSeconds: null, ofSelf: null, deltaSeconds: null, reason }
  }
  const own = ownOf[at] as number
  const reason = reasons.get(at) ?? null
  if (Number.isNaN(own)) {
    return { seconds: null, lowSeconds: null, highSeconds: null, ofSelf: null, deltaSeconds: total, reason }
  }
  const parallel = parallelOf[at] as number
  return {
    seconds: own,
    lowSeconds: Math.min(own, parallel),
    highSeconds: Math.max(own, parallel),
    ofSelf: total === 0 ? null : own / total,
    deltaSeconds: total,
    reason,
  }
}

/** What is left of a mean when all calls are made at once: the longest alone is waited for. Signed. */
export function highest(flow: NodeFlow | null, edges: readonly CallEdge[], when: 'now' | 'usual'): number {
  if (flow === null || flow.requestsPerSecond <= 0) return 0
  let longest = 0
  for (const edge of edges) {
    const calls = edge[when]
    if (calls === null) continue
    const share = Math.min(1, calls.requestsPerSecond / flow.requestsPerSecond)
    longest = Math.max(longest, share * calls.callerMeanSeconds)
  }
  return flow.meanSeconds - longest
}
