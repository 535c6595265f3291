import { type JoinedAlert, joinAlerts } from './alerts.ts'
import type { Assessed, Assessment, ClusterView } from './assess.ts'
import type { Axis } from './baseline.ts'
import type { CallGraph } from './call-graph.ts'
import { edgeFlows } from './edge-flows.ts'
import type { Goal } from './goals.ts'
import { drawingGraph, type MeasuredEdge } from './graph-of.ts'
import { NO_STEPS } from './step-mask.ts'
import type { Stitched, StitchedEdge } from './stitch/types.ts'
import { allAtOnce, Pieces, type Turns } from './turns.ts'

/** Everything that one snapshot knows, ready to be judged and shown. */
export interface Situation {
  readonly atSeconds: number
  readonly windowSeconds: number
  readonly axis: Axis
  readonly clusters: ReadonlyMap<string, ClusterView>
  readonly assessment: Assessment
  readonly stitched: Stitched
  readonly edges: readonly MeasuredEdge[]
  /** Guesses (dotted) beside sure edges between the same two: only what passes along calls looks at them. */
  readonly guesses: readonly MeasuredEdge[]
  readonly callsOf: ReadonlyMap<string, readonly MeasuredEdge[]>
  readonly callersOf: ReadonlyMap<string, readonly MeasuredEdge[]>
  readonly graph: CallGraph
  /** What fires, joined to the workloads. */
  readonly alerts: readonly JoinedAlert[]
  /** What workloads are to keep to. */
  readonly goals: readonly Goal[]
}

interface Known {
  readonly atSeconds: number
  readonly windowSeconds: number
  readonly axis: Axis
  readonly clusters: readonly ClusterView[]
  readonly assessment: Assessment
  readonly stitched: Stitched
  readonly goals?: readonly Goal[]
}

/** Puts observations, stitching and assessment together. */
export function situationOf(known: Known): Situation {
  return allAtOnce(puttingTogether(known))
}

/** The same in turns. */
export function* puttingTogether(input: Known): Turns<Situation> {
  const pieces = new Pieces()
  const clusters = new Map(input.clusters.map((cluster) => [cluster.name, cluster]))
  const workloads = withCallersInTrouble(input.assessment.workloads, input.stitched)
  const edges: MeasuredEdge[] = []
  const guesses: MeasuredEdge[] = []
  for (const edge of input.stitched.edges) {
    if (pieces.ended) yield
    edges.push(measured(edge, workloads, clusters))
    if (edge.guess !== undefined) guesses.push(measured(edge.guess, workloads, clusters))
  }
  const callsOf = group(edges, callerOf)
  yield
  const callersOf = group(edges, calleeOf)
  yield
  // Mostly nothing is guessed beside what is sure.
  const all = guesses.length === 0 ? edges : [...edges, ...guesses]
  const allOf = guesses.length === 0 ? callsOf : group(all, callerOf)
  const graph = yield* drawingGraph(workloads, all, clusters, { ...input, callsOf: allOf })
  return {
    atSeconds: input.atSeconds,
    windowSeconds: input.windowSeconds,
    axis: input.axis,
    clusters,
    assessment: { ...input.assessment, workloads },
    stitched: input.stitched,
    edges,
    guesses,
    callsOf,
    callersOf,
    graph,
    alerts: joinAlerts(input.clusters),
    goals: input.goals ?? [],
  }
}

function measured(
  edge: StitchedEdge,
  workloads: ReadonlyMap<string, Assessed>,
  clusters: ReadonlyMap<string, ClusterView>,
): MeasuredEdge {
  const keepFrom = workloads.get(edge.from)?.keep ?? NO_STEPS
  const keepTo = workloads.get(edge.to)?.keep ?? NO_STEPS
  return { edge, flows: edgeFlows(edge, clusters, keepFrom, keepTo) }
}

const callerOf = ({ edge }: MeasuredEdge) => edge.from
const calleeOf = ({ edge }: MeasuredEdge) => edge.to

/**
 * A caller that is slow as well need not wait out its own time when one it calls has: else a chain in trouble would be
 * told from its middle until the last of it has caught up.
 */
function withCallersInTrouble(
  workloads: ReadonlyMap<string, Assessed>,
  { edges }: Stitched,
): ReadonlyMap<string, Assessed> {
  const promoted = new Map(workloads)
  const callers = new Map<string, string[]>()
  for (const { from, to, confidence } of edges) {
    if (confidence === 'dotted') continue
    const known = callers.get(to)
    if (known === undefined) callers.set(to, [from])
    else known.push(from)
  }
  const work = [...workloads.values()].filter(({ trouble }) => trouble.latency !== 'none').map(({ id }) => id)
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    for (const from of callers.get(id) ?? []) {
      const caller = promoted.get(from)
      if (caller === undefined || caller.trouble.latency === caller.trouble.latencySoon) continue
      promoted.set(from, { ...caller, trouble: { ...caller.trouble, latency: caller.trouble.latencySoon } })
      work.push(from)
    }
  }
  return promoted
}

export function group(
  edges: readonly MeasuredEdge[],
  keyOf: (edge: MeasuredEdge) => string,
): Map<string, MeasuredEdge[]> {
  const groups = new Map<string, MeasuredEdge[]>()
  for (const edge of edges) {
    const key = keyOf(edge)
    const list = groups.get(key)
    if (list === undefined) groups.set(key, [edge])
    else list.push(edge)
  }
  return groups
}

/** The calls from each workload of a path to the next, itself or as an ingress on the way, that cross clusters. */
export function seamsAlong(situation: Situation, path: readonly string[]): MeasuredEdge[] {
  const seams: MeasuredEdge[] = []
  for (const [at, from] of path.entries()) {
    const next = path[at + 1]
    if (next === undefined) continue
    for (const measured of situation.callsOf.get(from) ?? []) {
      const { to, via, seam } = measured.edge
      if (seam && (to === next || via === next)) seams.push(measured)
    }
  }
  return seams
}

export function isAffected(workload: Assessed | undefined): boolean {
  return workload !== undefined && (workload.trouble.latency !== 'none' || workload.trouble.failures !== 'none')
}

/** Whether a workload that used to count requests counts none any more: it is not called, or answers nobody. */
export function countsNothing({ now, usual, stale }: Assessed): boolean {
  return !stale && !now.requestsPerSecond && (usual.requestsPerSecond ?? 0) > 0
}

/**
 * Requests per second that callers still send to a workload, as they count them at present; guesses (dotted) left out.
 */
export function calledPerSecond({ callersOf, clusters }: Situation, id: string): number {
  let sum = 0
  for (const { edge, flows } of callersOf.get(id) ?? []) {
    if (edge.from === id || edge.confidence === 'dotted') continue
    if (clusters.get(edge.callerCluster)?.state === 'current') sum += flows.callerNow.requestsPerSecond ?? 0
  }
  return sum
}

/** Workload ids that a call leads to directly, an ingress in between counted as well. */
export function calleeIds(situation: Situation, id: string): string[] {
  return (situation.callsOf.get(id) ?? []).flatMap(({ edge }) => (edge.via === null ? [edge.to] : [edge.via, edge.to]))
}
