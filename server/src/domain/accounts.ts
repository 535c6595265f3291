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
  /** Where the callee stands among the ledger's nodes. */
  readonly place: number
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
  /** Waited for a callee in vain, which it did not live to count, and whose time that is. */
  readonly inVain?: { readonly of: string; readonly seconds: number }
  /** Share of the callee's total that this call carries: 1, less where the caller gave up waiting, 0 in the dark. */
  readonly passes: number
}

/** A graph whose nodes are known by place: looking up each callee by name once is dear enough. */
export interface Ledger {
  readonly graph: CallGraph
  readonly nodes: readonly CallNode[]
  placeOf(id: string): number
}

/** One node's mean, split up; undefined where it has none. */
export function valueAccount(ledger: Ledger, { id, now: flow }: CallNode): Breakdown | undefined {
  if (flow === null) return undefined
  const edges = live(ledger.graph, id)
  const reason = whyNotSplit(flow, edges)
  if (reason !== null) return { total: flow.meanSeconds, own: null, reason, calls: [] }
  const calls = edges.map((edge): AccountedCall => {
    const calls = edge.now
    const weight = calls.requestsPerSecond / flow.requestsPerSecond
    const place = ledger.placeOf(edge.to)
    const { now: callee, reportAs: calleeAs } = ledger.nodes[place] ?? nobody(edge.to)
    if (callee === null) return inTheDark({ edge, place, calleeAs, weight }, calls.callerMeanSeconds)
    const inside = calls.calleeMeanSeconds ?? callee.meanSeconds
    const waited = Math.min(inside, calls.callerMeanSeconds)
    const passes = inside > waited && inside > 0 ? waited / inside : 1
    return {
      edge,
      place,
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
export function deltaAccount(ledger: Ledger, node: CallNode): Breakdown | undefined {
  const { id, now, usual } = node
  if (now === null || usual === null) return undefined
  const { graph, nodes } = ledger
  const total = now.meanSeconds - usual.meanSeconds
  const edges = live(graph, id)
  const reason = whyNotSplit(now, edges)
  if (reason !== null && !(now.requestsPerSecond > 0)) return { total, own: null, reason, calls: [] }
  const calls: AccountedCall[] = []
  for (const edge of edges) {
    // A call without a usual value is the caller's own doing: "new call to w".
    if (edge.usual === null) continue
    const weight = edge.now.requestsPerSecond / now.requestsPerSecond
    const place = ledger.placeOf(edge.to)
    const callee = nodes[place] ?? nobody(edge.to)
    const call = callDelta(graph, { edge, place, calleeAs: callee.reportAs, weight }, edge.now, edge.usual, callee)
    calls.push(withRetries(graph, call, now, usual))
  }
  if (reason !== null) return overlapping(total, reason, calls)
  const explained = calls.reduce((sum, call) => sum + changeOver(call), 0)
  const own = total - explained
  const held = isHeldUp({ ...node, now, usual }, own, explained, edges)
  return { total, own, ...(held ? { passedOn: total / explained } : {}), reason: null, calls }
}

/**
 * Fewer requests than usual by more than chance, calls that hold a request as long as all of it usually took, a queue
 * that is a good part of that, and more requests waiting in calls than usual. Of whom nobody gets an answer from: calls
 * that take most of what its callers wait.
 */
const HELD = { rate: 0.85, times: 1, queue: 0.25, grown: 1.5, unanswered: 0.5 }

type Held = CallNode & { readonly now: NodeFlow; readonly usual: NodeFlow }

/**
 * Whose calls alone take longer than all of it used to, and who gets less done than usual (or whose own time grew only
 * after that of its calls), has no worker left to begin with what waits at its door: that queue is its callees' doing,
 * although nobody but itself counts it.
 */
function isHeldUp(node: Held, own: number, explained: number, edges: readonly LiveEdge[]): boolean {
  const { now, usual, answersNobody = false, afterItsCalls = false } = node
  if (explained <= 0 || own <= HELD.queue * explained) return false
  if (answersNobody) return edges.some((edge) => isLong(edge, now.meanSeconds))
  const waiting = (flow: (edge: LiveEdge) => EdgeFlow | null) =>
    edges.reduce((sum, edge) => {
      const calls = flow(edge)
      return calls === null ? sum : sum + calls.requestsPerSecond * calls.callerMeanSeconds
    }, 0)
  if (waiting((edge) => edge.now) < HELD.grown * waiting((edge) => edge.usual)) return false
  const fewer = now.requestsPerSecond <= HELD.rate * usual.requestsPerSecond
  return (fewer || afterItsCalls) && explained >= HELD.times * usual.meanSeconds
}

/** A call that came to take about as long as the caller's own callers wait, which it did not usually. */
function isLong({ now, usual }: LiveEdge, waitedSeconds: number): boolean {
  const seconds = now.callerMeanSeconds
  return (
    seconds >= HELD.unanswered * waitedSeconds && seconds >= 2 * (usual?.callerMeanSeconds ?? Number.POSITIVE_INFINITY)
  )
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

type Whose = Pick<AccountedCall, 'edge' | 'place' | 'calleeAs' | 'weight'>

function callDelta(graph: CallGraph, whose: Whose, now: EdgeFlow, usual: EdgeFlow, callee: CallNode): AccountedCall {
  const { edge, place, calleeAs, weight } = whose
  const change = now.callerMeanSeconds - usual.callerMeanSeconds
  if (callee.now === null || callee.usual === null) return inTheDark(whose, change)
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
    const seconds = change - passed * calleeChange
    const inVain = { of: seconds === 0 ? edge.to : hangsOn(graph, edge.to, now.callerMeanSeconds), seconds }
    return { ...whose, linkSeconds: 0, restSeconds: 0, beyondSeconds: 0, inVain, passes: passed }
  }
  // Of a callee whose numbers are over all callers, this one's requests may be those that it took so much longer for.
  const together = now.calleeMeanSeconds === null && usual.calleeMeanSeconds === null
  const theirs = NEARLY * callee.now.requestsPerSecond * calleeChange
  if (together && calleeChange > 0 && change >= UNLIKE * calleeChange && now.requestsPerSecond * change <= theirs) {
    return { ...whose, linkSeconds: 0, restSeconds: 0, beyondSeconds: 0, passes: change / calleeChange }
  }
  return {
    edge,
    place,
    calleeAs,
    weight,
    linkSeconds: change - waited,
    restSeconds: near(waited, passes * calleeChange) ? 0 : waited - passes * calleeChange,
    beyondSeconds: 0,
    passes,
  }
}

/** Times what its callee became slower by, on average, that a caller waits longer before it is asked whose requests. */
const UNLIKE = 2
/** Both ends are scraped at instants of their own. */
const NEARLY = 1.1

/** Down the calls that came to take as long as it is waited for at their beginning: where the time is spent. */
function hangsOn(graph: CallGraph, first: string, waitedSeconds: number): string {
  const seen = new Set([first])
  for (let at = first; ; ) {
    const [next] = live(graph, at)
      .filter((edge) => !seen.has(edge.to) && graph.nodes.get(edge.to)?.now != null && isLong(edge, waitedSeconds))
      .sort((a, b) => b.now.callerMeanSeconds - a.now.callerMeanSeconds)
    if (next === undefined) return at
    at = next.to
    seen.add(at)
  }
}

/** Of the calls, so many without an answer are more than a stray one. */
const LEAST_UNANSWERED = 0.05
/** Part of what callers wait longer that the callee's own mean has to show, to tell where it is spent. */
const LEAST_ALIKE = 0.2

function nobody(id: string): CallNode {
  return { id, reportAs: id, now: null, usual: null }
}

function inTheDark(whose: Whose, seconds: number): AccountedCall {
  return { ...whose, linkSeconds: 0, restSeconds: 0, beyondSeconds: seconds, passes: 0 }
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
