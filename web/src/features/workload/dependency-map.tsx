import './dependency-map.css'
import type { DependencyNode } from '@goldseam/server/contract'
import { useMemo } from 'react'
import { viewOf } from '../../answers/edge-reading.ts'
import { markOf } from '../../answers/status.ts'
import { statusText } from '../../answers/status-text.ts'
import { latency } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'
import { perSecond } from '../../format/rate.ts'
import { share } from '../../format/ratio.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { type GraphEdge, type GraphNode, graphOf } from './dependency-graph.ts'
import { isSelected } from './tree-rows.ts'

const CARD = { width: 178, height: 46 } as const
const ROW_PX = 66
const LEAST_GAP = 56
const DASHES = { solid: undefined, dashed: '10 6', dotted: '2 5' } as const

/** The calls as a small picture: the way to the suspect in full, gold rails where it crosses clusters. */
export function DependencyMap({ root, sel }: { readonly root: DependencyNode; readonly sel: string }) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const graph = useMemo(() => graphOf(root), [root])
  const { nodes, edges, columns, rows, hidden } = graph
  const gap = Math.max(LEAST_GAP, columns > 1 ? (width - columns * CARD.width) / (columns - 1) : 0)
  const size = { width: columns * CARD.width + (columns - 1) * Math.min(gap, 160), height: rows * ROW_PX }
  const step = columns > 1 ? (size.width - CARD.width) / (columns - 1) : 0
  const counts = new Map<number, number>()
  for (const { column } of nodes.values()) counts.set(column, (counts.get(column) ?? 0) + 1)
  const placeOf = ({ column, row }: GraphNode) => ({
    x: column * step,
    // Columns are centred on each other, so that a lone callee stands beside the middle of its callers.
    y: (row + (rows - (counts.get(column) ?? 0)) / 2) * ROW_PX + (ROW_PX - CARD.height) / 2,
  })
  return (
    <div className="dependency-map" ref={ref}>
      {width > 0 && (
        <div style={{ width: size.width, height: size.height }} className="dependency-canvas">
          <svg width={size.width} height={size.height} aria-hidden="true">
            {edges.map((edge) => {
              const [from, to] = [nodes.get(edge.from), nodes.get(edge.to)]
              return from && to ? (
                <EdgeLine
                  key={`${edge.from} ${edge.to}`}
                  edge={edge}
                  from={placeOf(from)}
                  to={placeOf(to)}
                  columns={to.column - from.column}
                />
              ) : null
            })}
          </svg>
          {[...nodes.values()].map((node) => (
            <Card key={node.node.id} node={node.node} selected={isSelected(node.node, sel)} {...placeOf(node)} />
          ))}
        </div>
      )}
      {hidden > 0 && <p className="muted">{hidden} more are in the tree.</p>}
    </div>
  )
}

interface EdgeLineProps {
  readonly edge: GraphEdge
  readonly from: { readonly x: number; readonly y: number }
  readonly to: { readonly x: number; readonly y: number }
  /** How many columns it crosses. */
  readonly columns: number
}

function EdgeLine({ edge: { edge, onPath }, from, to, columns }: EdgeLineProps) {
  const [x1, y1] = [from.x + CARD.width, from.y + CARD.height / 2]
  const [x2, y2] = [to.x, to.y + CARD.height / 2]
  const middle = (x1 + x2) / 2
  // A call past a column goes under the cards that stand there.
  const bend = columns > 1 ? ROW_PX : 0
  const path = `M${x1} ${y1}C${middle} ${y1 + bend} ${middle} ${y2 + bend} ${x2} ${y2}`
  const rate = viewOf(edge)?.requestsPerSecond ?? null
  const width = rate === null ? 1.5 : Math.min(6, 1.5 + 1.4 * Math.log10(rate + 1))
  return (
    <g className="dependency-line" data-on-path={onPath}>
      {edge.seam && <path className="dependency-casing" d={path} strokeWidth={width + 7} />}
      {edge.seam && <path className="dependency-gap" d={path} strokeWidth={width + 3.5} />}
      <path className="dependency-core" d={path} strokeWidth={width} strokeDasharray={DASHES[edge.confidence]} />
      {rate !== null && onPath && (
        <text x={middle} y={(y1 + y2) / 2 - 9 + bend * 0.75} textAnchor="middle">
          {printed(perSecond(rate))}
        </text>
      )}
    </g>
  )
}

interface CardProps {
  readonly node: DependencyNode
  readonly selected: boolean
  readonly x: number
  readonly y: number
}

function Card({ node, selected, x, y }: CardProps) {
  const { workload, kind, namespace, name, cluster, suspect, onSuspectPath } = node
  const p99 = workload?.now.latencySeconds.p99 ?? null
  return (
    <div
      className="dependency-card"
      data-suspect={suspect}
      data-on-path={onSuspectPath}
      data-selected={selected}
      style={{ left: x, top: y, width: CARD.width, height: CARD.height }}
    >
      <span className="dependency-card-name">
        {workload ? (
          <Glyph mark={suspect ? 'crit' : markOf(workload)} size={11} label={statusText(workload)} />
        ) : (
          <Glyph mark="none" size={11} />
        )}
        {kind === 'outside' ? (
          <span>outside: {name}</span>
        ) : (
          <WorkloadLink id={node.id}>{namespace ? `${namespace}/${name}` : name}</WorkloadLink>
        )}
      </span>
      <span className="muted">
        {cluster ?? ''}
        {p99 !== null && ` p99 ${printed(latency(p99))}`}
        {node.share !== null && `, own ${printed(share(node.share))}`}
      </span>
    </div>
  )
}
