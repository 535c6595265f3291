import './time-plot.css'
import { type ReactNode, useId, useMemo } from 'react'
import { momentsIn } from '../format/stretch.ts'
import { CHART_PX, type ChartFrame, timeLabel, timeTicks } from './axes.ts'
import { InstantAxis, ValueAxis } from './plot-axes.tsx'
import { PlotReader, type PlotReaderProps } from './plot-reader.tsx'
import { type Blank, blanksOf, type Plot, plotOf, type Read } from './plot-shape.ts'
import type { Domain } from './scales.ts'
import type { Point } from './thin.ts'

interface TimePlotProps extends Pick<PlotReaderProps, 'title' | 'cursor' | 'tip'> {
  readonly points: readonly Point[]
  readonly frame: ChartFrame
  readonly width: number
  readonly domain: Domain
  readonly log: boolean
  readonly ticks: readonly number[]
  readonly tickText: (value: number) => string
  /** The signal: where it has no value, the chart says why. */
  readonly read: Read
  readonly usual: number | null
  readonly goal: number | null
  /** The lines and bands. */
  readonly children: (plot: Plot) => ReactNode
}

/**
 * One chart over time as plain SVG, with what all charts of a page have in common: axes, what is usual, what was
 * promised, when it began, and what was not measured. No chart library: four charts of one took a slow processor a
 * second and a half, and these some hundredths of one.
 */
export function TimePlot(props: TimePlotProps) {
  const { title, cursor, tip, points, frame, width, domain, log, ticks, tickText, read, usual, goal, children } = props
  const plot = useMemo(() => plotOf(frame, { width, domain, log }), [frame, width, domain, log])
  const blanks = useMemo(() => blanksOf(points, read, frame), [points, read, frame])
  const { left, right, top, bottom, xOf, yOf } = plot
  const id = useId()
  const goalY = goal === null ? 0 : yOf(goal)
  return (
    <PlotReader {...{ title, cursor, tip, points, read, plot, width, frame }}>
      <svg width={width} height={CHART_PX} aria-hidden="true">
        <Spans {...{ frame, plot, id }} />
        <ValueAxis print={tickText} {...{ ticks, left, right, yOf }} />
        <path className="time-plot-base" d={`M${left} ${bottom}H${right}`} />
        <InstantAxis ticks={timeTicks(frame, width)} y={CHART_PX - 4} xOf={xOf} print={timeLabel(frame)} />
        <Blanks {...{ blanks, plot, id }} />
        {usual !== null && usual > domain[0] && (
          <path className="time-plot-usual" d={`M${left} ${yOf(usual)}H${right}`} fill="none" />
        )}
        {goal !== null && (
          <>
            <path className="time-plot-goal" d={`M${left} ${goalY}H${right}`} />
            <text className="time-plot-note" x={left + 4} y={goalY - top > 12 ? goalY - 3 : goalY + 10}>
              goal
            </text>
          </>
        )}
        {children(plot)}
        {frame.onsetMs !== null && (
          <path className="time-plot-onset" d={`M${xOf(frame.onsetMs)} ${top}V${bottom}`} fill="none" />
        )}
      </svg>
    </PlotReader>
  )
}

interface SpansProps {
  readonly frame: ChartFrame
  readonly plot: Plot
  readonly id: string
}

/** What is compared with what: tinted on a screen, hatched on paper. */
function Spans({ frame, plot, id }: SpansProps) {
  const { onsetMs, fromMs, toMs, calm, zone } = frame
  const moment = momentsIn(fromMs, toMs, zone)
  const { top, bottom, xOf } = plot
  const spans = [
    ...(calm ? [{ of: 'calm', ...calm, name: 'what is usual is from here' }] : []),
    ...(onsetMs === null ? [] : [{ of: 'incident', fromMs: onsetMs, toMs, name: 'since it began' }]),
  ]
  return (
    <>
      <defs>
        <Hatch id={`${id}unseen`} turn={45} ink="var(--hatch)" />
        <Hatch id={`${id}incident`} turn={-45} ink="var(--hatch)" />
        <Hatch id={`${id}calm`} turn={90} ink="var(--line)" />
      </defs>
      {spans.map(({ of, fromMs: startMs, toMs: endMs, name }) => {
        const place = { x: xOf(startMs), y: top, width: Math.max(0, xOf(endMs) - xOf(startMs)), height: bottom - top }
        return (
          <g key={of}>
            <rect className="time-plot-span no-print" data-of={of} {...place}>
              <title>{`${moment(startMs)}-${moment(endMs)}: ${name}`}</title>
            </rect>
            <rect className="print-only" fill={`url(#${id}${of})`} {...place} />
          </g>
        )
      })}
    </>
  )
}

function Hatch({ id, turn, ink }: { readonly id: string; readonly turn: number; readonly ink: string }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform={`rotate(${turn})`}>
      <path d="M0 0V6" stroke={ink} strokeWidth="2" />
    </pattern>
  )
}

interface BlanksProps {
  readonly blanks: readonly Blank[]
  readonly plot: Plot
  readonly id: string
}

/** No requests and no measurements are two things: a dotted foot, and a hatch. */
function Blanks({ blanks, plot, id }: BlanksProps) {
  const { top, bottom, xOf } = plot
  return blanks.map(({ fromMs, toMs, why }) =>
    why === 'idle' ? (
      <path key={fromMs} className="time-plot-idle" d={`M${xOf(fromMs)} ${bottom - 1}H${xOf(toMs)}`} fill="none" />
    ) : (
      <rect
        key={fromMs}
        x={xOf(fromMs)}
        y={top}
        width={xOf(toMs) - xOf(fromMs)}
        height={bottom - top}
        fill={`url(#${id}unseen)`}
      />
    ),
  )
}
