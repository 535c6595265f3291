import './chart-tip.css'
import './line-plot.css'
import { type KeyboardEvent, memo, type PointerEvent, useMemo, useState } from 'react'
import type { Zone } from '../format/clock.ts'
import { momentsIn } from '../format/stretch.ts'
import { zeroDomain } from './axes.ts'
import { InstantAxis, ValueAxis } from './plot-axes.tsx'
import { type Domain, logTicks } from './scales.ts'

export interface PlotLine {
  readonly id: string
  readonly label: string
  readonly atMs: readonly number[]
  readonly values: readonly (number | null)[]
  /** A CSS colour. */
  readonly colour: string
  readonly dash?: string
  readonly strong?: boolean
}

interface LinePlotProps {
  readonly lines: readonly PlotLine[]
  readonly width: number
  readonly height?: number
  readonly fromMs: number
  readonly toMs: number
  readonly zone: Zone
  readonly print: (value: number) => string
  /** How an instant is written; unset: the clock, with the day where it takes one. */
  readonly printAt?: (atMs: number) => string
  readonly log?: boolean
  /** Unset: from the lines. */
  readonly domain?: Domain
  readonly marks?: readonly { readonly atMs: number; readonly label: string }[]
  readonly lit?: string | null
  readonly label: string
}

const LEFT = 52
const BOTTOM = 18
const TOP = 8
const MOST_TIP_LINES = 8

/** Several lines on one axis, as plain SVG paths: twenty lines cost less here than one in a chart library. */
export const LinePlot = memo(function LinePlot(props: LinePlotProps) {
  const { lines, width, height = 220, fromMs, toMs, zone, print, log = false, marks = [], lit = null, label } = props
  const moment = momentsIn(fromMs, toMs, zone)
  const printAt = props.printAt ?? ((atMs: number) => moment(atMs, toMs - fromMs < 600_000))
  const [atMs, setAtMs] = useState<number | null>(null)
  const domain = useMemo(() => props.domain ?? domainOf(lines, log), [props.domain, lines, log])
  const inner = { width: Math.max(1, width - LEFT - 4), height: height - TOP - BOTTOM }
  const xOf = (at: number) => LEFT + ((at - fromMs) / Math.max(1, toMs - fromMs)) * inner.width
  const yOf = (value: number) => TOP + (1 - position(value, domain, log)) * inner.height
  const ticks = log ? logTicks(domain) : [domain[0], (domain[0] + domain[1]) / 2, domain[1]]
  const instants = useMemo(() => [...new Set(lines.flatMap(({ atMs: at }) => [...at]))].sort((a, b) => a - b), [lines])

  function onPointerMove(event: PointerEvent<SVGSVGElement>) {
    const box = event.currentTarget.getBoundingClientRect()
    const wanted = fromMs + ((event.clientX - box.left - LEFT) / inner.width) * (toMs - fromMs)
    setAtMs(nearest(instants, wanted))
  }
  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.key === 'Escape') return setAtMs(null)
    if (by === undefined || instants.length === 0) return
    event.preventDefault()
    const at = atMs === null ? (by > 0 ? -1 : instants.length) : instants.indexOf(atMs)
    setAtMs(instants[Math.min(instants.length - 1, Math.max(0, at + by))] ?? null)
  }
  return (
    <div className="line-plot" style={{ height }}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys walk over what is drawn
        tabIndex={0}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setAtMs(null)}
        onKeyDown={onKeyDown}
        onBlur={() => setAtMs(null)}
      >
        <ValueAxis left={LEFT} right={width - 4} {...{ ticks, yOf, print }} />
        <InstantAxis ticks={[fromMs, (fromMs + toMs) / 2, toMs]} y={height - 4} xOf={xOf} print={printAt} />
        {marks
          .filter(({ atMs: at }) => at >= fromMs && at <= toMs)
          .map((mark) => (
            <g key={`${mark.atMs} ${mark.label}`} className="line-plot-mark">
              <path d={`M${xOf(mark.atMs)} ${TOP}V${height - BOTTOM}`} />
              {xOf(mark.atMs) < LEFT + inner.width / 2 ? (
                <text x={xOf(mark.atMs) + 4} y={TOP + 9}>
                  {mark.label}
                </text>
              ) : (
                <text x={xOf(mark.atMs) - 4} y={TOP + 9} textAnchor="end">
                  {mark.label}
                </text>
              )}
            </g>
          ))}
        {lines.map((line) => {
          const { path, dots } = pathOf(line, xOf, yOf)
          const shade = { stroke: line.colour, 'data-faint': lit !== null && lit !== line.id }
          return (
            <g key={line.id}>
              <path
                className="line-plot-line"
                d={path}
                strokeDasharray={line.dash}
                data-strong={line.strong === true || lit === line.id}
                {...shade}
              />
              {dots !== '' && <path className="line-plot-dots" d={dots} {...shade} />}
            </g>
          )
        })}
        {atMs !== null && <path className="line-plot-cursor" d={`M${xOf(atMs)} ${TOP}V${height - BOTTOM}`} />}
      </svg>
      {atMs !== null && (
        <Tip lines={lines} atMs={atMs} print={print} time={printAt(atMs)} x={xOf(atMs)} width={width} />
      )}
    </div>
  )
})

interface TipProps {
  readonly lines: readonly PlotLine[]
  readonly atMs: number
  readonly print: (value: number) => string
  readonly time: string
  readonly x: number
  readonly width: number
}

function Tip({ lines, atMs, print, time, x, width }: TipProps) {
  const read = lines
    .map((line) => ({ ...line, value: valueAt(line, atMs) }))
    .filter((line) => line.value !== null)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
  return (
    <div className="chart-tip line-plot-tip" style={x < width / 2 ? { left: x + 10 } : { right: width - x + 10 }}>
      <span className="muted">{time}</span>
      {read.slice(0, MOST_TIP_LINES).map(({ id, label, colour, value }) => (
        <span key={id}>
          <i style={{ background: colour }} /> {label} <b>{print(value ?? 0)}</b>
        </span>
      ))}
      {read.length > MOST_TIP_LINES && <span className="muted">and {read.length - MOST_TIP_LINES} more</span>}
      {read.length === 0 && <span className="muted">nothing measured</span>}
    </div>
  )
}

function valueAt({ atMs, values }: PlotLine, wanted: number): number | null {
  const index = atMs.indexOf(wanted)
  return index < 0 ? null : (values[index] ?? null)
}

function nearest(sorted: readonly number[], wanted: number): number | null {
  let best: number | null = null
  for (const at of sorted) if (best === null || Math.abs(at - wanted) < Math.abs(best - wanted)) best = at
  return best
}

/**
 * The line, and the points that stand alone, of which it would show nothing. More than one and a half steps without a
 * sample is a gap, and stays one.
 */
function pathOf({ atMs, values }: PlotLine, xOf: (at: number) => number, yOf: (value: number) => number) {
  const step = atMs.length > 1 ? Math.min(...atMs.slice(1).map((at, index) => at - (atMs[index] ?? 0))) : 0
  const runs: string[][] = []
  let before: number | null = null
  atMs.forEach((at, index) => {
    const value = values[index] ?? null
    if (value === null || !Number.isFinite(value)) {
      before = null
      return
    }
    const point = `${xOf(at).toFixed(1)} ${yOf(value).toFixed(1)}`
    if (before !== null && at - before <= step * 1.5) runs.at(-1)?.push(point)
    else runs.push([point])
    before = at
  })
  const joined = runs.filter((run) => run.length > 1)
  const alone = runs.filter((run) => run.length === 1)
  return {
    path: joined.map((run) => `M${run.join('L')}`).join(''),
    dots: alone.map((run) => `M${run.join()}h.01`).join(''),
  }
}

/** Room for all of them; lines of several plots make one axis for all. */
export function domainOf(lines: readonly PlotLine[], log: boolean): Domain {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const { values } of lines) {
    for (const value of values) {
      if (value === null || !Number.isFinite(value) || (log && value <= 0)) continue
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  }
  if (low > high) return log ? [0.001, 1] : [0, 1]
  if (log) return [low * 0.85, Math.max(high * 1.2, low * 2)]
  if (low >= 0 && low < high * 0.9) return zeroDomain([high], null)
  const air = (high - low || Math.abs(high) || 1) * 0.08
  return [low - air, high + air]
}

function position(value: number, [low, high]: Domain, log: boolean): number {
  const part = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low)
  return Math.min(1, Math.max(0, part))
}
