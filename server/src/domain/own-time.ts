import type { CallEdge, CallGraph, CallNode, EdgeFlow, NodeFlow } from './call-graph.ts'
import { Decomposition } from './decomposition.ts'
import type { FlowNet } from './flow-net.ts'
import { FlowNetBuilder } from './flow-net-builder.ts'

/*
 * Where a workload's time goes. Means add up along calls, percentiles do not, so all of this is on means:
 * L_v = own(v) + sum over calls e = v->w of q_e * (link(e) + L_w), with q_e = calls per request.
 * Definitions: architecture, "Own time".
 */

/** Calls nobody waits for would make the callees' sum exceed the caller's own time; past this the sums say nothing. */
const OVERLAP_LIMIT = 1.2

/** One node's account: `total = own + sum of weight * (link + rest + passes * total of callee)`. */
interface Breakdown {
  readonly total: number
  /** Null: cannot be split up, with the reason. */
  readonly own: number | null
  readonly reason: string | null
  readonly calls: readonly AccountedCall[]
}

interface AccountedCall {
  readonly edge: CallEdge
  /** Calls per request. */
  readonly weight: number
  readonly linkSeconds: number
  /** This caller's requests differ from the callee's average: not to be explained further down. */
  readonly restSeconds: number
  /** Spent in or behind a callee without numbers of its own. */
  readonly beyondSeconds: number
  /** Share of the callee's total that this call carries: 1, less where the caller gave up waiting, 0 in the dark. */
  readonly passes: number
}

/** Splits the focus' mean latency (`now`) into own times and links. Undefined when the focus has no numbers. */
export function decomposeValue(graph: CallGraph, focus: string): Decomposition | undefined {
  return Decomposition.of(netOf(graph, 'value'), focus)
}

/** Splits the focus' change of mean latency, now against usual. Undefined when either is missing. */
export function decomposeDelta(graph: CallGraph, focus: string): Decomposition | undefined {
  return Decomposition.of(netOf(graph, 'delta'), focus)
}

/** The accounts of every node that has any, and the same as columns: drawn up once a graph, for every focus. */
interface Books {
  readonly breakdowns: ReadonlyMap<string, Breakdown>
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
  const accountOf = of === 'value' ? valueAccount : deltaAccount
  const breakdowns = new Map<string, Breakdown>()
  for (const node of graph.nodes.values()) {
    const account = accountOf(graph, node)
    if (account !== undefined) breakdowns.set(node.id, account)
  }
  const drawnUp = { breakdowns, net: columnsOf(graph, breakdowns) }
  booksOf[of].set(graph, drawnUp)
  return drawnUp
}

function columnsOf(graph: CallGraph, breakdowns: ReadonlyMap<string, Breakdown>): FlowNet {
  const reportAs = (id: string) => graph.nodes.get(id)?.reportAs ?? id
  const builder = new FlowNetBuilder([...graph.nodes.keys()], sharedLinks(graph))
  for (const node of graph.nodes.values()) {
    const account = breakdowns.get(node.id)
    builder.node(account?.total)
    if (account === undefined) continue
    if (account.own === null) builder.part('unexplained', node.reportAs, account.total)
    else builder.part('workload', node.reportAs, account.own)
    for (const { edge, weight, linkSeconds, restSeconds, beyondSeconds, passes } of account.calls) {
      builder.part('link', edge.reportAs ?? edge.id, weight * linkSeconds)
      if (beyondSeconds !== 0) builder.part('beyond', reportAs(edge.to), weight * beyondSeconds)
      if (restSeconds !== 0) builder.part('unexplained', reportAs(edge.to), weight * restSeconds)
      builder.call(edge.id, edge.to, weight * passes, weight * (linkSeconds + restSeconds + beyondSeconds))
    }
  }
  return builder.build(reportAs)
}

/** Links that more than one call is shown as. */
function sharedLinks(graph: CallGraph): Set<string> {
  const shared = new Set<string>()
  for (const edges of graph.outgoing.values()) {
    for (const { reportAs } of edges) if (reportAs !== undefined) shared.add(reportAs)
  }
  return shared
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
  const account = books(graph, 'delta').breakdowns.get(id)
  const node = graph.nodes.get(id)
  if (account === undefined || node === undefined) {
    const reason = node?.now ? 'no usual values to compare with' : 'no traffic'
    return { seconds: null, lowSeconds: null, highSeconds: null, ofSelf: null, deltaSeconds: null, reason }
  }
  const edges = graph.outgoing.get(id) ?? []
  const parallel = highest(node.now, edges, 'now') - highest(node.usual, edges, 'usual')
  const ends = account.own === null ? null : [account.own, parallel].sort((a, b) => a - b)
  return {
    seconds: account.own,
    lowSeconds: ends?.[0] ?? null,
    highSeconds: ends?.[1] ?? null,
    ofSelf: account.own === null || account.total === 0 ? null : account.own / account.total,
    deltaSeconds: account.total,
    reason: account.reason,
  }
}

function highest(flow: NodeFlow | null, edges: readonly CallEdge[], when: 'now' | 'usual'): number {
  if (flow === null || flow.requestsPerSecond <= 0) return 0
  const longest = edges.reduce((most, edge) => {
    const calls = edge[when]
    if (calls === null) return most
    return Math.max(most, Math.min(1, calls.requestsPerSecond / flow.requestsPerSecond) * calls.callerMeanSeconds)
  }, 0)
  return flow.meanSeconds - longest
}

function valueAccount(graph: CallGraph, { id, now: flow }: CallNode): Breakdown | undefined {
  if (flow === null) return undefined
  const edges = live(graph, id)
  const reason = whyNotSplit(flow, edges)
  if (reason !== null) return { total: flow.meanSeconds, own: null, reason, calls: [] }
  const calls = edges.map((edge): AccountedCall => {
    const calls = edge.now
    const weight = calls.requestsPerSecond / flow.requestsPerSecond
    const callee = graph.nodes.get(edge.to)?.now
    if (callee === null || callee === undefined) return inTheDark(edge, weight, calls.callerMeanSeconds)
    const inside = calls.calleeMeanSeconds ?? callee.meanSeconds
    const waited = Math.min(inside, calls.callerMeanSeconds)
    const passes = inside > waited && inside > 0 ? waited / inside : 1
    return {
      edge,
      weight,
      linkSeconds: calls.callerMeanSeconds - waited,
      restSeconds: calls.calleeMeanSeconds === null ? 0 : waited - passes * callee.meanSeconds,
      beyondSeconds: 0,
      passes,
    }
  })
  const spent = calls.reduce((sum, call) => sum + call.weight * (call.edge.now?.callerMeanSeconds ?? 0), 0)
  return { total: flow.meanSeconds, own: flow.meanSeconds - spent, reason: null, calls }
}

function deltaAccount(graph: CallGraph, { id, now, usual }: CallNode): Breakdown | undefined {
  if (now === null || usual === null) return undefined
  const total = now.meanSeconds - usual.meanSeconds
  const edges = live(graph, id)
  const reason = whyNotSplit(now, edges)
  if (reason !== null) return { total, own: null, reason, calls: [] }
  const calls: AccountedCall[] = []
  for (const edge of edges) {
    // A call without a usual value is the caller's own doing: "new call to w".
    if (edge.usual === null) continue
    const weight = edge.now.requestsPerSecond / now.requestsPerSecond
    calls.push(callDelta(edge, edge.now, edge.usual, weight, graph.nodes.get(edge.to)))
  }
  const explained = calls.reduce((sum, { edge, weight }) => {
    return sum + weight * ((edge.now?.callerMeanSeconds ?? 0) - (edge.usual?.callerMeanSeconds ?? 0))
  }, 0)
  return { total, own: total - explained, reason: null, calls }
}

function callDelta(
  edge: CallEdge,
  now: EdgeFlow,
  usual: EdgeFlow,
  weight: number,
  callee: CallNode | undefined,
): AccountedCall {
  const change = now.callerMeanSeconds - usual.callerMeanSeconds
  if (!callee?.now || !callee.usual) return inTheDark(edge, weight, change)
  const insideNow = now.calleeMeanSeconds ?? callee.now.meanSeconds
  const insideUsual = usual.calleeMeanSeconds ?? callee.usual.meanSeconds
  // Who gave up waiting was not slowed further by what the callee did afterwards: link 0, capped at what was waited.
  const waitedNow = Math.min(insideNow, now.callerMeanSeconds)
  const waitedUsual = Math.min(insideUsual, usual.callerMeanSeconds)
  const waited = waitedNow - waitedUsual
  const inside = insideNow - insideUsual
  const passes = insideNow > waitedNow && inside > 0 ? Math.min(1, Math.max(0, waited / inside)) : 1
  const calleeChange = callee.now.meanSeconds - callee.usual.meanSeconds
  return {
    edge,
    weight,
    linkSeconds: change - waited,
    restSeconds: near(waited, passes * calleeChange) ? 0 : waited - passes * calleeChange,
    beyondSeconds: 0,
    passes,
  }
}

function inTheDark(edge: CallEdge, weight: number, seconds: number): AccountedCall {
  return { edge, weight, linkSeconds: 0, restSeconds: 0, beyondSeconds: seconds, passes: 0 }
}

type LiveEdge = CallEdge & { readonly now: EdgeFlow }

function live(graph: CallGraph, id: string): readonly LiveEdge[] {
  return (graph.outgoing.get(id) ?? []).filter((edge): edge is LiveEdge => edge.now !== null)
}

function whyNotSplit(flow: NodeFlow, edges: readonly LiveEdge[]): string | null {
  if (!(flow.requestsPerSecond > 0)) return 'no inbound requests: its calls are not made for anybody who waits'
  const spent = edges.reduce((sum, { now: calls }) => sum + calls.requestsPerSecond * calls.callerMeanSeconds, 0)
  if (spent > OVERLAP_LIMIT * flow.requestsPerSecond * flow.meanSeconds) {
    return 'its calls take longer than its own requests: they overlap, or nobody waits for them'
  }
  return null
}

/** Equal but for rounding: what is left over is nothing that anybody would have to explain. */
function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-15 * Math.max(Math.abs(a), Math.abs(b))
}
