import { type Assessed, type ClusterView, usualSource } from './assess.ts'
import type { Axis } from './baseline.ts'
import { type CallEdge, type CallGraph, type CallNode, callGraph, type EdgeFlow, type NodeFlow } from './call-graph.ts'
import type { EdgeFlows } from './edge-flows.ts'
import { guessesOf } from './guess.ts'
import { waitsSinceItsCalls } from './held-up.ts'
import { clusterOf } from './identity.ts'
import type { StitchedEdge } from './stitch/types.ts'
import { type Flow, flowAt, flowOver, type Traffic } from './traffic.ts'
import { allAtOnce, Pieces, type Turns } from './turns.ts'
import { withUnanswered } from './unanswered.ts'

function nodeOf(workload: Assessed, afterItsCalls: boolean): CallNode {
  return {
    id: workload.id,
    reportAs: shownAs(workload),
    now: workload.stale ? null : nodeFlow(workload.now),
    usual: nodeFlow(workload.usual),
    ...(afterItsCalls ? { afterItsCalls } : {}),
  }
}

/** Prefix of the dark place that stands for all of a silent cluster. */
export const BEYOND = 'beyond/'

export interface MeasuredEdge {
  readonly edge: StitchedEdge
  readonly flows: EdgeFlows
}

interface Context {
  readonly axis: Axis
  readonly windowSeconds: number
  readonly callsOf: ReadonlyMap<string, readonly MeasuredEdge[]>
}

/**
 * The graph that own time is computed on. Where a call passes an ingress that counts requests by host, the ingress
 * gets a node of its own for that host, so that its time can be told from the network's and from other hosts'.
 * Dotted edges are guesses: their time is kept, but ends in the dark and blames nobody.
 */
export function graphOf(
  workloads: ReadonlyMap<string, Assessed>,
  edges: readonly MeasuredEdge[],
  clusters: ReadonlyMap<string, ClusterView>,
  context: Context,
): CallGraph {
  return allAtOnce(drawingGraph(workloads, edges, clusters, context))
}

/** The same in turns. */
export function* drawingGraph(
  workloads: ReadonlyMap<string, Assessed>,
  edges: readonly MeasuredEdge[],
  clusters: ReadonlyMap<string, ClusterView>,
  { axis, windowSeconds, callsOf }: Context,
): Turns<CallGraph> {
  const pieces = new Pieces()
  const nodes: CallNode[] = []
  for (const workload of workloads.values()) {
    if (pieces.ended) yield
    const calls = callsOf.get(workload.id) ?? []
    const cluster = clusters.get(workload.ref.cluster)
    nodes.push(nodeOf(workload, waitsSinceItsCalls(workload, calls, cluster, axis, windowSeconds)))
  }
  for (const { edge } of edges) {
    const cluster = clusterOf(edge.to)
    const silent = clusters.get(cluster)?.state === 'missing'
    if (silent && !workloads.has(edge.to)) {
      nodes.push({ id: edge.to, reportAs: `${BEYOND}${cluster}`, now: null, usual: null })
    }
  }
  const calls: CallEdge[] = []
  const doors = new Map<string, CallNode>()
  const behindDoors = new Set<string>()
  const ingresses = new Set<string>()
  for (const { edge } of edges) if (edge.via !== null) ingresses.add(edge.via)
  const insides = new Map<string, MeasuredEdge>()
  for (const measured of edges) {
    const { from, to } = measured.edge
    if (ingresses.has(from) && !insides.has(`${from}~${to}`)) insides.set(`${from}~${to}`, measured)
  }
  yield
  const guessed = guessesOf(edges)
  for (const { edge, flows } of edges) {
    if (pieces.ended) yield
    if (edge.confidence === 'dotted') {
      const { to, part } = guessed(edge)
      const call = direct(`${edge.id}?`, edge.from, to, flows)
      const ends = `${edge.from}~${to}`
      const [now, usual] = [partOf(call.now, part), partOf(call.usual, part)]
      calls.push({ id: call.id, from: edge.from, to, reportAs: ends, now, usual })
      continue
    }
    const door = edge.via === null || edge.host === null ? null : doorOf(edge, edge.via, edge.host, workloads, clusters)
    if (door === null) {
      calls.push(direct(edge.id, edge.from, edge.to, flows))
      continue
    }
    if (!doors.has(door.id)) doors.set(door.id, door)
    // What the callee counts for this host lies behind the door: the door's own mean is what the caller waits for.
    const [now, usual] = [edgeFlow(flows.callerNow, null), edgeFlow(flows.callerUsual, null)]
    calls.push({ id: edge.id, from: edge.from, to: door.id, now, usual })
    const inner = innerCall(edge, door, insides.get(`${edge.via}~${edge.to}`), flows)
    if (!behindDoors.has(inner.id)) calls.push(inner)
    behindDoors.add(inner.id)
  }
  yield
  const heard = ({ id, reportAs }: CallNode) => workloads.get(doors.has(id) ? reportAs : id)?.stale === false
  const answered = withUnanswered([...nodes, ...doors.values()], calls, heard)
  yield
  return callGraph(answered.nodes, answered.calls)
}

function partOf(flow: EdgeFlow | null, part: number): EdgeFlow | null {
  return flow === null ? null : { ...flow, requestsPerSecond: flow.requestsPerSecond * part }
}

/**
 * What lies in a cluster that does not answer is one dark place: last good values tell who was called, not who is slow
 * now, so that none of its workloads may be blamed.
 */
function shownAs(workload: Assessed): string {
  return workload.stale ? `${BEYOND}${workload.ref.cluster}` : workload.id
}

export function nodeFlow(flow: Flow): NodeFlow | null {
  if (!flow.requestsPerSecond || flow.meanSeconds === null) return null
  return { requestsPerSecond: flow.requestsPerSecond, meanSeconds: flow.meanSeconds }
}

function edgeFlow(caller: Flow, calleeMeanSeconds: number | null): EdgeFlow | null {
  if (!caller.requestsPerSecond || caller.meanSeconds === null) return null
  const { requestsPerSecond, meanSeconds: callerMeanSeconds, failuresPerSecond } = caller
  return failuresPerSecond === null || failuresPerSecond === 0
    ? { requestsPerSecond, callerMeanSeconds, calleeMeanSeconds }
    : { requestsPerSecond, callerMeanSeconds, calleeMeanSeconds, failuresPerSecond }
}

function direct(id: string, from: string, to: string, flows: EdgeFlows): CallEdge {
  const separated = flows.calleeMean === 'caller'
  const now = edgeFlow(flows.callerNow, separated ? flows.calleeNow.meanSeconds : null)
  const unanswered = (flows.callerNow.failuresPerSecond ?? 0) - (flows.calleeNow.failuresPerSecond ?? 0)
  return {
    id,
    from,
    to,
    now: now === null || unanswered <= 0 ? now : { ...now, unansweredPerSecond: unanswered },
    usual: edgeFlow(flows.callerUsual, separated ? flows.calleeUsual.meanSeconds : null),
  }
}

/** The ingress' node for one host; null when the ingress does not count by host. */
function doorOf(
  edge: StitchedEdge,
  via: string,
  host: string,
  workloads: ReadonlyMap<string, Assessed>,
  clusters: ReadonlyMap<string, ClusterView>,
): CallNode | null {
  const cluster = clusters.get(clusterOf(via))
  const assessed = workloads.get(via)
  const now = cluster?.now?.inbound.get(via)?.byHost.get(host)
  const before = usualSource(cluster)?.inbound.get(via)?.byHost.get(host)
  if (assessed === undefined || (now === undefined && before === undefined) || edge.from === via) return null
  const flow = (traffic: Traffic | undefined, read: (traffic: Traffic) => Flow) =>
    traffic === undefined ? null : nodeFlow(read(traffic))
  return {
    id: `${via}#${host}`,
    reportAs: shownAs(assessed),
    now: assessed.stale ? null : flow(now, (traffic) => flowAt(traffic, 0)),
    usual: flow(before, (traffic) => flowOver(traffic, assessed.keep)),
  }
}

/** From the ingress' node for a host to the workload behind it: the ingress' own view of its calls to that workload. */
function innerCall(edge: StitchedEdge, door: CallNode, inside: MeasuredEdge | undefined, outer: EdgeFlows): CallEdge {
  const share = edge.callerFlows[0]?.share ?? 1
  const along = (node: NodeFlow | null, caller: Flow | undefined, callee: Flow): EdgeFlow | null => {
    if (node === null || caller?.meanSeconds == null) return null
    return {
      // Calls per request is one by definition of forwarding; rates at the door already hold this host only.
      requestsPerSecond: node.requestsPerSecond * share,
      callerMeanSeconds: caller.meanSeconds,
      calleeMeanSeconds: callee.meanSeconds,
    }
  }
  return {
    id: `${door.id}~${edge.to}`,
    reportAs: `${edge.via}~${edge.to}`,
    from: door.id,
    to: edge.to,
    now: along(door.now, inside?.flows.callerNow, outer.calleeNow),
    usual: along(door.usual, inside?.flows.callerUsual, outer.calleeUsual),
  }
}
