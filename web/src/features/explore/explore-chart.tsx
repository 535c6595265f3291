import { Heatmap } from '../../charts/heatmap.tsx'
import { LinePlot, type PlotLine } from '../../charts/line-plot.tsx'
import { plain } from '../../format/plain.ts'
import { useScope } from '../../scope/use-scope.ts'
import { useWidth } from '../../ui/use-width.ts'
import type { Stretch } from './explore-search.ts'
import { type ExploreSeries, labelText, tellingLabels } from './series.ts'

const MOST_LINES = 20
const RAMP = ['var(--p99)', 'var(--p50)', 'var(--p95)', 'var(--p999)', 'var(--none)']
/** A cluster is a kind of dash: that is told apart without colour. */
const DASHES = [undefined, '6 3', '2 3', '10 3 2 3', '1 3']

interface ChartProps {
  readonly series: readonly ExploreSeries[]
  readonly clusters: readonly string[]
  readonly stretch: Stretch
  readonly lit: string | null
}

/** All clusters on one axis. Of very many series the largest ones are drawn, and it is said. */
export function ExploreLines({ series, clusters, stretch, lit }: ChartProps) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const { tz } = useScope()
  const names = tellingLabels(series)
  const drawn = [...series].sort((a, b) => b.most - a.most).slice(0, MOST_LINES)
  const chosen = series.find(({ key }) => key === lit)
  const lines = (chosen && !drawn.includes(chosen) ? [...drawn, chosen] : drawn).map(
    (one, index): PlotLine => ({
      id: one.key,
      label: `${one.cluster} ${names.map((name) => one.labels[name] ?? '').join(' ')}`.trim(),
      atMs: one.at.map((at) => at * 1000),
      values: one.values.map((value) => (Number.isFinite(value) ? value : null)),
      colour: RAMP[index % RAMP.length] ?? 'var(--p99)',
      ...dashOf(clusters.indexOf(one.cluster)),
    }),
  )
  return (
    <figure className="panel explore-chart" aria-label="Lines">
      <div ref={ref}>
        {width > 0 && (
          <LinePlot
            lines={lines}
            width={width}
            height={280}
            fromMs={stretch.from * 1000}
            toMs={stretch.to * 1000}
            zone={tz}
            print={plain}
            lit={lit}
            label={`${lines.length} lines; the table below has the same numbers`}
          />
        )}
      </div>
      <figcaption className="muted">
        {clusters.length > 1 &&
          clusters.map((name, index) => <DashKey key={name} name={name} dash={DASHES[index % 5]} />)}
        {series.length > lines.length && (
          <span>
            the {lines.length} largest are drawn, {series.length - lines.length} more are in the table
          </span>
        )}
      </figcaption>
    </figure>
  )
}

function dashOf(index: number): { dash?: string } {
  const dash = DASHES[Math.max(0, index) % DASHES.length]
  return dash === undefined ? {} : { dash }
}

function DashKey({ name, dash }: { readonly name: string; readonly dash: string | undefined }) {
  return (
    <span className="explore-dash">
      <svg width="26" height="6" aria-hidden="true">
        <path d="M0 3H26" stroke="currentColor" strokeWidth="2" strokeDasharray={dash} />
      </svg>
      {name}
    </span>
  )
}

/** One heatmap a cluster: buckets (`le`) as rows where there are any, else one row a series. */
export function ExploreHeat({ series, clusters, stretch }: Omit<ChartProps, 'lit'>) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const { tz } = useScope()
  return (
    <div className="explore-heats" ref={ref}>
      {width > 0 &&
        clusters.map((cluster) => {
          const mine = series.filter((one) => one.cluster === cluster)
          if (mine.length === 0) return null
          const { rows, columns, atMs } = heatOf(mine, stretch)
          return (
            <figure key={cluster} className="panel explore-chart">
              <figcaption>
                <strong>{cluster}</strong>
              </figcaption>
              <Heatmap
                atMs={atMs}
                rows={rows}
                columns={columns}
                width={width - 30}
                zone={tz}
                print={plain}
                label={`${cluster}: ${rows.length} rows over time; the table view has the same numbers`}
              />
            </figure>
          )
        })}
    </div>
  )
}

const MOST_ROWS = 40

function heatOf(series: readonly ExploreSeries[], { from, to, step }: Stretch) {
  const steps = Math.floor((to - from) / step) + 1
  const atMs = Array.from({ length: steps }, (_, index) => (from + index * step) * 1000)
  const bucketed = series.every(({ labels }) => labels.le !== undefined)
  const names = tellingLabels(series)
  const onSteps = ({ at, values }: ExploreSeries) => {
    const column = new Array<number | null>(steps).fill(null)
    at.forEach((second, index) => {
      column[Math.round((second - from) / step)] = values[index] ?? null
    })
    return column
  }
  const all = bucketed
    ? bucketRows(series, onSteps)
    : [...series]
        .sort((a, b) => a.most - b.most)
        .slice(-MOST_ROWS)
        .map((one) => ({
          name: names.map((name) => one.labels[name] ?? '').join(' ') || labelText(one.labels),
          cells: onSteps(one),
        }))
  const every = Math.ceil(all.length / 12)
  return {
    atMs,
    rows: all.map(({ name }, index) => ({
      label: name,
      tick: index % every === 0 ? (name.length > 9 ? `${name.slice(0, 8)}…` : name) : null,
    })),
    columns: atMs.map((_, step) => {
      const cells = all.map((row) => row.cells[step] ?? null)
      return cells.every((cell) => cell === null) ? null : cells
    }),
  }
}

/** Cumulative buckets of the same bound are added up, then each is less the one below. */
function bucketRows(series: readonly ExploreSeries[], onSteps: (one: ExploreSeries) => (number | null)[]) {
  const byBound = new Map<number, (number | null)[]>()
  for (const one of series) {
    const bound = one.labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(one.labels.le)
    const sum = byBound.get(bound)
    const cells = onSteps(one)
    byBound.set(
      bound,
      sum
        ? sum.map((value, step) => (value === null && cells[step] == null ? null : (value ?? 0) + (cells[step] ?? 0)))
        : cells,
    )
  }
  const sorted = [...byBound].sort(([a], [b]) => a - b)
  return sorted.map(([bound, cells], index) => {
    const below = sorted[index - 1]?.[1]
    return {
      name: `${Number.isFinite(bound) ? `≤ ${plain(bound)}` : `> ${plain(sorted[index - 1]?.[0] ?? 0)}`}`,
      cells: cells.map((value, step) => (value === null ? null : Math.max(0, value - (below?.[step] ?? 0)))),
    }
  })
}
