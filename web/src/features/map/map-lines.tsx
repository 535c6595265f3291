import type { Line } from './geometry.ts'

const CASING = 4
const STITCHES = [-6, 0, 6]
const DASHES = { solid: undefined, dashed: '10 6', dotted: '2 5' } as const

interface MapLinesProps {
  readonly lines: readonly Line[]
  readonly selected: string
  readonly dim: boolean
}

/** Calls as lines: width is their rate, colour is how their caller has it, a gold casing means another cluster. */
export function MapLines({ lines, selected, dim }: MapLinesProps) {
  // What matters is drawn last, on top of the rest.
  const sorted = [...lines].sort((a, b) => Number(a.drawn.onPath) - Number(b.drawn.onPath))
  return sorted.map(({ drawn: { edge, health, onPath }, path, width, stitch, middle }) => {
    const id = `${edge.from}~${edge.to}`
    return (
      <g
        key={`${id} ${edge.destination ?? ''}`}
        className="map-line"
        data-health={health}
        data-dim={dim && !onPath && selected !== id}
        data-selected={selected === id}
      >
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
        {!edge.seam && onPath && <circle className="map-dot" cx={middle.x} cy={middle.y} r={2} />}
      </g>
    )
  })
}

function degrees(radians: number): string {
  return ((radians * 180) / Math.PI).toFixed(1)
}
