import type { Edge, Fleet, Suspect, Topology, TopologyNode, Workload } from '@goldseam/server/contract'
import { changeOf, viewOf } from '../../answers/edge-reading.ts'
import { parseEdgeId } from '../../format/workload-name.ts'
import type { DrawnEdge, DrawnNode, EdgeHealth } from './drawn.ts'
import { boxIdOf, grouped, type MapGroup } from './groups.ts'

export interface Picture {
  readonly nodes: readonly DrawnNode[]
  readonly edges: readonly DrawnEdge[]
  readonly suspects: readonly Suspect[]
  readonly group: MapGroup
  /** Each workload and call by itself, whatever boxes are drawn. */
  readonly detail: { readonly nodes: readonly DrawnNode[]; readonly edges: readonly DrawnEdge[] }
  /** All there are, and those of them that are not drawn: in all, and in each lane. */
  readonly total: number
  readonly hidden: number
  readonly hiddenIn: ReadonlyMap<string, number>
  /** True when the problem alone was asked for, but there is none, so that everything is drawn. */
  readonly nothingWrong: boolean
}

/** Lane of what no cluster measures. */
export const OUTSIDE_LANE = 'outside'
/** At most so many boxes are drawn; of more, those in trouble and those that cross clusters stay. */
export const MOST_NODES = 300

interface Choice {
  readonly show: 'problem' | 'all'
  /** Empty: each workload, or the namespaces where there are too many. */
  readonly group: MapGroup | ''
  readonly sel: string
  /** Who is drawn although nobody knows yet how it is: `all`, when nothing is known of anybody. */
  readonly unread?: { readonly all: boolean; readonly ids: ReadonlySet<string> }
}

const NOTHING_UNREAD = { all: false, ids: new Set<string>() }

/** What is drawn: the problem and its neighbourhood, or everything. An ingress is part of the seam that passes it. */
export function pictureOf(topology: Topology, fleet: Fleet | undefined, choice: Choice): Picture {
  const { show, group, sel, unread = NOTHING_UNREAD } = choice
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
  const nothingWrong = show === 'problem' && problem.size === 0 && !unread.all
  for (const id of behindSilence(topology, problem)) problem.add(id)
  for (const { id } of nodes) if (unread.ids.has(id) && !nothingWrong) problem.add(id)
  const narrow = show === 'problem' && !nothingWrong && problem.size > 0
  const wanted = narrow ? nodes.filter(({ id }) => problem.has(id) || id === sel) : nodes
  const chosen = group === '' ? fittingGroup(wanted) : group
  const drawnOf = (some: readonly TopologyNode[]) => {
    const ids = new Set(some.map(({ id }) => id))
    const around = neighbourhood(topology.edges, ids, passed)
    return {
      nodes: some.map((node) => ({
        id: node.id,
        lane: node.cluster ?? OUTSIDE_LANE,
        node,
        workload: workloads.get(node.id) ?? null,
        suspectRank: suspects.find(({ id }) => id === node.id)?.rank ?? null,
        onPath: path.nodes.has(node.id),
        hiddenCallers: around.callers.get(node.id) ?? 0,
        hiddenCalls: around.calls.get(node.id) ?? 0,
        members: [],
      })),
      edges: topology.edges
        .filter(({ from, to }) => from !== to && ids.has(from) && ids.has(to))
        .map((edge) => ({
          edge,
          health: healthOf(edge),
          onPath: path.edges.has(`${edge.from}~${edge.to}`),
          members: [],
        })),
    }
  }
  const detail = drawnOf(chosen === 'workload' ? capped(wanted, problem, topology.edges) : nodes)
  const drawn = chosen === 'workload' ? detail : boxesWith(grouped(detail, chosen), new Set(wanted.map(({ id }) => id)))
  const seen = new Set(drawn.nodes.flatMap(({ id, members }) => [id, ...members.map((member) => member.id)]))
  const unseen = nodes.filter(({ id }) => !seen.has(id))
  return {
    ...drawn,
    suspects,
    group: chosen,
    detail,
    total: nodes.length,
    hidden: unseen.length,
    hiddenIn: countBy(unseen, ({ cluster }) => cluster ?? OUTSIDE_LANE),
    nothingWrong,
  }
}

/** What is drawn of such a cluster is what it said last. */
export function isSilent({ state }: Pick<Topology['clusters'][number], 'state'>): boolean {
  return state === 'down' || state === 'stale'
}

/** What somebody in trouble calls in a cluster that is silent: nobody can say that it is fine. */
function behindSilence({ clusters, nodes, edges }: Topology, problem: ReadonlySet<string>): string[] {
  const silent = new Set(clusters.filter(isSilent).map(({ name }) => name))
  if (silent.size === 0) return []
  const there = new Set(nodes.filter(({ cluster }) => cluster !== null && silent.has(cluster)).map(({ id }) => id))
  return edges.flatMap(({ from, to }) => (problem.has(from) && there.has(to) ? [to] : []))
}

/** The finest boxes of which there are not too many. */
function fittingGroup(nodes: readonly TopologyNode[]): MapGroup {
  const countOf = (group: MapGroup) => new Set(nodes.map((node) => boxIdOf(node, group))).size
  return (['workload', 'ns'] as const).find((group) => countOf(group) <= MOST_NODES) ?? 'cluster'
}

/** The boxes in which somebody is wanted, and the lines between them. */
function boxesWith({ nodes, edges }: ReturnType<typeof grouped>, wanted: ReadonlySet<string>) {
  const kept = nodes.filter(({ id, members }) => wanted.has(id) || members.some((member) => wanted.has(member.id)))
  const ids = new Set(kept.map(({ id }) => id))
  return { nodes: kept, edges: edges.filter(({ edge }) => ids.has(edge.from) && ids.has(edge.to)) }
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
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
