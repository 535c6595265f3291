import './charts.css'
import { memo } from 'react'
import { Area, ComposedChart, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'
import {
  CHART_PX,
  type ChartFrame,
  GOAL_LINE,
  MARGIN,
  timeLabel,
  timeTicks,
  X_AXIS_PX,
  Y_AXIS_PX,
  zeroDomain,
} from './axes.ts'
import { ChartTip } from './chart-tip.tsx'
import type { Domain } from './scales.ts'
import type { Point } from './thin.ts'

type SignalKey = 'requestsPerSecond' | 'inFlight' | 'errorRatio'

interface SignalChartProps {
  readonly points: readonly Point[]
  readonly of: SignalKey
  readonly frame: ChartFrame
  readonly width: number
  readonly usual: number | null
  readonly goal?: number | null
  /** Printed on the axis and in the tooltip. */
  readonly print: (value: number) => string
  /** Rates of errors are drawn on a log axis: 99.9 and 99.99 would look alike on a plain one. */
  readonly log?: Domain
  readonly ticks?: readonly number[]
}

/** One signal over time. Counts start at zero. */
export const SignalChart = memo(function SignalChart({
  points,
  of,
  frame,
  width,
  usual,
  goal = null,
  print,
  log,
  ticks,
}: SignalChartProps) {
  const domain =
    log ??
    zeroDomain(
      points.map((point) => point[of]),
      usual,
    )
  const floor = domain[0]
  const drawnValue = (point: Point) => {
    const value = point[of]
    // A log axis has no zero: no errors lie on its floor.
    return value === null ? undefined : Math.max(value, log ? floor : value)
  }
  return (
    <ComposedChart width={width} height={CHART_PX} data={[...points]} margin={MARGIN} accessibilityLayer={false}>
      <XAxis
        dataKey="atMs"
        type="number"
        domain={[frame.fromMs, frame.toMs]}
        ticks={timeTicks(frame, width)}
        tickFormatter={timeLabel(frame)}
        height={X_AXIS_PX}
        interval="preserveStartEnd"
        tickLine={false}
        axisLine={{ stroke: 'var(--line)' }}
      />
      <YAxis
        width={Y_AXIS_PX}
        domain={[domain[0], domain[1]]}
        scale={log ? 'log' : 'linear'}
        allowDataOverflow
        ticks={ticks ? [...ticks] : [domain[0], domain[1]]}
        tickFormatter={print}
        interval={0}
        tickLine={false}
        axisLine={false}
      />
      {usual !== null && usual > floor && <ReferenceLine y={usual} stroke="var(--none)" strokeDasharray="4 3" />}
      {goal !== null && <ReferenceLine y={Math.max(goal, floor)} {...GOAL_LINE} />}
      {frame.onsetMs !== null && <ReferenceLine x={frame.onsetMs} stroke="var(--crit)" strokeDasharray="2 2" />}
      <Area
        dataKey={drawnValue}
        type="linear"
        stroke="var(--p95)"
        strokeWidth={1.6}
        fill="var(--p50)"
        fillOpacity={0.22}
        baseValue={floor}
        dot={false}
        activeDot={{ r: 3, strokeWidth: 0, fill: 'var(--p99)' }}
        isAnimationActive={false}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={{ stroke: 'var(--control)' }}
        content={<ChartTip frame={frame} lines={(point) => [{ label: '', value: point[of], print }]} />}
      />
    </ComposedChart>
  )
})
