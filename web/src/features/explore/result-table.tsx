import { Link } from '@tanstack/react-router'
import { useId, useMemo, useState } from 'react'
import { plain } from '../../format/plain.ts'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { DownloadButtons } from './download-buttons.tsx'
import { type ExploreSeries, labelText, largestFirst, tellingLabels, twinOf, workloadOf } from './series.ts'
import { LabelHeads } from './table-parts.tsx'

interface ResultTableProps {
  /** Of downloads, without an ending. */
  readonly file: string
  /** Whether other results stand below. */
  readonly oneOfSeveral: boolean
  readonly series: readonly ExploreSeries[]
  readonly lit: string | null
  readonly light: (key: string | null) => void
}

const PAGE = 100
/** Below the first ones others wait to be seen, or the page is a phone's. */
const SHORT_PAGE = 10
const NARROW = '(max-width: 700px)'
const MOST_COLUMNS = 6

/** One row a series, largest first. A click on a row isolates its line. */
export function ResultTable({ file, oneOfSeveral, series, lit, light }: ResultTableProps) {
  const [shown, setShown] = useState(() =>
    oneOfSeveral || window.matchMedia?.(NARROW).matches === true ? SHORT_PAGE : PAGE,
  )
  const headId = useId()
  const ids = useMemo(() => new Set(series.flatMap((row) => workloadOf(row) ?? [])), [series])
  const sorted = [...series].sort(largestFirst)
  const labels = tellingLabels(series)
  const columns = labels.slice(0, MOST_COLUMNS)
  return (
    <section className="panel" aria-labelledby={headId}>
      <div className="panel-head">
        <h2 id={headId}>{series.length} series</h2>
        <span className="muted">
          the newest value of each{labels.length > MOST_COLUMNS && `, by ${MOST_COLUMNS} of ${labels.length} labels`}
        </span>
        <DownloadButtons file={file} series={series} />
      </div>
      <table className="plain-table explore-table">
        <thead>
          <tr>
            <LabelHeads columns={columns} />
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
            <Row key={row.key} row={row} columns={columns} ids={ids} lit={lit === row.key} light={light} />
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
  /** Every workload that the rows name. */
  readonly ids: ReadonlySet<string>
  readonly lit: boolean
  readonly light: (key: string | null) => void
}

function Row({ row, columns, ids, lit, light }: RowProps) {
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
      <td data-label="" className="explore-ways">
        {workload && (
          <>
            <WorkloadLink id={workload}>open</WorkloadLink>
            <CompareLink id={workload} ids={ids} />
          </>
        )}
      </td>
    </tr>
  )
}

/** Beside its namesake in another cluster where the rows have one; else it is held against what it was before. */
function CompareLink({ id, ids }: { readonly id: string; readonly ids: ReadonlySet<string> }) {
  const twin = twinOf(id, ids)
  return (
    <Link
      to="/compare"
      search={(previous: SearchText) => ({ ...keepScope(previous), a: id, ...(twin === null ? {} : { b: twin }) })}
      title={twin === null ? 'Compare with the window before' : `Compare with ${twin}`}
    >
      compare
    </Link>
  )
}
