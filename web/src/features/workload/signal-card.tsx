import { type ReactNode, useId, useMemo } from 'react'
import type { ChartFrame } from '../../charts/axes.ts'
import { Brush } from '../../charts/brush.tsx'
import { doubtsOf } from '../../charts/doubt.ts'
import { type EventTick, EventTicks } from '../../charts/event-ticks.tsx'
import { extentOf } from '../../charts/line-extent.ts'
import type { Point } from '../../charts/thin.ts'
import type { Zone } from '../../format/clock.ts'
import { momentsIn, stretch } from '../../format/stretch.ts'
import { isoInstant } from '../../scope/time-range.ts'
import { useHashTarget } from '../../scope/use-hash-target.ts'
import { useChangeSearch } from '../../scope/use-scope.ts'
import { FigureDownload } from '../../ui/figure-download.tsx'
import { Metric } from '../../ui/metric.tsx'
import { usePrinting } from '../../ui/use-printing.ts'
import { useWidth } from '../../ui/use-width.ts'
import { SeriesTable, type TableColumn } from './series-table.tsx'

/** Less than this against usual is not worth a sign in the heading. */
const WORTH_SAYING = 1.15

interface SignalCardProps {
  /** What links call it behind `#`. */
  readonly part: string
  readonly title: string
  /** Whose signal it is, for pictures and files. */
  readonly of: string
  readonly frame: ChartFrame
  /** What the chart keeps free right of its plot. */
  readonly rightPx?: number
  /** The chart in one sentence, for those who do not see it. */
  readonly summary: string
  readonly reading: ReactNode
  readonly now: number | null
  readonly usual: number | null
  readonly print: (value: number) => string
  readonly points: readonly Point[]
  readonly columns: readonly TableColumn[]
  readonly zone: Zone
  readonly note?: string
  /** Beside the reading. */
  readonly aside?: ReactNode
  /** Among what can be done with the chart. */
  readonly tool?: ReactNode
  /** What happened to its pods. */
  readonly ticks: readonly EventTick[]
  /** The chart; false while its turn has not come. */
  readonly children: false | ((width: number) => ReactNode)
}

export function SignalCard({
  part,
  title,
  of,
  frame,
  rightPx,
  summary,
  reading,
  now,
  usual,
  print,
  points,
  columns,
  zone,
  note,
  aside,
  tool,
  ticks,
  children,
}: SignalCardProps) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const [card, isMeant] = useHashTarget<HTMLElement>(part)
  const titleId = useId()
  const change = useChangeSearch()
  const printing = usePrinting()
  const file = `goldseam-${of}-${title}`.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const factor = now !== null && usual !== null && usual > 0 && now > 0 ? now / usual : null
  const said = factor !== null && (factor >= WORTH_SAYING || factor <= 1 / WORTH_SAYING) ? factor : null
  const measured = points.some((point) => columns.some(({ of }) => point[of] !== null))
  const doubts = useMemo(
    () => doubtsOf(points, columns.length > 1 ? 'p99' : null, frame),
    [points, columns.length, frame],
  )
  const idle = points.some(({ requestsPerSecond }) => requestsPerSecond === 0)
  return (
    <figure className="card" id={part} ref={card} tabIndex={-1} data-meant={isMeant} aria-labelledby={titleId}>
      <figcaption className="card-head">
        <span id={titleId} className="card-title">
          {title}
        </span>
        <span className="card-value">{reading}</span>
        {said !== null && <Metric kind="ratio" value={said} label="against usual" />}
        {usual !== null && <span className="muted card-usual">was {print(usual)}</span>}
        {aside}
        {doubts.map((text) => (
          <span key={text} className="muted card-usual">
            {text}
          </span>
        ))}
        <span className="card-tools">
          {tool}
          {note && <span className="muted">{note}</span>}
          <SeriesTable {...{ title, file, points, columns, frame }} />
          <FigureDownload
            file={file}
            title={`${title} of ${of}`}
            note={`${stretch(frame.fromMs, frame.toMs, zone)}  Goldseam`}
            figure={() => ref.current}
          />
        </span>
      </figcaption>
      <p className="sr-only">{summary}</p>
      <div className="card-chart" ref={ref}>
        {!measured ? (
          <p className="card-empty">{idle ? 'No requests in this window' : 'Nothing measured in this window'}</p>
        ) : (
          width > 0 &&
          children && (
            <Brush
              frame={frame}
              width={width}
              {...(rightPx === undefined ? {} : { rightPx })}
              choose={(fromMs, toMs) => change({ from: isoInstant(fromMs), to: isoInstant(toMs) })}
            >
              {children(width)}
              <EventTicks ticks={ticks} frame={frame} width={width} {...(rightPx === undefined ? {} : { rightPx })} />
            </Brush>
          )
        )}
      </div>
      {printing && measured && <Extents {...{ points, columns, frame, doubts }} />}
    </figure>
  )
}

/** On paper nobody points at a chart: its numbers stand below it, and what the hatches are. */
function Extents(
  props: Pick<SignalCardProps, 'points' | 'columns' | 'frame'> & { readonly doubts: readonly string[] },
) {
  const { points, columns, frame, doubts } = props
  const { calm, fromMs, toMs, onsetMs, zone } = frame
  const texts = [
    ...columns.map(({ title, of, print }) => {
      const values = points.map((point) => point[of])
      return `${title}: ${extentOf(values, print)}`
    }),
    ...doubts,
    ...(calm ? [`lined: what is usual is from here, ${stretch(calm.fromMs, calm.toMs, zone)}`] : []),
    ...(onsetMs === null ? [] : [`hatched: since it began, ${momentsIn(fromMs, toMs, zone)(onsetMs)}`]),
  ]
  return (
    <ul className="card-extents">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}
