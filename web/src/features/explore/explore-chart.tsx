import { type ReactNode, useMemo } from 'react'
import { domainOf, LinePlot, type PlotLine } from '../../charts/line-plot.tsx'
import { LineTable } from '../../charts/line-table.tsx'
import { plain } from '../../format/plain.ts'
import { stretch as spoken } from '../../format/stretch.ts'
import { useScope } from '../../scope/use-scope.ts'
import { FigureDownload } from '../../ui/figure-download.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { type ExploreSeries, tellingLabels } from './series.ts'
import { TOGETHER } from './together.ts'
import type { Run } from './use-explore.ts'

const MOST_LINES = 20
const RAMP = ['var(--p99)', 'var(--p50)', 'var(--p95)', 'var(--p999)', 'var(--none)']
/** A cluster is a kind of dash: that is told apart without colour. */
const DASHES = [undefined, '6 3', '2 3', '10 3 2 3', '1 3']

export interface ChartProps {
  readonly series: readonly ExploreSeries[]
  readonly clusters: readonly string[]
  readonly run: Run
  readonly lit: string | null
  /** Of downloads, without an ending. */
  readonly file: string
}

/** All clusters on one axis. Of very many series the largest ones are drawn, and it is said. */
export function ExploreLines({ series, clusters, run, lit, file }: ChartProps) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const { tz } = useScope()
  const drawn = useMemo(() => drawnOf(series, lit), [series, lit])
  const lines = useMemo(() => linesOf(drawn, clusters, true), [drawn, clusters])
  const { from, to } = run.stretch
  return (
    <figure className="panel explore-chart" aria-label="Lines">
      <div ref={ref}>
        {width > 0 && (
          <LinePlot
            lines={lines}
            width={width}
            height={280}
            fromMs={from * 1000}
            toMs={to * 1000}
            zone={tz}
            print={plain}
            lit={lit}
            label={`${lines.length} lines; the table below has the same numbers`}
          />
        )}
      </div>
      <Caption {...{ series, clusters, run, file }} lines={lines} figure={() => ref.current}>
        {clusters.length > 1 &&
          clusters.map((name, index) => <DashKey key={name} name={name} dash={dashOf(name, index)} />)}
      </Caption>
    </figure>
  )
}

const COLUMN_PX = 420

/** A small chart for each cluster, all with the same axes: what differs is seen by its height. */
export function ExploreEach({ series, clusters, run, lit, file }: ChartProps) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const drawn = useMemo(() => drawnOf(series, lit), [series, lit])
  const lines = useMemo(() => linesOf(drawn, clusters, false), [drawn, clusters])
  const domain = useMemo(() => domainOf(lines, false), [lines])
  const columns = Math.max(1, Math.min(clusters.length, Math.floor(width / COLUMN_PX)))
  const each = Math.floor((width - (columns - 1) * 16) / columns)
  return (
    <figure className="panel explore-chart" aria-label="A chart for each cluster">
      <div ref={ref} className="explore-each" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
        {width > 0 &&
          clusters.map((cluster) => (
            <ClusterLines
              key={cluster}
              cluster={cluster}
              lines={lines.filter((_, index) => drawn[index]?.cluster === cluster)}
              width={each}
              domain={domain}
              run={run}
              lit={lit}
            />
          ))}
      </div>
      <Caption {...{ series, clusters, run, file }} lines={lines} figure={() => ref.current}>
        <span>all on the same axes</span>
      </Caption>
    </figure>
  )
}

interface ClusterLinesProps extends Pick<ChartProps, 'run' | 'lit'> {
  readonly cluster: string
  readonly lines: readonly PlotLine[]
  readonly width: number
  readonly domain: ReturnType<typeof domainOf>
}

function ClusterLines({ cluster, lines, width, domain, run, lit }: ClusterLinesProps) {
  const { tz } = useScope()
  return (
    <div>
      <strong>{cluster}</strong>{' '}
      {lines.length === 0 ? <span className="muted">no series</span> : <span className="muted">{lines.length}</span>}
      <LinePlot
        lines={lines}
        width={width}
        height={200}
        fromMs={run.stretch.from * 1000}
        toMs={run.stretch.to * 1000}
        zone={tz}
        print={plain}
        domain={domain}
        lit={lines.some(({ id }) => id === lit) ? lit : null}
        label={`${cluster}: ${lines.length} lines; the table below has the same numbers`}
      />
    </div>
  )
}

interface CaptionProps extends Omit<ChartProps, 'lit'> {
  /** Those that are drawn. */
  readonly lines: readonly PlotLine[]
  readonly figure: () => HTMLElement | null
  readonly children: ReactNode
}

/** What the lines are, how many are not drawn, and the way to a picture. */
function Caption({ series, clusters, run, file, lines, figure, children }: CaptionProps) {
  const { tz } = useScope()
  const { from, to } = run.stretch
  return (
    <>
      <figcaption className="muted">
        {children}
        <LeftOut all={series.length} drawn={lines.length} />
        <FigureDownload
          file={file}
          title={run.promql}
          note={`${spoken(from * 1000, to * 1000, tz)}  ${clusters.join(', ')}  Goldseam`}
          figure={figure}
        />
      </figcaption>
      <LineTable title={run.promql} file={`${file}-drawn`} lines={lines} zone={tz} print={plain} />
    </>
  )
}

/** What is not drawn is said, or a picture of some would pass for one of all. */
export function LeftOut({ all, drawn }: { readonly all: number; readonly drawn: number }) {
  if (all <= drawn) return null
  return (
    <span>
      the {drawn} largest are drawn, {all - drawn} more are in the table
    </span>
  )
}

/** The largest ones, and the one that is looked at. */
function drawnOf(series: readonly ExploreSeries[], lit: string | null): readonly ExploreSeries[] {
  const one = series.filter(({ cluster }) => cluster === TOGETHER).length === 1
  const over = ({ cluster }: ExploreSeries) => Number(one && cluster === TOGETHER)
  const drawn = [...series].sort((a, b) => over(b) - over(a) || b.most - a.most).slice(0, MOST_LINES)
  const chosen = series.find(({ key }) => key === lit)
  return chosen && !drawn.includes(chosen) ? [...drawn, chosen] : drawn
}

function linesOf(series: readonly ExploreSeries[], clusters: readonly string[], dashed: boolean): PlotLine[] {
  const names = tellingLabels(series)
  const others = series.some(({ cluster }) => cluster !== TOGETHER)
  return series.map((one, index): PlotLine => {
    const dash = dashed ? dashOf(one.cluster, Math.max(0, clusters.indexOf(one.cluster))) : undefined
    const over = others && one.cluster === TOGETHER
    const alone = over && series.filter(({ cluster }) => cluster === TOGETHER).length === 1
    return {
      id: one.key,
      label: `${one.cluster} ${names.map((name) => one.labels[name] ?? '').join(' ')}`.trim(),
      atMs: one.at.map((at) => at * 1000),
      values: one.values.map((value) => (Number.isFinite(value) ? value : null)),
      colour: alone ? 'var(--text)' : (RAMP[index % RAMP.length] ?? 'var(--p99)'),
      strong: over,
      ...(dash === undefined ? {} : { dash }),
    }
  })
}

/** What is over all clusters is whole and heavy. */
function dashOf(cluster: string, index: number): string | undefined {
  return cluster === TOGETHER ? undefined : DASHES[index % DASHES.length]
}

function DashKey({ name, dash }: { readonly name: string; readonly dash: string | undefined }) {
  return (
    <span className="explore-dash">
      <svg width="26" height="6" aria-hidden="true">
        <path d="M0 3H26" stroke="currentColor" strokeWidth={name === TOGETHER ? 4 : 2} strokeDasharray={dash} />
      </svg>
      {name}
    </span>
  )
}
