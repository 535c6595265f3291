import './sparkline.css'
import { memo, useMemo } from 'react'
import { type Domain, linePath, logPosition } from './scales.ts'

const WIDTH = 96
const HEIGHT = 28
const INSET = 3

interface SparklineProps {
  readonly values: readonly (number | null)[]
  /** Where the value usually lies; drawn as a grey band. */
  readonly usual: readonly [number, number] | null
  readonly domain: Domain
  /** Colours the last point only: the line itself is not a status. */
  readonly tone: 'ok' | 'warn' | 'crit' | 'none'
  readonly label: string
}

/** A row's history as one SVG path. Hundreds of these redraw on every refresh, so no chart library here. */
export const Sparkline = memo(function Sparkline({ values, usual, domain, tone, label }: SparklineProps) {
  const drawn = useMemo(() => {
    const yOf = (value: number) => HEIGHT - INSET - logPosition(value, domain) * (HEIGHT - 2 * INSET)
    const line = linePath(values, WIDTH - 2 * INSET, yOf)
    const band = usual && { top: yOf(usual[1]), bottom: yOf(usual[0]) }
    return { ...line, band }
  }, [values, usual, domain])
  const { path, last, band } = drawn
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={label}
    >
      {band && (
        <rect
          className="sparkline-band"
          x="0"
          width={WIDTH}
          y={band.top - 1}
          height={Math.max(2, band.bottom - band.top + 2)}
        />
      )}
      {path === '' ? (
        <path className="sparkline-empty" d={`M2 ${HEIGHT - INSET}H${WIDTH - 2}`} />
      ) : (
        <g transform={`translate(${INSET} 0)`}>
          <path className="sparkline-line" d={path} />
          {last && <circle className="sparkline-dot" data-tone={tone} cx={last.x} cy={last.y} r="2.4" />}
        </g>
      )}
    </svg>
  )
})
