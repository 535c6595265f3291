import './latency-chart.css'
import { memo, useMemo } from 'react'
import { latency } from '../format/latency.ts'
import { printed } from '../format/quantity.ts'
import {
  CHART_PX,
  type ChartFrame,
  LABELS_PX,
  type LatencyUnit,
  latencyDomain,
  latencyTick,
  MARGIN,
  X_AXIS_PX,
} from './axes.ts'
import { doubtLines, isEstimate, PARTIAL_DASH } from './doubt.ts'
import { spread } from './end-labels.ts'
import type { PlotCursor } from './plot-cursor.ts'
import { bandOf, doubtfulLineOf, lineOf } from './plot-shape.ts'
import { type Domain, logPosition, logTicks } from './scales.ts'
import type { Point } from './thin.ts'
import { TimePlot } from './time-plot.tsx'

const PERCENTILES = ['p999', 'p99', 'p95', 'p50'] as const
/** From the tail inwards: the fewer requests lie in a band, the lighter it is. */
const BANDS = [
  { low: 'p99', high: 'p999', opacity: 0.16 },
  { low: 'p95', high: 'p99', opacity: 0.32 },
  { low: 'p50', high: 'p95', opacity: 0.6 },
] as const

const readers = {
  p50: ({ p50 }: Point) => p50,
  p95: ({ p95 }: Point) => p95,
  p99: ({ p99 }: Point) => p99,
  p999: ({ p999 }: Point) => p999,
}

const print = (seconds: number) => printed(latency(seconds))
const printEstimate = (seconds: number) => `~${print(seconds)}`
const tipIn = (frame: ChartFrame) => (point: Point) => [
  ...PERCENTILES.map((name) => ({
    label: name,
    value: point[name],
    print: isEstimate(point, name) ? printEstimate : print,
  })),
  ...doubtLines(point, 'p99', frame),
]
const isP99Estimate = (point: Point) => isEstimate(point, 'p99')
const certainP99 = (point: Point) => (isP99Estimate(point) ? null : point.p99)

interface LatencyChartProps {
  readonly title: string
  readonly points: readonly Point[]
  readonly frame: ChartFrame
  readonly width: number
  readonly cursor: PlotCursor
  readonly usualP99: number | null
  readonly goalP99: number | null
  readonly unit: LatencyUnit
}

/** Percentile bands: dark where most requests are, light towards the tail, p99 as the only heavy line. */
export const LatencyChart = memo(function LatencyChart(props: LatencyChartProps) {
  const { title, points, frame, width, cursor, usualP99, goalP99, unit } = props
  const domain = useMemo(() => latencyDomain(points, usualP99), [points, usualP99])
  const tip = useMemo(() => tipIn(frame), [frame])
  const line = {
    className: 'time-plot-line',
    stroke: 'var(--p99)',
    strokeDasharray: frame.partial ? PARTIAL_DASH : undefined,
  }
  return (
    <div className="latency-chart">
      <TimePlot
        {...{ title, points, frame, cursor, domain, tip }}
        width={Math.max(0, width - LABELS_PX)}
        log
        ticks={logTicks(domain)}
        tickText={latencyTick(unit, domain)}
        read={readers.p99}
        usual={usualP99}
        goal={goalP99}
      >
        {(plot) => (
          <>
            {BANDS.map(({ low, high, opacity }) => (
              <path
                key={low}
                d={bandOf(points, readers[high], readers[low], plot)}
                fill="var(--p50)"
                fillOpacity={opacity}
              />
            ))}
            <path {...line} d={doubtfulLineOf(points, readers.p99, isP99Estimate, plot)} strokeWidth="0.9" />
            <path {...line} d={lineOf(points, certainP99, plot)} strokeWidth="2" />
          </>
        )}
      </TimePlot>
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
          {name}
        </li>
      ))}
    </ul>
  )
}
