import './chart-tip.css'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { momentsIn } from '../format/stretch.ts'
import { CHART_PX, type ChartFrame } from './axes.ts'
import type { PlotCursor } from './plot-cursor.ts'
import type { Plot, Read } from './plot-shape.ts'
import type { Point } from './thin.ts'

interface TipLine {
  readonly label: string
  readonly value: number | null
  readonly print: (value: number) => string
}

export interface PlotReaderProps {
  /** For those who do not see the chart. */
  readonly title: string
  readonly cursor: PlotCursor
  /** What is said of an instant. */
  readonly tip: (point: Point) => readonly TipLine[]
  readonly points: readonly Point[]
  /** What the dot of an instant lies on. */
  readonly read: Read
  readonly plot: Plot
  readonly width: number
  readonly frame: ChartFrame
  /** The drawing, which no reading of it draws anew. */
  readonly children: ReactNode
}

/** Where each key goes, in points; far keys go to an end. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** Reads a chart at an instant, by pointer, finger or arrow keys; charts with the same cursor are read together. */
export function PlotReader(props: PlotReaderProps) {
  const { title, cursor, tip, points, read, plot, width, frame, children } = props
  const moment = momentsIn(frame.fromMs, frame.toMs, frame.zone)
  const atMs = useSyncExternalStore(cursor.subscribe, cursor.get)
  const isRead = atMs !== null
  useEffect(() => {
    if (!isRead) return
    // Also for who points and has the focus elsewhere.
    const onKeyDown = ({ key }: globalThis.KeyboardEvent) => key === 'Escape' && cursor.set(null)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isRead, cursor])
  const index = atMs === null ? null : nearestTo(points, atMs)
  const spoken = points[index ?? points.length - 1]
  const drawn = index === null ? undefined : points[index]

  function onPointer({ clientX, currentTarget }: PointerEvent) {
    const wanted = plot.atOf(clientX - currentTarget.getBoundingClientRect().left)
    cursor.set(points[nearestTo(points, wanted)]?.atMs ?? null)
  }
  function onKeyDown(event: KeyboardEvent) {
    const by = STEPS[event.key]
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey || points.length === 0) return
    event.preventDefault()
    const next = (index ?? points.length - 1) + (index === null && Math.abs(by) === 1 ? 0 : by)
    cursor.set(points[Math.min(points.length - 1, Math.max(0, next))]?.atMs ?? null)
  }
  return (
    <div
      className="time-plot"
      style={{ width, height: CHART_PX }}
      role="slider"
      tabIndex={0}
      aria-label={`${title} over time`}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, points.length - 1)}
      aria-valuenow={index ?? Math.max(0, points.length - 1)}
      aria-valuetext={spoken && [moment(spoken.atMs, true), ...tip(spoken).map(inWords)].join(', ')}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      // A finger that is lifted leaves the chart, too, and what it pointed at is to be read then.
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && cursor.set(null)}
      onKeyDown={onKeyDown}
      onBlur={() => cursor.set(null)}
    >
      {children}
      {drawn && <Reading {...{ point: drawn, time: moment(drawn.atMs, true), read, tip, plot, width }} />}
    </div>
  )
}

interface ReadingProps extends Pick<PlotReaderProps, 'read' | 'tip' | 'plot' | 'width'> {
  readonly point: Point
  readonly time: string
}

function Reading({ point, time, read, tip, plot, width }: ReadingProps) {
  const { top, bottom, left, right, xOf, yOf } = plot
  const x = xOf(point.atMs)
  const value = read(point)
  return (
    <>
      <svg className="time-plot-cursor" width={width} height={CHART_PX} aria-hidden="true">
        <path className="time-plot-at" d={`M${x} ${top}V${bottom}`} />
        {value !== null && <circle cx={x} cy={yOf(value)} r="3" />}
      </svg>
      <div
        className="chart-tip time-plot-tip"
        aria-hidden="true"
        style={x < (left + right) / 2 ? { left: x + 8 } : { right: width - x + 8 }}
      >
        <span className="muted">{time}</span>
        {tip(point).map(({ label, value: read, print }) => (
          <span key={label}>
            {label !== '' && <span className="muted">{label} </span>}
            {read === null ? '--' : print(read)}
          </span>
        ))}
      </div>
    </>
  )
}

function inWords({ label, value, print }: TipLine): string {
  return `${label} ${value === null ? 'no value' : print(value)}`.trim()
}

function nearestTo(points: readonly Point[], wantedMs: number): number {
  let best = 0
  const far = (index: number) => Math.abs((points[index]?.atMs ?? 0) - wantedMs)
  for (let index = 1; index < points.length; index += 1) if (far(index) < far(best)) best = index
  return best
}
