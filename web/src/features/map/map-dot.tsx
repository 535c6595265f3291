import type { KeyboardEvent } from 'react'
import { markOf } from '../../answers/status.ts'
import { statusText } from '../../answers/status-text.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import type { DrawnNode } from './drawn.ts'
import type { Box } from './geometry.ts'

interface MapDotProps {
  readonly drawn: DrawnNode
  readonly box: Box
  /** Where its words have no room to the right of it. */
  readonly atEnd: boolean
  readonly ghost: boolean
  /** Nobody knows yet how it is. */
  readonly unread: boolean
  readonly dim: boolean
  readonly select: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** One of many that are well: its name and its number appear under the pointer, and when the keyboard comes by. */
export function MapDot({
  drawn: { id, node, workload },
  box,
  atEnd,
  ghost,
  unread,
  dim,
  select,
  onKeyDown,
}: MapDotProps) {
  return (
    <button
      type="button"
      className="map-card map-dot"
      style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
      data-node={id}
      data-kind={node.kind}
      data-dim={dim}
      data-side={atEnd ? 'end' : 'start'}
      data-ghost={ghost}
      aria-pressed={false}
      aria-label={[id, workload?.health, ghost ? 'as it was last seen' : '', unread ? 'not read yet' : '']
        .filter(Boolean)
        .join(', ')}
      onClick={select}
      onKeyDown={onKeyDown}
    >
      <Glyph
        mark={workload ? markOf(workload) : 'none'}
        size={12}
        label={workload ? `${id}: ${statusText(workload)}` : id}
      />
      <span className="map-dot-words" aria-hidden="true">
        <strong>{node.name}</strong>
        {node.namespace !== null && <span className="muted">{node.namespace}</span>}
        {workload && (
          <Metric
            kind="latency"
            value={workload.now.latencySeconds.p99}
            truth={workload.truths.p99}
            ageSeconds={workload.ageSeconds}
            label="p99"
          />
        )}
      </span>
    </button>
  )
}
