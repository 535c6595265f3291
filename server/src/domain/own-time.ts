import type { CallEdge, CallGraph, CallNode, EdgeFlow, NodeFlow } from './call-graph.ts'
import { type Step, visitsFrom } from './visits.ts'

/**
 * Where a workload's time goes. Means add up along calls, percentiles do not, so all of this is on means:
 * L_v = own(v) + sum over calls e = v->w of q_e * (link(e) + L_w), with q_e = calls per request.
 * Definitions: architecture, "Own time".
 */
export interface Contribution {
  /** Workload, `from~to` for a link, or what lies in the dark. */
  readonly id: string
  /** `beyond`: inside or behind a callee that nobody (currently) measures. */
  readonly kind: 'workload' | 'link' | 'beyond' | 'unexplained'
  readonly seconds: number
}

export interface Decomposition {
  /** The focus' mean (or its change): what the contributions add up to. */
  readonly totalSeconds: number
  readonly contributions: readonly Contribution[]
  /** Visits per request of the focus, by node id. */
  readonly visits: ReadonlyMap<string, number>
  /** Seconds of the focus' total that arrive over an edge, by edge id: what a path is chosen by. */
  readonly carriedSeconds: ReadonlyMap<string, number>
}

/** Calls nobody waits for would make the callees' sum exceed the caller's own time; past this the sums say nothing. */
const OVERLAP_LIMIT = 1.2

/** One node's account: `total = own + sum of weight * (link + rest + passes * total of callee)`. */
interface Account {
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
  return decompose(graph, focus, (id) => valueAccount(graph, id))
}

/** Splits the focus' change of mean latency, now against usual. Undefined when either is missing. */
export function decomposeDelta(graph: CallGraph, focus: string): Decomposition | undefined {
  return decompose(graph, focus, (id) => deltaAccount(graph, id))
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
  const account = deltaAccount(graph, id)
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

function decompose(
  graph: CallGraph,
  focus: string,
  accountOf: (id: string) => Account | undefined,
): Decomposition | undefined {
  const accounts = new Map<string, Account | undefined>()
  const account = (id: string): Account | undefined => {
    if (!accounts.has(id)) accounts.set(id, accountOf(id))
    return accounts.get(id)
  }
  const total = account(focus)
  if (total === undefined) return undefined
  const cut = new Set<string>()
  const steps = new Map<string, readonly Step[]>()
  const stepsOf = (id: string): readonly Step[] => {
    let list = steps.get(id)
    if (list === undefined) {
      list = (account(id)?.calls ?? [])
        .filter((call) => call.passes !== 0)
        .map((call) => ({ from: id, to: call.edge.to, weight: call.weight * call.passes }))
      steps.set(id, list)
    }
    return list
  }
  const { visits, inseparable } = visitsFrom(focus, stepsOf)
  for (const members of inseparable) {
    for (const from of members) for (const to of members) cut.add(`${from}~${to}`)
  }
  const sums = new Map<string, Contribution>()
  const carried = new Map<string, number>()
  const add = (kind: Contribution['kind'], id: string, seconds: number) => {
    const key = `${kind} ${id}`
    sums.set(key, { id, kind, seconds: (sums.get(key)?.seconds ?? 0) + seconds })
  }
  for (const [id, count] of visits) {
    const node = graph.nodes.get(id)
    const entry = account(id)
    if (node === undefined || entry === undefined) continue
    if (entry.own === null) add('unexplained', node.reportAs, count * entry.total)
    else add('workload', node.reportAs, count * entry.own)
    for (const call of entry.calls) {
      const share = count * call.weight
      const callee = graph.nodes.get(call.edge.to)
      // A step cut out of an inseparable cycle still has to be accounted for, or the sum would not hold.
      const cutOff = cut.has(`${id}~${call.edge.to}`) ? call.passes * (account(call.edge.to)?.total ?? 0) : 0
      add('link', call.edge.reportAs ?? call.edge.id, share * call.linkSeconds)
      if (call.beyondSeconds !== 0) add('beyond', callee?.reportAs ?? call.edge.to, share * call.beyondSeconds)
      add('unexplained', callee?.reportAs ?? call.edge.to, share * (call.restSeconds + cutOff))
      const below = call.passes * (account(call.edge.to)?.total ?? 0)
      carried.set(call.edge.id, share * (call.linkSeconds + call.restSeconds + call.beyondSeconds + below))
    }
  }
  return { totalSeconds: total.total, contributions: [...sums.values()], visits, carriedSeconds: carried }
}

function valueAccount(graph: CallGraph, id: string): Account | undefined {
  const flow = graph.nodes.get(id)?.now
  if (flow === null || flow === undefined) return undefined
  const edges = live(graph, id)
  const reason = whyNotSplit(flow, edges)
  if (reason !== null) return { total: flow.meanSeconds, own: null, reason, calls: [] }
  const calls = edges.map(({ edge, flow: calls }): AccountedCall => {
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
      restSeconds: waited - passes * callee.meanSeconds,
      beyondSeconds: 0,
      passes,
    }
  })
  const spent = calls.reduce((sum, call) => sum + call.weight * (call.edge.now?.callerMeanSeconds ?? 0), 0)
  return { total: flow.meanSeconds, own: flow.meanSeconds - spent, reason: null, calls }
}

function deltaAccount(graph: CallGraph, id: string): Account | undefined {
  const node = graph.nodes.get(id)
  if (!node?.now || !node.usual) return undefined
  const { now, usual } = node
  const total = now.meanSeconds - usual.meanSeconds
  const edges = live(graph, id)
  const reason = whyNotSplit(now, edges)
  if (reason !== null) return { total, own: null, reason, calls: [] }
  const calls: AccountedCall[] = []
  for (const { edge, flow } of edges) {
    // A call without a usual value is the caller's own doing: "new call to w".
    if (edge.usual === null) continue
    const weight = flow.requestsPerSecond / now.requestsPerSecond
    calls.push(callDelta(edge, flow, edge.usual, weight, graph.nodes.get(edge.to)))
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
    restSeconds: waited - passes * calleeChange,
    beyondSeconds: 0,
    passes,
  }
}

function inTheDark(edge: CallEdge, weight: number, seconds: number): AccountedCall {
  return { edge, weight, linkSeconds: 0, restSeconds: 0, beyondSeconds: seconds, passes: 0 }
}

function live(graph: CallGraph, id: string): { edge: CallEdge; flow: EdgeFlow }[] {
  return (graph.outgoing.get(id) ?? []).flatMap((edge) => (edge.now === null ? [] : [{ edge, flow: edge.now }]))
}

function whyNotSplit(flow: NodeFlow, edges: readonly { flow: EdgeFlow }[]): string | null {
  if (!(flow.requestsPerSecond > 0)) return 'no inbound requests: its calls are not made for anybody who waits'
  const spent = edges.reduce((sum, { flow: calls }) => sum + calls.requestsPerSecond * calls.callerMeanSeconds, 0)
  if (spent > OVERLAP_LIMIT * flow.requestsPerSecond * flow.meanSeconds) {
    return 'its calls take longer than its own requests: they overlap, or nobody waits for them'
  }
  return null
}
