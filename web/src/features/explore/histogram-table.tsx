import { useId, useState } from 'react'
import { csvOf, saveFile } from '../../ui/save-file.ts'
import type { HistogramSeries } from './histograms.ts'
import { tellingLabels } from './series.ts'
import { LabelHeads, SaveLinks } from './table-parts.tsx'

interface HistogramTableProps {
  readonly series: readonly HistogramSeries[]
  /** The newest of each quantile, by the key of its series. */
  readonly quantiles: readonly { readonly q: number; readonly last: ReadonlyMap<string, number | null> }[]
  /** Of downloads, without an ending. */
  readonly file: string
  readonly print: (value: number) => string
}

const PAGE = 50
/** On a phone a row is as long as a screen. */
const SHORT_PAGE = 5
const NARROW = '(max-width: 700px)'
const MOST_COLUMNS = 5

/** One row a series: how many its newest histogram holds, their mean and percentiles. */
export function HistogramTable({ series, quantiles, file, print }: HistogramTableProps) {
  const [shown, setShown] = useState(() => (window.matchMedia?.(NARROW).matches === true ? SHORT_PAGE : PAGE))
  const headId = useId()
  const columns = tellingLabels(series).slice(0, MOST_COLUMNS)
  const sorted = [...series].sort((a, b) => (b.newest?.count ?? 0) - (a.newest?.count ?? 0))
  const printed = (value: number | null | undefined) => (value == null ? '--' : print(value))
  return (
    <section className="panel" aria-labelledby={headId}>
      <div className="panel-head">
        <h2 id={headId}>{series.length} series of native histograms</h2>
        <span className="muted">the newest of each, in the unit of the metric</span>
        <HistogramDownloads series={series} file={file} />
      </div>
      <table className="plain-table explore-table">
        <thead>
          <tr>
            <LabelHeads columns={columns} />
            {['count', 'sum', 'mean', ...quantiles.map(({ q }) => nameOf(q))].map((name) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, shown).map(({ key, cluster, labels, newest }) => (
            <tr key={key}>
              <th scope="row" data-label="cluster">
                {cluster}
              </th>
              {columns.map((name) => (
                <td key={name} data-label={name}>
                  {labels[name] ?? ''}
                </td>
              ))}
              <td className="number" data-label="count">
                {printed(newest?.count)}
              </td>
              <td className="number" data-label="sum">
                {printed(newest?.sum)}
              </td>
              <td className="number" data-label="mean">
                {printed(newest && newest.count > 0 ? newest.sum / newest.count : null)}
              </td>
              {quantiles.map(({ q, last }) => (
                <td key={q} className="number" data-label={nameOf(q)}>
                  {printed(last.get(key))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > shown && (
        <p className="panel-note">
          <button type="button" className="button" onClick={() => setShown(shown + 10 * PAGE)}>
            Show {Math.min(10 * PAGE, sorted.length - shown)} more
          </button>
        </p>
      )}
    </section>
  )
}

function nameOf(q: number): string {
  return `p${q * 100}`
}

/** Every bucket of every histogram that came back. */
function HistogramDownloads({ series, file }: Pick<HistogramTableProps, 'series' | 'file'>) {
  function csv() {
    const names = [...new Set(series.flatMap(({ labels }) => Object.keys(labels)))].filter((name) => name !== 'cluster')
    const rows = series.flatMap(({ cluster, labels, at, histograms }) =>
      histograms.flatMap(({ buckets }, index) =>
        buckets.map((bucket) => [
          new Date((at[index] ?? 0) * 1000).toISOString(),
          cluster,
          ...names.map((name) => labels[name] ?? ''),
          ...bucket.map(String),
        ]),
      ),
    )
    saveFile(`${file}.csv`, 'text/csv', csvOf(['time', 'cluster', ...names, 'above', 'up to', 'count'], rows))
  }
  function json() {
    const rows = series.map(({ cluster, labels, at, histograms }) => ({
      cluster,
      labels,
      histograms: histograms.map((one, index) => ({ at: at[index], ...one })),
    }))
    // JSON has no NaN and no infinity: those stay texts.
    const told = (_: string, value: unknown) =>
      typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
    saveFile(`${file}.json`, 'application/json', JSON.stringify(rows, told))
  }
  return <SaveLinks csv={csv} json={json} />
}
