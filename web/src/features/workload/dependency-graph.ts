import type { DependencyNode, Edge } from '@goldseam/server/contract'

/** A node as it is drawn once, however often the tree meets it. */
export interface GraphNode {
  readonly node: DependencyNode
  /** Callers left, callees right: the longest way from the root. */
  readonly column: number
  readonly row: number
}

export interface GraphEdge {
  readonly edge: Edge
  readonly from: string
  readonly to: string
  readonly onPath: boolean
}

export interface DependencyGraph {
  readonly nodes: ReadonlyMap<string, GraphNode>
  readonly edges: readonly GraphEdge[]
  readonly columns: number
  readonly rows: number
  /** Left out, because more than these would not be told apart. */
  readonly hidden: number
}

const MOST_NODES = 20

/** The tree as a graph: each workload once, those on the suspect's path first, at most twenty. */
export function graphOf(root: DependencyNode): DependencyGraph {
  const found = new Map<string, DependencyNode>()
  const edges: GraphEdge[] = []
  const visit = (node: DependencyNode) => {
    const known = found.get(node.id)
    // A reference row says less than the row it refers to.
    if (known === undefined || (known.repeats && !node.repeats)) found.set(node.id, node)
    for (const child of node.children) {
      if (child.edge !== null && !edges.some(({ from, to }) => from === node.id && to === child.id))
        edges.push({ edge: child.edge, from: node.id, to: child.id, onPath: node.onSuspectPath && child.onSuspectPath })
      visit(child)
    }
  }
  visit(root)
  const ordered = [...found.values()].sort((a, b) => Number(b.onSuspectPath) - Number(a.onSuspectPath))
  const kept = new Set([...new Set([root.id, ...ordered.map(({ id }) => id)])].slice(0, MOST_NODES))
  const shown = edges.filter(({ from, to }) => kept.has(from) && kept.has(to))
  const column = longestWays(root.id, shown)
  const rows = new Map<number, number>()
  const nodes = new Map<string, GraphNode>()
  for (const node of found.values()) {
    const at = column.get(node.id)
    if (at === undefined) continue
    const row = rows.get(at) ?? 0
    rows.set(at, row + 1)
    nodes.set(node.id, { node, column: at, row })
  }
  return {
    nodes,
    edges: shown.filter(({ from, to }) => nodes.has(from) && nodes.has(to)),
    columns: Math.max(0, ...rows.keys()) + 1,
    rows: Math.max(1, ...rows.values()),
    hidden: found.size - nodes.size,
  }
}

/** Longest way from the root to each node; calls that lead back are left out of it. */
function longestWays(root: string, edges: readonly GraphEdge[]): Map<string, number> {
  const column = new Map<string, number>()
  const onWay = new Set<string>()
  const walk = (id: string, depth: number) => {
    if (onWay.has(id) || (column.get(id) ?? -1) >= depth) return
    column.set(id, depth)
    onWay.add(id)
    for (const { from, to } of edges) if (from === id) walk(to, depth + 1)
    onWay.delete(id)
  }
  walk(root, 0)
  return column
}
