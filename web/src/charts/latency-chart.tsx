import './charts.css'
import { memo } from 'react'
import { Area, ComposedChart, Line, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'
import { latency } from '../format/latency.ts'
import { printed } from '../format/quantity.ts'
import {
  CHART_PX,
  type ChartFrame,
  GOAL_LINE,
  LABELS_PX,
  type LatencyUnit,
  latencyDomain,
  latencyTick,
  MARGIN,
  timeLabel,
  timeTicks,
  X_AXIS_PX,
  Y_AXIS_PX,
} from './axes.ts'
import { ChartTip } from './chart-tip.tsx'
import { spread } from './end-labels.ts'
import { type Domain, logPosition, logTicks } from './scales.ts'
import type { Point } from './thin.ts'

type Percentile = 'p50' | 'p95' | 'p99' | 'p999'

const PERCENTILES: readonly Percentile[] = ['p999', 'p99', 'p95', 'p50']
const SHORT: Record<Percentile, string> = { p50: 'p50', p95: 'p95', p99: 'p99', p999: 'p999' }

interface LatencyChartProps {
  readonly points: readonly Point[]
  readonly frame: ChartFrame
  readonly width: number
  readonly usualP99: number | null
  readonly goalP99: number | null
  readonly unit: LatencyUnit
}

/** Percentile bands: dark where most requests are, light towards the tail, p99 as the only heavy line. */
export const LatencyChart = memo(function LatencyChart(props: LatencyChartProps) {
  const { points, frame, width, usualP99, goalP99, unit } = props
  const domain = latencyDomain(points, usualP99)
  const chartWidth = Math.max(0, width - LABELS_PX)
  const print = (seconds: number) => printed(latency(seconds))
  const band = (low: Percentile, high: Percentile) => (point: Point) => {
    const ends = [point[low], point[high]]
    return ends.includes(null) ? undefined : ends
  }
  const filled = { type: 'linear', stroke: 'none', isAnimationActive: false, activeDot: false } as const
  return (
    <div className="latency-chart">
      <ComposedChart width={chartWidth} height={CHART_PX} data={[...points]} margin={MARGIN} accessibilityLayer={false}>
        <XAxis
          dataKey="atMs"
          type="number"
          domain={[frame.fromMs, frame.toMs]}
          ticks={timeTicks(frame, chartWidth)}
          tickFormatter={timeLabel(frame)}
          height={X_AXIS_PX}
          interval="preserveStartEnd"
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
        />
        <YAxis
          width={Y_AXIS_PX}
          scale="log"
          domain={[domain[0], domain[1]]}
          allowDataOverflow
          ticks={logTicks(domain)}
          tickFormatter={latencyTick(unit, domain)}
          interval={0}
          tickLine={false}
          axisLine={false}
        />
        <Area {...filled} dataKey={band('p99', 'p999')} fill="var(--p50)" fillOpacity={0.16} />
        <Area {...filled} dataKey={band('p95', 'p99')} fill="var(--p50)" fillOpacity={0.32} />
        <Area {...filled} dataKey={band('p50', 'p95')} fill="var(--p50)" fillOpacity={0.6} />
        {usualP99 !== null && <ReferenceLine y={usualP99} stroke="var(--none)" strokeDasharray="4 3" />}
        {goalP99 !== null && <ReferenceLine y={goalP99} {...GOAL_LINE} />}
        {frame.onsetMs !== null && <ReferenceLine x={frame.onsetMs} stroke="var(--crit)" strokeDasharray="2 2" />}
        <Line
          type="linear"
          dataKey={(point: Point) => point.p99 ?? undefined}
          stroke="var(--p99)"
          strokeWidth={2}
          dot={false}
          activeDot={{ r: 3, strokeWidth: 0 }}
          isAnimationActive={false}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--control)' }}
          content={
            <ChartTip
              frame={frame}
              lines={(point) => PERCENTILES.map((name) => ({ label: SHORT[name], value: point[name], print }))}
            />
          }
        />
      </ComposedChart>
      <EndLabels points={points} domain={domain} />
    </div>
  )
})

/** Names at the right end of the lines instead of a legend. */
function EndLabels({ points, domain }: { readonly points: readonly Point[]; readonly domain: Domain }) {
  const last = points.findLast(({ p99 }) => p99 !== null)
  if (!last) return null
  const plot = CHART_PX - X_AXIS_PX - MARGIN.top
  const wanted = PERCENTILES.flatMap((name) => {
    const value = last[name]
    return value === null ? [] : [{ name, y: MARGIN.top + (1 - logPosition(value, domain)) * plot }]
  })
  const tops = spread(
    wanted.map(({ y }) => y),
    plot + MARGIN.top,
  )
  return (
    <ul className="end-labels" aria-hidden="true" style={{ width: LABELS_PX }}>
      {wanted.map(({ name }, index) => (
        <li key={name} data-of={name} style={{ top: tops[index] ?? 0 }}>
          {SHORT[name]}
        </li>
      ))}
    </ul>
  )
}
