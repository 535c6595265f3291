import type { DependencyNode, Edge, Topology, TopologyNode } from '@goldseam/server/contract'
import { parseWorkloadId } from '../src/format/workload-name.ts'
import type { Scene } from './scenes.ts'

/** The scene's calls as the map is told them: those of the dependency tree, and everybody without calls as well. */
export function topologyOf({ fleet, detail, calls }: Scene): Topology {
  const edges = new Map<string, Edge>()
  const walk = ({ edge, children }: DependencyNode) => {
    if (edge) edges.set(`${edge.from}~${edge.to}`, edge)
    children.forEach(walk)
  }
  if (!calls) walk(detail.dependencies)
  for (const edge of calls ?? detail.callers) edges.set(`${edge.from}~${edge.to}`, edge)
  const ids = new Set([
    ...fleet.workloads.map(({ id }) => id),
    ...[...edges.values()].flatMap(({ from, to }) => [from, to]),
  ])
  const { snapshot, clusters, gaps, verdict } = fleet
  return {
    snapshot,
    clusters,
    gaps,
    verdict,
    nodes: fleet.workloads.length === 0 ? [] : [...ids].map(node),
    edges: fleet.workloads.length === 0 ? [] : [...edges.values()],
    unresolved: [],
  }
}

function node(id: string): TopologyNode {
  const parsed = parseWorkloadId(id)
  return {
    id,
    kind: parsed ? 'workload' : 'outside',
    cluster: parsed?.cluster ?? null,
    namespace: parsed?.namespace ?? null,
    name: parsed?.name ?? id,
  }
}
