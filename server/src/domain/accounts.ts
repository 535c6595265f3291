import type { CallEdge, CallGraph, CallNode, EdgeFlow, NodeFlow } from './call-graph.ts'

/** Calls nobody waits for would make the callees' sum exceed the caller's own time; past this the sums say nothing. */
const OVERLAP_LIMIT = 1.2

/** One node's account: `total = own + sum of weight * (link + rest + passes * total of callee)`. */
export interface Breakdown {
  readonly total: number
  /** Null: cannot be split up, with the reason. */
  readonly own: number | null
  /** Where own is not known: what of it is, all calls waited for one after the other. */
  readonly least?: number
  /** Its own time is waiting for what its calls hold: they pass it on, each this many times what it adds itself. */
  readonly passedOn?: number
  readonly reason: string | null
  readonly calls: readonly AccountedCall[]
}

export interface AccountedCall {
  readonly edge: CallEdge
  /** The account that what the callee holds goes to. */
  readonly calleeAs: string
  /** Calls per request. */
  readonly weight: number
  readonly linkSeconds: number
  /** This caller's requests differ from the callee's average: not to be explained further down. */
  readonly restSeconds: number
  /** Spent in or behind a callee without numbers of its own. */
  readonly beyondSeconds: number
  /** What calls made again because some had failed add to each call, and whose failures those were. */
  readonly retried?: { readonly of: string; readonly seconds: number }
  /** Waited for a callee in vain: its own time, which it did not live to count. */
  readonly inVainSeconds?: number
  /** Share of the callee's total that this call carries: 1, less where the caller gave up waiting, 0 in the dark. */
  readonly passes: number
}

/** One node's mean, split up; undefined where it has none. */
export function valueAccount(graph: CallGraph, { id, now: flow }: CallNode): Breakdown | undefined {
  if (flow === null) return undefined
  const edges = live(graph, id)
  const reason = whyNotSplit(flow, edges)
  if (reason !== null) return { total: flow.meanSeconds, own: null, reason, calls: [] }
  const calls = edges.map((edge): AccountedCall => {
    const calls = edge.now
    const weight = calls.requestsPerSecond / flow.requestsPerSecond
    const { now: callee, reportAs: calleeAs } = graph.nodes.get(edge.to) ?? nobody(edge.to)
    if (callee === null) return inTheDark(edge, calleeAs, weight, calls.callerMeanSeconds)
    const inside = calls.calleeMeanSeconds ?? callee.meanSeconds
    const waited = Math.min(inside, calls.callerMeanSeconds)
    const passes = inside > waited && inside > 0 ? waited / inside : 1
    return {
      edge,
      calleeAs,
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

/** The change of one node's mean since usual, split up; undefined where either is missing. */
export function deltaAccount(graph: CallGraph, { id, now, usual }: CallNode): Breakdown | undefined {
  if (now === null || usual === null) return undefined
  const total = now.meanSeconds - usual.meanSeconds
  const edges = live(graph, id)
  const reason = whyNotSplit(now, edges)
  if (reason !== null && !(now.requestsPerSecond > 0)) return { total, own: null, reason, calls: [] }
  const calls: AccountedCall[] = []
  for (const edge of edges) {
    // A call without a usual value is the caller's own doing: "new call to w".
    if (edge.usual === null) continue
    const weight = edge.now.requestsPerSecond / now.requestsPerSecond
    const call = callDelta(edge, edge.now, edge.usual, weight, graph.nodes.get(edge.to) ?? nobody(edge.to))
    calls.push(withRetries(graph, call, now, usual))
  }
  if (reason !== null) return overlapping(total, reason, calls)
  const explained = calls.reduce((sum, call) => sum + changeOver(call), 0)
  const own = total - explained
  const held = isHeldUp({ now, usual }, own, explained)
  return { total, own, ...(held ? { passedOn: total / explained } : {}), reason: null, calls }
}

/**
 * Fewer requests than usual by more than chance, calls that hold a request as long as all of it usually took, and a
 * queue that is a good part of that.
 */
const HELD = { rate: 0.85, times: 1, queue: 0.25 }

/**
 * Whose calls alone take longer than all of it used to, and who gets less done than usual, has no worker left to begin
 * with what waits at its door: that queue is its callees' doing, although nobody but itself counts it.
 */
function isHeldUp({ now, usual }: { now: NodeFlow; usual: NodeFlow }, own: number, explained: number): boolean {
  const fewer = now.requestsPerSecond <= HELD.rate * usual.requestsPerSecond
  return own > HELD.queue * explained && fewer && explained >= HELD.times * usual.meanSeconds
}

/** What the change of one call adds to each request of the caller, retries with it. */
function changeOver({ edge, weight, retried }: AccountedCall): number {
  const longer = (edge.now?.callerMeanSeconds ?? 0) - (edge.usual?.callerMeanSeconds ?? 0)
  return weight * (longer + (retried?.seconds ?? 0))
}

/** More calls than usual are the caller's own doing, but for those that it makes because others have failed. */
function withRetries(graph: CallGraph, call: AccountedCall, now: NodeFlow, usual: NodeFlow): AccountedCall {
  const { edge, weight } = call
  if (edge.now === null || edge.usual === null || weight === 0) return call
  const more = weight - edge.usual.requestsPerSecond / usual.requestsPerSecond
  const failing = (flow: EdgeFlow, of: NodeFlow) => (flow.failuresPerSecond ?? 0) / of.requestsPerSecond
  const failed = failing(edge.now, now) - failing(edge.usual, usual)
  const again = Math.min(more, failed)
  if (!(again > 0)) return call
  return { ...call, retried: { of: failsFirst(graph, edge), seconds: (again * edge.usual.callerMeanSeconds) / weight } }
}

/** Part of a workload's failures that those of one of its calls have to make up to be their reason. */
const MOST_OF_FAILURES = 0.5

/** Down the calls that fail as often as their caller does: where the failures come from. */
function failsFirst(graph: CallGraph, first: CallEdge): string {
  const seen = new Set<string>()
  let edge = first
  for (;;) {
    seen.add(edge.to)
    const failures = edge.now?.failuresPerSecond ?? 0
    const next = (graph.outgoing.get(edge.to) ?? [])
      .filter(({ to, now }) => !seen.has(to) && (now?.failuresPerSecond ?? 0) >= MOST_OF_FAILURES * failures)
      .sort((a, b) => (b.now?.failuresPerSecond ?? 0) - (a.now?.failuresPerSecond ?? 0))[0]
    if (next === undefined) return edge.to
    edge = next
  }
}

/**
 * Calls that overlap, or that nobody waits for, cannot have added more together than there is: those that became
 * slower share the change in proportion, and what is left is the caller's own at the least. Own time has no number.
 */
function overlapping(total: number, reason: string, calls: readonly AccountedCall[]): Breakdown {
  const slower = calls.filter((call) => changeOver(call) > 0)
  const most = slower.reduce((sum, call) => sum + changeOver(call), 0)
  const part = most > 0 ? Math.min(1, Math.max(0, total) / most) : 0
  const shared = part === 0 ? [] : slower.map((call) => ({ ...call, weight: call.weight * part }))
  return { total, own: null, least: total - part * most, reason, calls: shared }
}

function callDelta(edge: CallEdge, now: EdgeFlow, usual: EdgeFlow, weight: number, callee: CallNode): AccountedCall {
  const calleeAs = callee.reportAs
  const change = now.callerMeanSeconds - usual.callerMeanSeconds
  if (callee.now === null || callee.usual === null) return inTheDark(edge, calleeAs, weight, change)
  const insideNow = now.calleeMeanSeconds ?? callee.now.meanSeconds
  const insideUsual = usual.calleeMeanSeconds ?? callee.usual.meanSeconds
  // Who gave up waiting was not slowed further by what the callee did afterwards: link 0, capped at what was waited.
  const waitedNow = Math.min(insideNow, now.callerMeanSeconds)
  const waitedUsual = Math.min(insideUsual, usual.callerMeanSeconds)
  const waited = waitedNow - waitedUsual
  const inside = insideNow - insideUsual
  const passes = insideNow > waitedNow && inside > 0 ? Math.min(1, Math.max(0, waited / inside)) : 1
  const calleeChange = callee.now.meanSeconds - callee.usual.meanSeconds
  const unanswered = (now.unansweredPerSecond ?? 0) / now.requestsPerSecond
  if (unanswered >= LEAST_UNANSWERED && change - waited > 0) {
    // Who was given up on is not in the callee's mean: what was waited for it in vain is spent where the rest is.
    const alike = calleeChange >= LEAST_ALIKE * change
    const passed = alike ? change / calleeChange : passes
    const inVainSeconds = change - passed * calleeChange
    return { edge, calleeAs, weight, linkSeconds: 0, restSeconds: 0, beyondSeconds: 0, inVainSeconds, passes: passed }
  }
  return {
    edge,
    calleeAs,
    weight,
    linkSeconds: change - waited,
    restSeconds: near(waited, passes * calleeChange) ? 0 : waited - passes * calleeChange,
    beyondSeconds: 0,
    passes,
  }
}

/** Of the calls, so many without an answer are more than a stray one. */
const LEAST_UNANSWERED = 0.05
/** Part of what callers wait longer that the callee's own mean has to show, to tell where it is spent. */
const LEAST_ALIKE = 0.2

function nobody(id: string): CallNode {
  return { id, reportAs: id, now: null, usual: null }
}

function inTheDark(edge: CallEdge, calleeAs: string, weight: number, seconds: number): AccountedCall {
  return { edge, calleeAs, weight, linkSeconds: 0, restSeconds: 0, beyondSeconds: seconds, passes: 0 }
}

const NO_EDGES: readonly LiveEdge[] = []
const isLive = (edge: CallEdge): edge is LiveEdge => edge.now !== null

type LiveEdge = CallEdge & { readonly now: EdgeFlow }

function live(graph: CallGraph, id: string): readonly LiveEdge[] {
  const edges = graph.outgoing.get(id) ?? NO_EDGES
  // Mostly all of them are: then nothing has to be copied.
  return edges.every(isLive) ? edges : edges.filter(isLive)
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
