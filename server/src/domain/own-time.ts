import { type Breakdown, deltaAccount, valueAccount } from './accounts.ts'
import type { CallEdge, CallGraph, NodeFlow } from './call-graph.ts'
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
    const { passedOn = 1 } = account
    if (account.own !== null) builder.part('workload', node.reportAs, passedOn === 1 ? account.own : 0)
    else if (account.least !== undefined && account.least > 0) builder.part('workload', node.reportAs, account.least)
    else builder.part('unexplained', node.reportAs, account.least ?? account.total)
    for (const call of account.calls) {
      const { edge, linkSeconds, restSeconds, beyondSeconds, inVainSeconds = 0, retried, passes } = call
      const weight = call.weight * passedOn
      builder.part('link', edge.reportAs ?? edge.id, weight * linkSeconds)
      if (inVainSeconds !== 0) builder.part('workload', reportAs(edge.to), weight * inVainSeconds)
      if (beyondSeconds !== 0) builder.part('beyond', reportAs(edge.to), weight * beyondSeconds)
      if (restSeconds !== 0) builder.part('unexplained', reportAs(edge.to), weight * restSeconds)
      if (retried !== undefined) builder.part('workload', reportAs(retried.of), weight * retried.seconds)
      const direct = linkSeconds + restSeconds + beyondSeconds + inVainSeconds + (retried?.seconds ?? 0)
      builder.call(edge.id, edge.to, weight * passes, weight * direct)
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
