import { useState } from 'react'
import { plain } from '../../format/plain.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { DownloadButtons } from './download-buttons.tsx'
import { type ExploreSeries, labelText, tellingLabels, workloadOf } from './series.ts'

interface ResultTableProps {
  readonly series: readonly ExploreSeries[]
  readonly lit: string | null
  readonly light: (key: string | null) => void
}

const PAGE = 100
const MOST_COLUMNS = 6

/** One row a series, largest first. A click on a row isolates its line. */
export function ResultTable({ series, lit, light }: ResultTableProps) {
  const [shown, setShown] = useState(PAGE)
  const sorted = [...series].sort((a, b) => (b.last ?? Number.NEGATIVE_INFINITY) - (a.last ?? Number.NEGATIVE_INFINITY))
  const labels = tellingLabels(series)
  const columns = labels.slice(0, MOST_COLUMNS)
  return (
    <section className="panel" aria-labelledby="explore-rows">
      <div className="panel-head">
        <h2 id="explore-rows">{series.length} series</h2>
        <span className="muted">
          the newest value of each{labels.length > MOST_COLUMNS && `, by ${MOST_COLUMNS} of ${labels.length} labels`}
        </span>
        <DownloadButtons series={series} />
      </div>
      <table className="plain-table explore-table">
        <thead>
          <tr>
            <th scope="col">cluster</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name === '__name__' ? 'metric' : name}
              </th>
            ))}
            <th scope="col" className="number">
              value
            </th>
            <th scope="col">
              <span className="sr-only">Links</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, shown).map((row) => (
            <Row key={row.key} row={row} columns={columns} lit={lit === row.key} light={light} />
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

interface RowProps {
  readonly row: ExploreSeries
  readonly columns: readonly string[]
  readonly lit: boolean
  readonly light: (key: string | null) => void
}

function Row({ row, columns, lit, light }: RowProps) {
  const workload = workloadOf(row)
  return (
    <tr data-lit={lit} title={labelText(row.labels)}>
      <th scope="row" data-label="cluster">
        <button
          type="button"
          className="button-link"
          aria-pressed={lit}
          aria-label={`Isolate ${row.cluster} ${labelText(row.labels)}`}
          onClick={() => light(lit ? null : row.key)}
        >
          {row.cluster}
        </button>
      </th>
      {columns.map((name) => (
        <td key={name} data-label={name}>
          {row.labels[name] ?? ''}
        </td>
      ))}
      <td className="number" data-label="value">
        {row.last === null ? '--' : plain(row.last)}
      </td>
      <td data-label="">{workload && <WorkloadLink id={workload}>open</WorkloadLink>}</td>
    </tr>
  )
}
