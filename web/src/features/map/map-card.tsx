import type { KeyboardEvent } from 'react'
import { StatusGlyph } from '../../answers/status-glyph.tsx'
import { statusText } from '../../answers/status-text.ts'
import { type Domain, linePath, logPosition } from '../../charts/scales.ts'
import { plural } from '../../format/age.ts'
import { printed } from '../../format/quantity.ts'
import { ratio, share } from '../../format/ratio.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import type { DrawnNode } from './drawn.ts'
import type { Box } from './geometry.ts'
import { inTroubleOf } from './groups.ts'

interface MapCardProps {
  readonly drawn: DrawnNode
  readonly box: Box
  readonly roomy: boolean
  /** Of all cards' lines, so that they can be compared by eye. */
  readonly domain: Domain
  /** Its cluster is silent: the card tells what was. */
  readonly ghost: boolean
  /** Nobody knows yet how it is. */
  readonly unread: boolean
  readonly selected: boolean
  readonly dim: boolean
  readonly select: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** A card that is narrower has its name there. Pixels. */
const WITH_TREND = 160

export function MapCard({ drawn, box, roomy, domain, ghost, unread, selected, dim, select, onKeyDown }: MapCardProps) {
  const { id, node, workload, members, suspectRank, hiddenCallers, hiddenCalls } = drawn
  const p99 = workload?.now.latencySeconds.p99 ?? null
  const grown = workload?.changeRatio ?? null
  const troubled = inTroubleOf(members)
  const shown = workload ?? members[0]?.workload ?? null
  const own = suspectRank === null ? null : (workload?.own.share ?? null)
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
        data-health={shown?.health ?? 'none'}
        data-suspect={suspectRank !== null}
        data-dim={dim}
        data-ghost={ghost}
        data-roomy={roomy}
        aria-pressed={selected}
        aria-label={[
          id,
          shown?.health,
          members.length > 0 ? plural(members.length, 'workload') : '',
          suspectRank === null ? '' : `suspect ${suspectRank}`,
          ghost ? 'as it was last seen' : '',
          unread ? 'not read yet' : '',
        ]
          .filter(Boolean)
          .join(', ')}
        title={workload ? `${id}: ${statusText(workload)}` : id}
        onClick={select}
        onKeyDown={onKeyDown}
      >
        <span className="map-card-name">
          {shown ? (
            <StatusGlyph workload={shown} size={12} />
          ) : (
            <Glyph mark="none" size={12} label={unread ? 'not read yet' : 'not measured'} />
          )}
          <Name text={node.name} />
          {roomy && box.width >= WITH_TREND && workload && <Trend values={workload.trend.p99Seconds} domain={domain} />}
        </span>
        {roomy && (
          <span className="map-card-facts">
            {members.length > 0 && (
              <span>
                {plural(members.length, 'workload')}
                {troubled > 0 && <span className="map-card-change">, {troubled} in trouble</span>}
              </span>
            )}
            {node.namespace !== null && own === null && <span className="muted">{node.namespace}</span>}
            {workload && (
              <Metric
                kind="latency"
                value={p99}
                truth={workload.truths.p99}
                ageSeconds={workload.ageSeconds}
                label="p99"
                compact
              />
            )}
            {grown !== null && grown >= 1.5 && <span className="map-card-change">{printed(ratio(grown))}</span>}
            {own !== null && <span>own {printed(share(own))}</span>}
          </span>
        )}
      </button>
      {roomy && said.some(Boolean) && <span className="map-hidden muted">{said.filter(Boolean).join(', ')}</span>}
    </div>
  )
}

/** So much of the end of a name is always there: it tells most. */
const TAIL = 6

/** Where it is too long something in the middle is left out. */
function Name({ text }: { readonly text: string }) {
  return (
    <bdi className="map-name">
      <span>{text.slice(0, -TAIL)}</span>
      <span>{text.slice(-TAIL)}</span>
    </bdi>
  )
}

const WIDTH = 44
const HEIGHT = 14

/** The way up to now, too small for anything but its shape. */
function Trend({ values, domain }: { readonly values: readonly (number | null)[]; readonly domain: Domain }) {
  const { path } = linePath(values, WIDTH, (value) => HEIGHT - 1 - logPosition(value, domain) * (HEIGHT - 2))
  return (
    <svg className="map-trend" width={WIDTH} height={HEIGHT} aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
