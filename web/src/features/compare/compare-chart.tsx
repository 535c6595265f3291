import type { Compare } from '@goldseam/server/contract'
import { type ReactNode, useMemo } from 'react'
import { LinePlot, type PlotLine } from '../../charts/line-plot.tsx'
import { LineTable } from '../../charts/line-table.tsx'
import { latency } from '../../format/latency.ts'
import { MINUS, printed } from '../../format/quantity.ts'
import { perSecond } from '../../format/rate.ts'
import { momentsIn } from '../../format/stretch.ts'
import { errorRate } from '../../format/success.ts'
import { useScope } from '../../scope/use-scope.ts'
import { FigureDownload } from '../../ui/figure-download.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { type Frame, frameOf, linesOf, onLogAxis, printDrawnErrors } from './compare-lines.ts'
import { type Align, PERCENTILES, type Percentile } from './compare-search.ts'
import { sideText } from './side-text.ts'
import type { Absent } from './use-comparison.ts'

interface CompareChartsProps {
  readonly answer: Pick<Compare, 'a' | 'b'>
  readonly align: Align
  /** Whose lines are drawn. */
  readonly shown: readonly Percentile[]
  readonly show: (percentiles: readonly Percentile[]) => void
  readonly absent: Absent | null
}

/** Both sides over time, always on one axis with one scale: latency, traffic, failures. */
export function CompareCharts({ answer, align, shown, show, absent }: CompareChartsProps) {
  const { a, b } = answer
  const frame = useMemo(() => frameOf(a, b, align), [a, b, align])
  const lines = useMemo(
    () => ({
      latency: linesOf(a, b, shown, frame),
      rps: linesOf(a, b, ['rps'], frame),
      errors: linesOf(a, b, ['errors'], frame),
    }),
    [a, b, frame, shown],
  )
  const drawnErrors = useMemo(() => onLogAxis(lines.errors), [lines])
  function toggle(name: Percentile) {
    const next = shown.includes(name) ? shown.filter((other) => other !== name) : [...shown, name]
    if (next.length > 0) show(PERCENTILES.filter((one) => next.includes(one)))
  }
  const note = [absent?.side === 'a' ? '' : `A ${sideText(a)}`, absent?.side === 'b' ? '' : `B ${sideText(b)}`]
    .concat('Goldseam')
    .filter(Boolean)
    .join('  ')
  return (
    <div className="compare-charts">
      <Chart name="Latency" file="goldseam-compare-latency" of={note} lines={lines.latency} frame={frame} log>
        <fieldset className="facets no-print" aria-label="Percentiles">
          {PERCENTILES.map((name) => (
            <button
              key={name}
              type="button"
              className="facet"
              aria-pressed={shown.includes(name)}
              onClick={() => toggle(name)}
            >
              {name}
            </button>
          ))}
        </fieldset>
        <span className="compare-key" data-side="a">
          A
        </span>
        <span className="compare-key" data-side="b">
          B
        </span>
        {frame.note && <span className="muted">{frame.note}</span>}
      </Chart>
      <Chart name="RPS" file="goldseam-compare-rps" of={note} lines={lines.rps} frame={frame} print={perSecond} />
      <Chart
        name="Errors"
        file="goldseam-compare-errors"
        of={note}
        lines={lines.errors}
        drawn={drawnErrors}
        frame={frame}
        print={errorRate}
        printDrawn={printDrawnErrors}
        log
      />
    </div>
  )
}

interface ChartProps {
  readonly name: string
  readonly file: string
  /** What is drawn, for who has the picture only. */
  readonly of: string
  readonly lines: readonly PlotLine[]
  readonly frame: Frame
  /** Unset: the lines as they are. */
  readonly drawn?: readonly PlotLine[]
  readonly print?: typeof latency
  /** Of what is drawn, where that is not what the lines say. */
  readonly printDrawn?: typeof latency
  readonly log?: boolean
  readonly children?: ReactNode
}

function Chart(props: ChartProps) {
  const { name, file, of, lines, drawn = lines, frame, print = latency, printDrawn = print, log = false } = props
  const [ref, width] = useWidth<HTMLDivElement>()
  const { tz } = useScope()
  const { fromMs, toMs, marks, wall } = frame
  const moment = momentsIn(fromMs, toMs, tz)
  const printAt = wall ? (atMs: number) => moment(atMs) : offset
  return (
    <figure className="panel compare-chart" aria-label={`${name} of both sides over time`}>
      <div className="compare-chart-head">
        <h2>{name}</h2>
        {props.children}
        <FigureDownload file={file} title={`${name} of A and B`} note={of} figure={() => ref.current} />
      </div>
      <div ref={ref}>
        {width > 0 && (
          <LinePlot
            lines={drawn}
            width={width}
            height={220}
            fromMs={fromMs}
            toMs={toMs}
            zone={tz}
            print={(value) => printed(printDrawn(value))}
            log={log}
            marks={marks}
            label={`${name} of A and of B over time; the table below has the same numbers`}
            printAt={printAt}
          />
        )}
      </div>
      <LineTable
        title={`${name} of both sides`}
        file={file}
        lines={lines}
        zone={tz}
        print={(value) => printed(print(value))}
        {...(wall ? {} : { printAt })}
      />
    </figure>
  )
}

function offset(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000)
  const text = seconds % 60 === 0 || seconds > 600 ? `${Math.round(seconds / 60)} m` : `${seconds} s`
  return `${ms < 0 ? MINUS : '+'}${text}`
}
