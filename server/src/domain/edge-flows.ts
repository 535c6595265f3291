import { type ClusterView, usualSource } from './assess.ts'
import { clusterOf } from './identity.ts'
import type { Attempts, Measure } from './observation.ts'
import { EVERY_STEP, type StepMask } from './step-mask.ts'
import type { StitchedEdge } from './stitch/types.ts'
import { type Flow, flowNow, flowOver, hasBuckets, isCounted, NO_FLOW, type Traffic } from './traffic.ts'
import { flowOfShares, sumOf, type TrafficShare } from './traffic-shares.ts'

/** Numbers of an edge at both ends, at the snapshot's instant and as usual. */
export interface EdgeFlows {
  readonly callerNow: Flow
  readonly callerUsual: Flow
  readonly calleeNow: Flow
  readonly calleeUsual: Flow
  /** Whether the callee's numbers are over this caller's requests only. */
  readonly calleeMean: 'caller' | 'all'
  readonly calleeMeasure: Measure
  readonly calleeAttempts: Attempts
}

/**
 * Reads both ends of a stitched edge. `keepFrom`/`keepTo` choose the usual steps of the caller and of the callee.
 */
export function edgeFlows(
  edge: StitchedEdge,
  clusters: ReadonlyMap<string, ClusterView>,
  keepFrom: StepMask,
  keepTo: StepMask,
): EdgeFlows {
  const { calling, called } = endsOf(edge, clusters)
  const inbound = called?.now?.inbound.get(edge.to) ?? usualSource(called)?.inbound.get(edge.to)
  const calleeNow = calleeTraffic(edge, called?.now)
  const calleeBefore = calleeTraffic(edge, usualSource(called))
  return {
    callerNow: callerFlowNow(edge, calling?.now),
    callerUsual: callerFlow(edge, usualSource(calling), keepFrom),
    calleeNow: instant(calleeNow.traffic),
    calleeUsual: over(calleeBefore.traffic, keepTo),
    calleeMean: calleeNow.separated ? 'caller' : 'all',
    calleeMeasure: inbound?.measure ?? 'firstByte',
    calleeAttempts: inbound?.attempts ?? 'each',
  }
}

/** Those of them that belong to the snapshot's instant. */
export function instantFlows(
  edge: StitchedEdge,
  clusters: ReadonlyMap<string, ClusterView>,
): Pick<EdgeFlows, 'callerNow' | 'calleeNow'> {
  const { calling, called } = endsOf(edge, clusters)
  return {
    callerNow: callerFlowNow(edge, calling?.now),
    calleeNow: instant(calleeTraffic(edge, called?.now).traffic),
  }
}

function endsOf(edge: StitchedEdge, clusters: ReadonlyMap<string, ClusterView>) {
  return {
    calling: clusters.get(edge.callerCluster),
    called: clusters.get(clusterOf(edge.to)),
  }
}

/** What the caller counted of an edge; undefined where it counted nothing. */
export function callerTraffic(edge: StitchedEdge, observation: ClusterView['now'] | undefined): Traffic | undefined {
  const shares = callerShares(edge, observation)
  const [only, ...more] = shares
  if (!observation || only === undefined) return undefined
  return more.length === 0 && only.share === 1 ? only.traffic : sumOf(shares, observation.steps)
}

function callerShares(edge: StitchedEdge, observation: ClusterView['now'] | undefined): readonly TrafficShare[] {
  if (!observation) return []
  const shares: TrafficShare[] = []
  for (const { key, share } of edge.callerFlows) {
    const flow = observation.outbound.get(key)
    if (flow !== undefined) shares.push({ traffic: flow.traffic, share })
  }
  return shares
}

function callerFlowNow(edge: StitchedEdge, observation: ClusterView['now'] | undefined): Flow {
  const shares = callerShares(edge, observation)
  const [only] = shares
  if (shares.length === 1 && only?.share === 1) return flowNow(only.traffic)
  return flowOfShares(shares, observation?.steps ?? 0, EVERY_STEP)
}

function callerFlow(edge: StitchedEdge, observation: ClusterView['now'] | undefined, keep: StepMask): Flow {
  return flowOfShares(callerShares(edge, observation), observation?.steps ?? 0, keep)
}

function calleeTraffic(
  edge: StitchedEdge,
  observation: ClusterView['now'] | undefined,
): { traffic: Traffic | undefined; separated: boolean } {
  const inbound = observation?.inbound.get(edge.to)
  const part =
    edge.calleeBy === null
      ? undefined
      : 'host' in edge.calleeBy
        ? inbound?.byHost.get(edge.calleeBy.host)
        : 'caller' in edge.calleeBy
          ? inbound?.byCaller.get(edge.calleeBy.caller)
          : inbound?.byClient.get(edge.calleeBy.client)
  // Some tell who calls without counting their calls: such a part says nothing of the requests.
  if (part === undefined || !(isCounted(part) || hasBuckets(part))) return { traffic: inbound?.total, separated: false }
  return { traffic: part, separated: true }
}

function instant(traffic: Traffic | undefined): Flow {
  return traffic === undefined ? NO_FLOW : flowNow(traffic)
}

function over(traffic: Traffic | undefined, keep: StepMask): Flow {
  return traffic === undefined ? NO_FLOW : flowOver(traffic, keep)
}
