import type { Edge, EdgeView, Golden, TopologyNode } from '@goldseam/server/contract'
import { viewAge, viewOf } from '../../answers/edge-reading.ts'
import { parseEdgeId } from '../../format/workload-name.ts'
import type { DrawnEdge, DrawnNode, EdgeHealth } from './drawn.ts'
import { groupBy } from './layout.ts'
import { UNMEASURED } from './unmeasured.ts'

export const MAP_GROUPS = ['workload', 'ns', 'cluster'] as const
export type MapGroup = (typeof MAP_GROUPS)[number]

interface Drawn {
  readonly nodes: readonly DrawnNode[]
  readonly edges: readonly DrawnEdge[]
}

/** The box a workload is drawn in. What no cluster measures stays by itself. */
export function boxIdOf({ id, cluster, namespace }: TopologyNode, group: MapGroup): string {
  if (cluster === null || group === 'workload') return id
  return group === 'cluster' || namespace === null ? cluster : `${cluster}/${namespace}`
}

/** One box for each namespace or cluster, and one line for all calls between two; calls inside a box are not drawn. */
export function grouped({ nodes, edges }: Drawn, group: MapGroup): Drawn {
  const boxes = new Map(nodes.map((drawn) => [drawn.id, boxIdOf(drawn.node, group)]))
  const members = groupBy(nodes, ({ id }) => boxes.get(id) ?? id)
  const lines = groupBy(
    edges.filter(({ edge }) => boxes.get(edge.from) !== boxes.get(edge.to)),
    ({ edge }) => `${boxes.get(edge.from)}~${boxes.get(edge.to)}`,
  )
  return {
    nodes: [...members].map(([id, inside]) => boxNode(id, inside)),
    edges: [...lines].map(([id, inside]) => boxEdge(id, inside)),
  }
}

function boxNode(id: string, members: readonly DrawnNode[]): DrawnNode {
  const [first] = members
  if (first === undefined) throw new Error('a box without members')
  if (members.length === 1 && first.id === id) return first
  const ranks = members.flatMap(({ suspectRank }) => suspectRank ?? [])
  return {
    ...first,
    id,
    node: { ...first.node, id, kind: 'workload', namespace: null, name: id.split('/')[1] ?? id },
    workload: null,
    members: [...members].sort((a, b) => weight(a) - weight(b) || (a.id < b.id ? -1 : 1)),
    suspectRank: ranks.length === 0 ? null : Math.min(...ranks),
    onPath: members.some(({ onPath }) => onPath),
    hiddenCallers: 0,
    hiddenCalls: 0,
  }
}

const HEALTHS = ['crit', 'warn', 'ok', 'none'] as const

/** Who is the cause comes first, then who has it worst. */
function weight({ suspectRank, workload }: DrawnNode): number {
  return suspectRank === null ? 1_000 + HEALTHS.indexOf(workload?.health ?? 'none') : suspectRank
}

export function inTroubleOf(members: readonly DrawnNode[]): number {
  return members.filter(({ workload }) => workload?.health === 'crit' || workload?.health === 'warn').length
}

const CONFIDENCES = ['dotted', 'dashed', 'solid'] as const

function boxEdge(id: string, members: readonly DrawnEdge[]): DrawnEdge {
  const ends = parseEdgeId(id)
  const [first] = members
  if (ends === null || first === undefined) throw new Error('a line without calls')
  const health = HEALTHS.find((one) => members.some((member) => member.health === one)) ?? 'none'
  const confidence = CONFIDENCES.find((one) => members.some(({ edge }) => edge.confidence === one)) ?? 'solid'
  const usual = sumOf(members.map(({ edge }) => edge.usual))
  const ages = members.flatMap((member) => viewAge(member.edge) ?? [])
  const ageSeconds = ages.length === 0 ? null : Math.max(...ages)
  const edge: Edge = {
    ...first.edge,
    ...UNMEASURED,
    ...ends,
    // A sum is no newer than the oldest of what it is made of.
    ageSeconds,
    callerAgeSeconds: ageSeconds,
    calleeAgeSeconds: null,
    seam: members.some((member) => member.edge.seam),
    // A chain is as strong as its weakest link.
    confidence,
    caller: viewSum(members.map((member) => viewOf(member.edge))),
    usual,
  }
  return { edge, health: health satisfies EdgeHealth, onPath: members.some(({ onPath }) => onPath), members }
}

function viewSum(views: readonly (EdgeView | null)[]): EdgeView | null {
  const sum = sumOf(views)
  if (sum === null) return null
  const each = views.some((view) => view?.attempts === 'each')
  return {
    ...sum,
    bounds: { p50: null, p95: null, p99: null, p999: null },
    measure: views.some((view) => view?.measure === 'firstByte') ? 'firstByte' : 'full',
    attempts: each ? 'each' : 'effective',
  }
}

/** Counts add up, and means weighted by their requests; percentiles do neither, so there are none. */
function sumOf(views: readonly (Golden | null)[]): Golden | null {
  const known = views.filter((view) => view !== null)
  if (known.length === 0) return null
  return {
    requestsPerSecond: total(known.map(({ requestsPerSecond }) => requestsPerSecond)),
    failuresPerSecond: total(known.map(({ failuresPerSecond }) => failuresPerSecond)),
    successRatio: weighted(known, ({ successRatio }) => successRatio),
    sampleCount: total(known.map(({ sampleCount }) => sampleCount)),
    percentiles: null,
    inFlight: total(known.map(({ inFlight }) => inFlight)),
    latencySeconds: {
      mean: weighted(known, ({ latencySeconds }) => latencySeconds.mean),
      p50: null,
      p95: null,
      p99: null,
      p999: null,
    },
  }
}

function total(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

function weighted(views: readonly Golden[], of: (view: Golden) => number | null): number | null {
  const known = views.flatMap((view) => {
    const value = of(view)
    return value === null || !view.requestsPerSecond ? [] : [{ value, rate: view.requestsPerSecond }]
  })
  const rate = known.reduce((sum, one) => sum + one.rate, 0)
  return rate === 0 ? null : known.reduce((sum, one) => sum + one.value * one.rate, 0) / rate
}
