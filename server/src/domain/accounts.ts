import type { CallEdge, CallGraph, CallNode, EdgeFlow, NodeFlow } from './call-graph.ts'
import type { CallSheet, Ledger } from './call-sheet.ts'

/** Calls nobody waits for would make the callees' sum exceed the caller's own time; past this the sums say nothing. */
const OVERLAP_LIMIT = 1.2

/** One node's account, its calls on the ledger's sheet: `total = own + sum of what they add`. */
export interface Breakdown {
  readonly total: number
  /** Null: cannot be split up, with the reason. */
  readonly own: number | null
  /** Where own is not known: what of it is, all calls waited for one after the other. */
  readonly least: number | null
  /** Its own time is waiting for what its calls hold: they pass it on, each this many times what it adds itself. */
  readonly passedOn: number
  readonly reason: string | null
}

/** One node's mean, split up; undefined where it has none. */
export function valueAccount(ledger: Ledger, at: number): Breakdown | undefined {
  const { sheet, nodes } = ledger
  const { now: flow } = nodes[at] as CallNode
  sheet.clear()
  if (flow === null) return undefined
  const edges = ledger.edges[at] as readonly CallEdge[]
  const total = flow.meanSeconds
  const reason = whyNotSplit(flow, edges)
  if (reason !== null) return { total, own: null, least: null, passedOn: 1, reason }
  let spent = 0
  for (const edge of edges) {
    const calls = edge.now
    if (calls === null) continue
    const weight = calls.requestsPerSecond / flow.requestsPerSecond
    spent += weight * calls.callerMeanSeconds
    const place = ledger.placeOf(edge.to)
    const calleeMean = ledger.meanNow[place] ?? Number.NaN
    const call = sheet.add(edge, place, weight)
    if (Number.isNaN(calleeMean)) {
      sheet.beyondSeconds[call] = calls.callerMeanSeconds
      continue
    }
    const inside = calls.calleeMeanSeconds ?? calleeMean
    const waited = Math.min(inside, calls.callerMeanSeconds)
    const passes = inside > waited && inside > 0 ? waited / inside : 1
    sheet.linkSeconds[call] = calls.callerMeanSeconds - waited
    sheet.restSeconds[call] = calls.calleeMeanSeconds === null ? 0 : waited - passes * calleeMean
    sheet.passes[call] = passes
  }
  return { total, own: total - spent, least: null, passedOn: 1, reason: null }
}

/** The change of one node's mean since usual, split up; undefined where either is missing. */
export function deltaAccount(ledger: Ledger, at: number): Breakdown | undefined {
  const { sheet, nodes } = ledger
  const node = nodes[at] as CallNode
  const { now, usual } = node
  sheet.clear()
  if (now === null || usual === null) return undefined
  const edges = ledger.edges[at] as readonly CallEdge[]
  const total = now.meanSeconds - usual.meanSeconds
  const reason = whyNotSplit(now, edges)
  if (reason !== null && !(now.requestsPerSecond > 0)) return { total, own: null, least: null, passedOn: 1, reason }
  for (const edge of edges) {
    // A call without a usual value is the caller's own doing: "new call to w".
    if (edge.now === null || edge.usual === null) continue
    const weight = edge.now.requestsPerSecond / now.requestsPerSecond
    const call = sheet.add(edge, ledger.placeOf(edge.to), weight)
    callDelta(ledger, call, edge.now, edge.usual)
    addRetries(ledger, call, now, usual)
  }
  if (reason !== null) return overlapping(total, reason, sheet)
  let explained = 0
  for (let call = 0; call < sheet.length; call += 1) explained += changeOver(sheet, call)
  const own = total - explained
  const held = isHeldUp(node, now, usual, own, explained, edges)
  return { total, own, least: null, passedOn: held ? total / explained : 1, reason: null }
}

/**
 * Fewer requests than usual by more than chance, calls that hold a request as long as all of it usually took, a queue
 * that is a good part of that, and more requests waiting in calls than usual. Of whom nobody gets an answer from: calls
 * that take most of what its callers wait.
 */
const HELD = { rate: 0.85, times: 1, queue: 0.25, grown: 1.5, unanswered: 0.5 }

/**
 * Whose calls alone take longer than all of it used to, and who gets less done than usual (or whose own time grew only
 * after that of its calls), has no worker left to begin with what waits at its door: that queue is its callees' doing,
 * although nobody but itself counts it.
 */
function isHeldUp(
  { answersNobody = false, afterItsCalls = false }: CallNode,
  now: NodeFlow,
  usual: NodeFlow,
  own: number,
  explained: number,
  edges: readonly CallEdge[],
): boolean {
  if (explained <= 0 || own <= HELD.queue * explained) return false
  if (answersNobody) return edges.some((edge) => isLong(edge, now.meanSeconds))
  let [waiting, waitingUsually] = [0, 0]
  for (const edge of edges) {
    if (edge.now === null) continue
    waiting += edge.now.requestsPerSecond * edge.now.callerMeanSeconds
    if (edge.usual !== null) waitingUsually += edge.usual.requestsPerSecond * edge.usual.callerMeanSeconds
  }
  if (waiting < HELD.grown * waitingUsually) return false
  const fewer = now.requestsPerSecond <= HELD.rate * usual.requestsPerSecond
  return (fewer || afterItsCalls) && explained >= HELD.times * usual.meanSeconds
}

/** A call that came to take about as long as the caller's own callers wait, which it did not usually. */
function isLong({ now, usual }: CallEdge, waitedSeconds: number): boolean {
  if (now === null) return false
  const seconds = now.callerMeanSeconds
  return (
    seconds >= HELD.unanswered * waitedSeconds && seconds >= 2 * (usual?.callerMeanSeconds ?? Number.POSITIVE_INFINITY)
  )
}

/** What the change of one call adds to each request of the caller, retries with it. */
function changeOver({ edges, weights, retried }: CallSheet, call: number): number {
  const { now, usual } = edges[call] as CallEdge
  const longer = (now?.callerMeanSeconds ?? 0) - (usual?.callerMeanSeconds ?? 0)
  return (weights[call] as number) * (longer + (retried[call]?.seconds ?? 0))
}

/** More calls than usual are the caller's own doing, but for those that it makes because others have failed. */
function addRetries({ graph, sheet }: Ledger, call: number, now: NodeFlow, usual: NodeFlow): void {
  const edge = sheet.edges[call] as CallEdge
  const weight = sheet.weights[call] as number
  if (edge.now === null || edge.usual === null || weight === 0) return
  const failed =
    (edge.now.failuresPerSecond ?? 0) / now.requestsPerSecond -
    (edge.usual.failuresPerSecond ?? 0) / usual.requestsPerSecond
  if (!(failed > 0)) return
  const again = Math.min(weight - edge.usual.requestsPerSecond / usual.requestsPerSecond, failed)
  if (!(again > 0)) return
  const seconds = (again * edge.usual.callerMeanSeconds) / weight
  sheet.retried[call] = { of: failsFirst(graph, edge), seconds }
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
function overlapping(total: number, reason: string, sheet: CallSheet): Breakdown {
  let most = 0
  for (let call = 0; call < sheet.length; call += 1) {
    const change = changeOver(sheet, call)
    if (change > 0) most += change
  }
  const part = most > 0 ? Math.min(1, Math.max(0, total) / most) : 0
  if (part === 0) sheet.clear()
  else sheet.keep((call) => changeOver(sheet, call) > 0)
  for (let call = 0; call < sheet.length; call += 1) sheet.weights[call] = (sheet.weights[call] as number) * part
  return { total, own: null, least: total - part * most, passedOn: 1, reason }
}

/** What a call on the sheet became longer by, and where that is spent. */
function callDelta(
  { graph, sheet, meanNow, meanUsual, rateNow }: Ledger,
  call: number,
  now: EdgeFlow,
  usual: EdgeFlow,
): void {
  const edge = sheet.edges[call] as CallEdge
  const place = sheet.places[call] as number
  const change = now.callerMeanSeconds - usual.callerMeanSeconds
  const calleeNow = meanNow[place] ?? Number.NaN
  const calleeUsual = meanUsual[place] ?? Number.NaN
  if (Number.isNaN(calleeNow) || Number.isNaN(calleeUsual)) {
    sheet.beyondSeconds[call] = change
    return
  }
  const insideNow = now.calleeMeanSeconds ?? calleeNow
  const insideUsual = usual.calleeMeanSeconds ?? calleeUsual
  // Who gave up waiting was not slowed further by what the callee did afterwards: link 0, capped at what was waited.
  const waitedNow = Math.min(insideNow, now.callerMeanSeconds)
  const waitedUsual = Math.min(insideUsual, usual.callerMeanSeconds)
  const waited = waitedNow - waitedUsual
  const inside = insideNow - insideUsual
  const passes = insideNow > waitedNow && inside > 0 ? Math.min(1, Math.max(0, waited / inside)) : 1
  const calleeChange = calleeNow - calleeUsual
  const unanswered = (now.unansweredPerSecond ?? 0) / now.requestsPerSecond
  if (unanswered >= LEAST_UNANSWERED && change > 0 && change > waited) {
    // Who was given up on is not in the callee's mean: what was waited for it in vain is spent where the rest is.
    const alike = calleeChange >= LEAST_ALIKE * change
    const passed = alike ? change / calleeChange : passes
    const seconds = change - passed * calleeChange
    sheet.inVain[call] = { of: seconds === 0 ? edge.to : hangsOn(graph, edge.to, now.callerMeanSeconds), seconds }
    sheet.passes[call] = passed
    return
  }
  // Of a callee whose numbers are over all callers, this one's requests may be those that it took so much longer for.
  const together = now.calleeMeanSeconds === null && usual.calleeMeanSeconds === null
  const theirs = NEARLY * (rateNow[place] as number) * calleeChange
  if (together && calleeChange > 0 && change >= UNLIKE * calleeChange && now.requestsPerSecond * change <= theirs) {
    sheet.passes[call] = change / calleeChange
    return
  }
  sheet.linkSeconds[call] = change - waited
  sheet.restSeconds[call] = near(waited, passes * calleeChange) ? 0 : waited - passes * calleeChange
  sheet.passes[call] = passes
}

/** Times what its callee became slower by, on average, that a caller waits longer before it is asked whose requests. */
const UNLIKE = 2
/** Both ends are scraped at instants of their own. */
const NEARLY = 1.1

/** Down the calls that came to take as long as it is waited for at their beginning: where the time is spent. */
function hangsOn(graph: CallGraph, first: string, waitedSeconds: number): string {
  const seen = new Set([first])
  for (let at = first; ; ) {
    const [next] = (graph.outgoing.get(at) ?? [])
      .filter((edge) => !seen.has(edge.to) && isLong(edge, waitedSeconds))
      .sort((a, b) => (b.now?.callerMeanSeconds ?? 0) - (a.now?.callerMeanSeconds ?? 0))
    if (next === undefined) return at
    at = next.to
    seen.add(at)
  }
}

/** Of the calls, so many without an answer are more than a stray one. */
const LEAST_UNANSWERED = 0.05
/** Part of what callers wait longer that the callee's own mean has to show, to tell where it is spent. */
const LEAST_ALIKE = 0.2

/** Why a mean cannot be split up over a workload's own time and its calls, in words; null where it can. */
export function whyNotSplit(flow: NodeFlow, edges: readonly CallEdge[]): string | null {
  if (!(flow.requestsPerSecond > 0)) return 'no inbound requests: its calls are not made for anybody who waits'
  let spent = 0
  for (const { now } of edges) if (now !== null) spent += now.requestsPerSecond * now.callerMeanSeconds
  if (spent > OVERLAP_LIMIT * flow.requestsPerSecond * flow.meanSeconds) {
    return 'its calls take longer than its own requests: they overlap, or nobody waits for them'
  }
  return null
}

/** Equal but for rounding: what is left over is nothing that anybody would have to explain. */
function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-15 * Math.max(Math.abs(a), Math.abs(b))
}
