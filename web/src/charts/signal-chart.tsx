import { memo } from 'react'
import { type ChartFrame, zeroDomain } from './axes.ts'
import { doubtLines, PARTIAL_DASH } from './doubt.ts'
import type { PlotCursor } from './plot-cursor.ts'
import { bandOf, lineOf, type Plot } from './plot-shape.ts'
import type { Domain } from './scales.ts'
import type { Point } from './thin.ts'
import { TimePlot } from './time-plot.tsx'

type SignalKey = 'requestsPerSecond' | 'inFlight' | 'errorRatio'

interface SignalChartProps {
  readonly title: string
  readonly points: readonly Point[]
  readonly of: SignalKey
  readonly frame: ChartFrame
  readonly width: number
  readonly cursor: PlotCursor
  readonly usual: number | null
  readonly goal?: number | null
  /** Printed on the axis and beside the cursor. */
  readonly print: (value: number) => string
  /** Rates of errors are drawn on a log axis: 99.9 and 99.99 would look alike on a plain one. */
  readonly log?: Domain
  readonly ticks?: readonly number[]
}

/** One signal over time. Counts start at zero. */
export const SignalChart = memo(function SignalChart(props: SignalChartProps) {
  const { title, points, of, frame, width, cursor, usual, goal = null, print, log, ticks } = props
  const domain =
    log ??
    zeroDomain(
      points.map((point) => point[of]),
      usual,
    )
  // A log axis has no zero: no errors lie on its floor.
  const read = (point: Point) => point[of]
  const drawn = (plot: Plot) => (
    <>
      <path d={bandOf(points, read, null, plot)} fill="var(--p50)" fillOpacity="0.22" />
      <path
        className="time-plot-line"
        d={lineOf(points, read, plot)}
        stroke="var(--p95)"
        strokeWidth="1.6"
        strokeDasharray={frame.partial ? PARTIAL_DASH : undefined}
      />
    </>
  )
  return (
    <TimePlot
      {...{ title, points, frame, width, cursor, domain, read, usual, goal }}
      log={log !== undefined}
      ticks={ticks ?? domain}
      tickText={print}
      tip={(point) => [{ label: '', value: point[of], print }, ...doubtLines(point, null, frame)]}
    >
      {drawn}
    </TimePlot>
  )
})
