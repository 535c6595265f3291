import type { Edge } from '@goldseam/server/contract'
import { changeOf, viewAge, viewOf } from '../../answers/edge-reading.ts'
import { lasting } from '../../format/age.ts'
import { latency } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'
import { perSecond } from '../../format/rate.ts'
import { ratio } from '../../format/ratio.ts'
import { shortName } from '../../format/workload-name.ts'
import type { EdgeHealth } from './drawn.ts'
import type { Line } from './geometry.ts'

const CASING = 4
const STITCHES = [-6, 0, 6]
const DASHES = { solid: undefined, dashed: '10 6', dotted: '2 5' } as const

interface MapLinesProps {
  readonly lines: readonly Line[]
  readonly selected: string
  readonly dim: boolean
  /** Room for words beside lines. */
  readonly roomy: boolean
  readonly select: (id: string) => void
}

/** Calls as lines: width is their rate, colour is how their caller has it, a gold casing means another cluster. */
export function MapLines({ lines, selected, dim, roomy, select }: MapLinesProps) {
  // What matters is drawn last, on top of the rest.
  const sorted = [...lines].sort((a, b) => Number(a.drawn.onPath) - Number(b.drawn.onPath))
  return sorted.map(({ drawn: { edge, health, onPath }, path, width, stitch, label }) => {
    const id = `${edge.from}~${edge.to}`
    return (
      <g
        key={`${id} ${edge.destination ?? ''}`}
        className="map-line"
        data-health={health}
        data-dim={dim && !onPath && selected !== id}
        data-selected={selected === id}
      >
        {/* For the mouse alone; the keyboard has the list of calls beside the picture. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: hidden from assistive technology, with the whole drawing */}
        <path className="map-hit" d={path} strokeWidth={width + 10} onClick={() => select(selected === id ? '' : id)}>
          <title>{told(edge)}</title>
        </path>
        {edge.seam && <path className="map-casing" d={path} strokeWidth={width + 2 * CASING} />}
        {edge.seam && <path className="map-gap" d={path} strokeWidth={width + CASING} />}
        <path className="map-core" d={path} strokeWidth={width} strokeDasharray={DASHES[edge.confidence]} />
        {stitch && (
          <g transform={`translate(${stitch.x.toFixed(1)} ${stitch.y.toFixed(1)}) rotate(${degrees(stitch.angle)})`}>
            {STITCHES.map((offset) => (
              <line
                key={offset}
                className="map-stitch"
                x1={offset}
                x2={offset}
                y1={-8 - width / 2}
                y2={8 + width / 2}
              />
            ))}
          </g>
        )}
        {isLabelled(health, onPath || !dim, edge, selected) && roomy && (
          <text className="map-label" x={label.x} y={label.y} style={{ textAnchor: label.anchor }}>
            {rateOf(edge)}
          </text>
        )}
      </g>
    )
  })
}

function degrees(radians: number): string {
  return ((radians * 180) / Math.PI).toFixed(1)
}

/** Words beside every line are words beside none: those of the way to the suspect, or of trouble without a suspect. */
function isLabelled(health: EdgeHealth, bright: boolean, edge: Edge, selected: string): boolean {
  const chosen = edge.from === selected || edge.to === selected
  return chosen || (bright && (health === 'warn' || health === 'crit'))
}

/** `41/s x19`: how much, and how much slower than usual. */
function rateOf(edge: Edge): string {
  const view = viewOf(edge)
  const grown = changeOf(view, edge.usual)
  const words = [
    view?.requestsPerSecond == null ? '' : printed(perSecond(view.requestsPerSecond)),
    grown !== null && grown >= 1.5 ? printed(ratio(grown)) : '',
  ]
  return words.filter(Boolean).join(' ')
}

function told(edge: Edge): string {
  const mean = viewOf(edge)?.latencySeconds.mean ?? null
  const old = viewAge(edge)
  const words = [
    rateOf(edge),
    mean === null ? '' : `mean ${printed(latency(mean))}`,
    edge.seam ? 'seam' : '',
    old === null ? '' : `as of ${lasting(old)} ago`,
  ]
  return `${shortName(edge.from)} to ${shortName(edge.to)}: ${words.filter(Boolean).join(', ')}`
}
