import type { KeyboardEvent } from 'react'
import { markOf } from '../../answers/status.ts'
import { plural } from '../../format/age.ts'
import { printed } from '../../format/quantity.ts'
import { ratio } from '../../format/ratio.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import type { Box } from './geometry.ts'
import type { DrawnNode } from './picture.ts'

interface MapCardProps {
  readonly drawn: DrawnNode
  readonly box: Box
  readonly roomy: boolean
  readonly selected: boolean
  readonly dim: boolean
  readonly select: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

export function MapCard({ drawn, box, roomy, selected, dim, select, onKeyDown }: MapCardProps) {
  const { id, node, workload, suspectRank, hiddenCallers, hiddenCalls } = drawn
  const p99 = workload?.now.latencySeconds.p99 ?? null
  const grown = workload?.changeRatio ?? null
  const said = [
    hiddenCallers > 0 && `+ ${plural(hiddenCallers, 'caller')}`,
    hiddenCalls > 0 && `+ ${plural(hiddenCalls, 'call')}`,
  ]
  return (
    <div className="map-place" style={{ left: box.x, top: box.y, width: box.width, height: box.height }}>
      <button
        type="button"
        className="map-card"
        data-node={id}
        data-kind={node.kind}
        data-health={workload?.health ?? 'none'}
        data-suspect={suspectRank !== null}
        data-dim={dim}
        data-roomy={roomy}
        aria-pressed={selected}
        aria-label={[id, workload?.health, suspectRank === null ? '' : `suspect ${suspectRank}`]
          .filter(Boolean)
          .join(', ')}
        title={id}
        onClick={select}
        onKeyDown={onKeyDown}
      >
        <span className="map-card-name">
          {workload ? (
            <Glyph mark={markOf(workload)} size={12} />
          ) : (
            <Glyph mark="none" size={12} label="not measured" />
          )}
          <bdi>{node.name}</bdi>
        </span>
        {roomy && (
          <span className="map-card-facts">
            {node.namespace !== null && <span className="muted">{node.namespace}</span>}
            {workload && <Metric kind="latency" value={p99} truth={workload.truths.p99} label="p99" compact />}
            {grown !== null && grown >= 1.5 && <span className="map-card-change">{printed(ratio(grown))}</span>}
          </span>
        )}
      </button>
      {roomy && said.some(Boolean) && <span className="map-hidden muted">{said.filter(Boolean).join(', ')}</span>}
    </div>
  )
}
