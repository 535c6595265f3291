import { useRef } from 'react'
import { Heatmap } from '../../charts/heatmap.tsx'
import { LineTable } from '../../charts/line-table.tsx'
import { plain } from '../../format/plain.ts'
import { stretch as spoken } from '../../format/stretch.ts'
import { useScope } from '../../scope/use-scope.ts'
import { FigureDownload } from '../../ui/figure-download.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { type ChartProps, LeftOut } from './explore-chart.tsx'
import type { Stretch } from './explore-search.ts'
import { type ExploreSeries, labelText, tellingLabels } from './series.ts'

/** One heatmap a cluster: buckets (`le`) as rows where there are any, else one row a series. */
export function ExploreHeat({ series, clusters, run, file }: Omit<ChartProps, 'lit'>) {
  const [ref, width] = useWidth<HTMLDivElement>()
  return (
    <div className="explore-heats" ref={ref}>
      {width > 0 &&
        clusters.map((cluster) => {
          const mine = series.filter((one) => one.cluster === cluster)
          if (mine.length === 0) return null
          return (
            <HeatFigure
              key={cluster}
              name={cluster}
              run={run}
              file={file}
              width={width}
              {...heatOf(mine, run.stretch)}
            />
          )
        })}
    </div>
  )
}

interface HeatFigureProps extends Pick<ChartProps, 'run' | 'file'> {
  /** Of what it is, the cluster first. */
  readonly name: string
  readonly width: number
  readonly atMs: readonly number[]
  readonly rows: readonly { readonly label: string; readonly tick: string | null }[]
  readonly columns: readonly (readonly (number | null)[] | null)[]
  /** Rows there would be, where not all are drawn. */
  readonly allRows?: number
}

export function HeatFigure({ name, run, file, width, rows, columns, atMs, allRows = 0 }: HeatFigureProps) {
  const drawn = useRef<HTMLDivElement>(null)
  const { tz } = useScope()
  const { from, to } = run.stretch
  return (
    <figure className="panel explore-chart">
      <figcaption>
        <strong>{name}</strong>
        <LeftOut all={allRows} drawn={rows.length} />
        <FigureDownload
          file={`${file}-${name}`}
          title={`${name}: ${run.promql}`}
          note={`${spoken(from * 1000, to * 1000, tz)}  Goldseam`}
          figure={() => drawn.current}
        />
      </figcaption>
      <div ref={drawn}>
        <Heatmap
          atMs={atMs}
          rows={rows}
          columns={columns}
          width={width - 30}
          zone={tz}
          print={plain}
          label={`${name}: ${rows.length} rows over time; the table below has the same numbers`}
        />
      </div>
      <LineTable
        title={`${name}: ${run.promql}`}
        file={`${file}-${name}`}
        lines={rows.map(({ label }, row) => ({
          id: label,
          label,
          atMs,
          values: columns.map((column) => column?.[row] ?? null),
        }))}
        zone={tz}
        print={plain}
      />
    </figure>
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
      const place = Math.round((second - from) / step)
      // An answer to the question before this one reaches further back.
      if (place >= 0 && place < steps) column[place] = values[index] ?? null
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
    allRows: bucketed ? all.length : series.length,
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
