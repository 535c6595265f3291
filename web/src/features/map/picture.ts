import type { Edge, Fleet, Suspect, Topology, TopologyNode, Workload } from '@goldseam/server/contract'
import { changeOf, viewOf } from '../../answers/edge-reading.ts'
import { parseEdgeId } from '../../format/workload-name.ts'

export type EdgeHealth = 'ok' | 'warn' | 'crit' | 'none'

export interface DrawnNode {
  readonly id: string
  readonly lane: string
  readonly node: TopologyNode
  readonly workload: Workload | null
  readonly suspectRank: number | null
  readonly onPath: boolean
  /** What is left out of the picture around it. */
  readonly hiddenCallers: number
  readonly hiddenCalls: number
}

export interface DrawnEdge {
  readonly edge: Edge
  readonly health: EdgeHealth
  readonly onPath: boolean
}

export interface Picture {
  readonly nodes: readonly DrawnNode[]
  readonly edges: readonly DrawnEdge[]
  readonly suspects: readonly Suspect[]
  /** Nodes that are there and not drawn. */
  readonly hidden: number
  /** True when the problem alone was asked for, but there is none, so that everything is drawn. */
  readonly nothingWrong: boolean
}

/** Lane of what no cluster measures. */
export const OUTSIDE_LANE = 'outside'
/** At most so many boxes are drawn; of more, those in trouble and those that cross clusters stay. */
export const MOST_NODES = 300

/** What is drawn: the problem and its neighbourhood, or everything. An ingress is part of the seam that passes it. */
export function pictureOf(topology: Topology, fleet: Fleet | undefined, show: 'problem' | 'all', sel: string): Picture {
  const workloads = new Map((fleet?.workloads ?? []).map((workload) => [workload.id, workload]))
  const suspects = fleet?.suspects ?? []
  const path = onPath(suspects)
  const passed = new Set(topology.edges.flatMap(({ via }) => via ?? []))
  // An ingress that passes calls on is part of their seams, unless it is the one that is suspected.
  const shownAnyway = new Set([...suspects.map(({ id }) => id), ...(parseEdgeId(sel) ? [] : [sel])])
  const nodes = topology.nodes.filter(({ id }) => !passed.has(id) || shownAnyway.has(id))
  const problem = new Set([
    ...nodes.map(({ id }) => id).filter((id) => path.nodes.has(id)),
    ...nodes.filter(({ id }) => inTrouble(workloads.get(id))).map(({ id }) => id),
  ])
  const nothingWrong = show === 'problem' && problem.size === 0
  const wanted = show === 'problem' && !nothingWrong ? nodes.filter(({ id }) => problem.has(id) || id === sel) : nodes
  const drawn = capped(wanted, problem, topology.edges)
  const ids = new Set(drawn.map(({ id }) => id))
  const around = neighbourhood(topology.edges, ids, passed)
  return {
    nodes: drawn.map((node) => ({
      id: node.id,
      lane: node.cluster ?? OUTSIDE_LANE,
      node,
      workload: workloads.get(node.id) ?? null,
      suspectRank: suspects.find(({ id }) => id === node.id)?.rank ?? null,
      onPath: path.nodes.has(node.id),
      hiddenCallers: around.callers.get(node.id) ?? 0,
      hiddenCalls: around.calls.get(node.id) ?? 0,
    })),
    edges: topology.edges
      .filter(({ from, to }) => from !== to && ids.has(from) && ids.has(to))
      .map((edge) => ({ edge, health: healthOf(edge), onPath: path.edges.has(`${edge.from}~${edge.to}`) })),
    suspects,
    hidden: nodes.length - drawn.length,
    nothingWrong,
  }
}

function inTrouble(workload: Workload | undefined): boolean {
  return workload?.health === 'warn' || workload?.health === 'crit'
}

function onPath(suspects: readonly Suspect[]): { nodes: Set<string>; edges: Set<string> } {
  const nodes = new Set<string>()
  const edges = new Set<string>()
  for (const { id, path, victims } of suspects) {
    const ends = parseEdgeId(id)
    for (const node of [...path, ...victims, ...(ends ? [ends.from, ends.to] : [id])]) nodes.add(node)
    path.forEach((node, at) => {
      const before = path[at - 1]
      if (before !== undefined) edges.add(`${before}~${node}`)
    })
    if (ends) edges.add(id)
  }
  return { nodes, edges }
}

function capped(nodes: readonly TopologyNode[], problem: ReadonlySet<string>, edges: readonly Edge[]): TopologyNode[] {
  if (nodes.length <= MOST_NODES) return [...nodes]
  const seams = new Set(edges.filter(({ seam }) => seam).flatMap(({ from, to }) => [from, to]))
  const weight = (id: string) => (problem.has(id) ? 0 : seams.has(id) ? 1 : 2)
  return [...nodes].sort((a, b) => weight(a.id) - weight(b.id) || (a.id < b.id ? -1 : 1)).slice(0, MOST_NODES)
}

function neighbourhood(edges: readonly Edge[], drawn: ReadonlySet<string>, passed: ReadonlySet<string>) {
  const callers = new Map<string, number>()
  const calls = new Map<string, number>()
  const add = (counts: Map<string, number>, id: string) => counts.set(id, (counts.get(id) ?? 0) + 1)
  for (const { from, to } of edges) {
    if (drawn.has(to) && !drawn.has(from) && !passed.has(from)) add(callers, to)
    if (drawn.has(from) && !drawn.has(to) && !passed.has(to)) add(calls, from)
  }
  return { callers, calls }
}

/** Of the call as its caller sees it: a healthy callee behind a bad way has a red edge and a blue box. */
export function healthOf(edge: Edge): EdgeHealth {
  const view = viewOf(edge)
  if (view === null || !view.requestsPerSecond) return 'none'
  const failing = view.successRatio === null ? 0 : 1 - view.successRatio
  const ratio = changeOf(view, edge.usual)
  const gained = (view.latencySeconds.mean ?? 0) - (edge.usual?.latencySeconds.mean ?? 0)
  // As for workloads: a change of a few milliseconds is none, whatever its ratio.
  const slower = ratio !== null && gained >= 0.02 ? ratio : 1
  if (failing >= 0.05 || slower >= 3) return 'crit'
  return failing >= 0.01 || slower >= 1.5 ? 'warn' : 'ok'
}
