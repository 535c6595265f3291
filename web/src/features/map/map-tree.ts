import type { DrawnEdge, DrawnNode } from './drawn.ts'
import { groupBy } from './layout.ts'
import type { Picture } from './picture.ts'

export interface MapTreeRow {
  readonly key: string
  readonly level: number
  readonly node: DrawnNode
  /** How its caller, one level up, sees the call; null for who stands at the top. */
  readonly call: DrawnEdge | null
  /** Its calls stand where it was met first. */
  readonly repeats: boolean
}

const RANK = { crit: 0, warn: 1, ok: 2, none: 3 } as const

/**
 * The picture as rows: callers at the top, what they call below them, one level in. Each call is there once; who is
 * called by several is opened once, along the way to the suspect first.
 */
export function mapTree({ nodes, edges }: Pick<Picture, 'nodes' | 'edges'>): MapTreeRow[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const calls = groupBy(edges, ({ edge }) => edge.from)
  const called = new Set(edges.map(({ edge }) => edge.to))
  const rows: MapTreeRow[] = []
  const opened = new Set<string>()
  // A list of its own, not the stack: chains may be long.
  const visit = (root: DrawnNode) => {
    const waiting: { node: DrawnNode; call: DrawnEdge | null; level: number }[] = [{ node: root, call: null, level: 0 }]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { node, call, level } = next
      const mine = calls.get(node.id) ?? []
      const repeats = opened.has(node.id) && mine.length > 0
      rows.push({ key: `${rows.length} ${node.id}`, level, node, call, repeats })
      if (opened.has(node.id)) continue
      opened.add(node.id)
      for (const one of [...mine].sort(byTrouble).reverse()) {
        const callee = byId.get(one.edge.to)
        if (callee) waiting.push({ node: callee, call: one, level: level + 1 })
      }
    }
  }
  const tops = nodes.filter(({ id }) => !called.has(id)).sort(byName)
  const worth = ({ id, onPath }: DrawnNode) => Number(onPath) + 2 * Number(calls.has(id))
  for (const top of tops.sort((a, b) => worth(b) - worth(a))) visit(top)
  // Circles have no top.
  for (const node of [...nodes].sort(byName)) if (!opened.has(node.id)) visit(node)
  return rows
}

function byTrouble(a: DrawnEdge, b: DrawnEdge): number {
  return Number(b.onPath) - Number(a.onPath) || RANK[a.health] - RANK[b.health] || (a.edge.to < b.edge.to ? -1 : 1)
}

function byName(a: DrawnNode, b: DrawnNode): number {
  return a.id < b.id ? -1 : 1
}
