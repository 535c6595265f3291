import type { Edge, TopologyNode, Workload } from '@goldseam/server/contract'

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
  /** Of a box that stands for several: who they are, the cause and the worst first. */
  readonly members: readonly DrawnNode[]
}

export interface DrawnEdge {
  readonly edge: Edge
  readonly health: EdgeHealth
  readonly onPath: boolean
  /** Of a line that stands for several calls. */
  readonly members: readonly DrawnEdge[]
}
