import { clock } from '../format/clock.ts'
import type { ChartFrame } from './axes.ts'
import type { Point } from './thin.ts'

interface TipLine {
  readonly label: string
  readonly value: number | null
  readonly print: (value: number) => string
}

interface ChartTipProps {
  readonly frame: ChartFrame
  readonly lines: (point: Point) => readonly TipLine[]
  /** Handed in by the chart. */
  readonly active?: boolean
  readonly payload?: readonly { readonly payload?: Point }[]
}

export function ChartTip({ frame, lines, active, payload }: ChartTipProps) {
  const point = payload?.[0]?.payload
  if (!active || !point) return null
  return (
    <div className="chart-tip">
      <span className="muted">{clock(point.atMs, frame.zone, true)}</span>
      {lines(point).map(({ label, value, print }) => (
        <span key={label}>
          {label !== '' && <span className="muted">{label} </span>}
          {value === null ? '--' : print(value)}
        </span>
      ))}
    </div>
  )
}
