import { type Edge, TopologyNode } from '@goldseam/server/contract'
import { z } from 'zod'
import type { DrawnEdge } from './drawn.ts'
import { OUTSIDE_LANE, type Picture } from './picture.ts'
import { UNMEASURED } from './unmeasured.ts'

const Line = z.object({
  from: z.string(),
  to: z.string(),
  seam: z.boolean(),
  confidence: z.enum(['solid', 'dashed', 'dotted']),
})
const Shape = z.object({
  /** What was asked for: another choice is another picture. */
  asked: z.string(),
  lanes: z.array(z.string()),
  nodes: z.array(TopologyNode),
  lines: z.array(Line),
})
/** Who called whom when the map was last drawn here, without a number. */
export type Shape = z.infer<typeof Shape>

const KEY = 'goldseam.map'

/** Null where there is none for this choice. */
export function readShape(asked: string): Shape | null {
  try {
    const { data } = Shape.safeParse(JSON.parse(localStorage.getItem(KEY) ?? 'null'))
    return data?.asked === asked ? data : null
  } catch {
    return null
  }
}

export function keepShape(text: string): void {
  try {
    localStorage.setItem(KEY, text)
  } catch {
    // Storage may be forbidden: then the next first picture waits for its answer.
  }
}

/** The shape of what is drawn, as text; null where boxes stand for several, or somebody is not read yet. */
export function shapeText(asked: string, { group, nodes, edges }: Picture, lanes: readonly string[]): string | null {
  if (group !== 'workload') return null
  const lines = edges.map(({ edge: { from, to, seam, confidence } }) => ({ from, to, seam, confidence }))
  return JSON.stringify({ asked, lanes, nodes: nodes.map(({ node }) => node), lines } satisfies {
    [name in keyof Shape]: unknown
  })
}

/** What is drawn while nobody has answered: the last shape, without colour. */
export function pictureOfShape({ nodes, lines }: Shape): Picture {
  const drawn = {
    nodes: nodes.map((node) => ({
      id: node.id,
      lane: node.cluster ?? OUTSIDE_LANE,
      node,
      workload: null,
      suspectRank: null,
      onPath: false,
      hiddenCallers: 0,
      hiddenCalls: 0,
      members: [],
    })),
    edges: lines.map((line): DrawnEdge => ({ edge: unread(line), health: 'none', onPath: false, members: [] })),
  }
  return {
    ...drawn,
    suspects: [],
    group: 'workload',
    detail: drawn,
    total: nodes.length,
    hidden: 0,
    hiddenIn: new Map(),
    nothingWrong: false,
  }
}

function unread(line: z.infer<typeof Line>): Edge {
  return { ...line, ...UNMEASURED, rule: 'labels', seenFrom: 'caller' }
}

/** An answer with what was last drawn of the clusters that have not answered yet. */
export function withUnread<T extends { nodes: TopologyNode[]; edges: Edge[] }>(
  answer: T,
  shape: Shape | null,
  pending: ReadonlySet<string>,
): T {
  if (shape === null || pending.size === 0) return answer
  const known = new Set(answer.nodes.map(({ id }) => id))
  const nodes = shape.nodes.filter(({ id, cluster }) => cluster !== null && pending.has(cluster) && !known.has(id))
  for (const { id } of nodes) known.add(id)
  const added = new Set(nodes.map(({ id }) => id))
  const lines = shape.lines.filter(
    ({ from, to }) => known.has(from) && known.has(to) && (added.has(from) || added.has(to)),
  )
  return { ...answer, nodes: [...answer.nodes, ...nodes], edges: [...answer.edges, ...lines.map(unread)] }
}
