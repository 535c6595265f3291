import './line-table.css'
import { useMemo, useState } from 'react'
import type { Zone } from '../format/clock.ts'
import { momentsIn } from '../format/stretch.ts'
import { TableDownload } from '../ui/table-download.tsx'
import { extentOf } from './line-extent.ts'
import type { PlotLine } from './line-plot.tsx'

/** More rows are no table to read; a download has them all. */
const MOST_ROWS = 200

interface LineTableProps {
  readonly title: string
  /** Of downloads, without an ending. */
  readonly file: string
  readonly lines: readonly Pick<PlotLine, 'id' | 'label' | 'atMs' | 'values'>[]
  readonly zone: Zone
  readonly print: (value: number) => string
  /** How an instant is written; unset: the clock, with the day where it takes one. */
  readonly printAt?: (atMs: number) => string
}

/** What a line chart draws, for eyes, ears and clipboards that it does not serve; on paper its least, middle and most. */
export function LineTable(props: LineTableProps) {
  const { title, file, lines, print } = props
  const [open, setOpen] = useState(false)
  return (
    <>
      <details className="line-table no-print" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>View as table</summary>
        {open && (
          <>
            <TableDownload file={file} what={`${title} over time`} table={() => everyInstant(props)} />
            <div className="line-table-scroll">
              <Rows {...props} />
            </div>
          </>
        )}
      </details>
      <ul className="print-only line-extent">
        {lines.map(({ id, label, values }) => (
          <li key={id}>
            {label}: {extentOf(values, print)}
          </li>
        ))}
      </ul>
    </>
  )
}

function Rows({ title, lines, zone, print, printAt }: LineTableProps) {
  const rows = useMemo(() => rowsOf(lines), [lines])
  const every = Math.max(1, Math.ceil(rows.length / MOST_ROWS))
  const shown = rows.filter((_, index) => (rows.length - 1 - index) % every === 0).reverse()
  const [firstMs, lastMs] = [rows[0]?.atMs ?? 0, rows.at(-1)?.atMs ?? 0]
  const moment = momentsIn(firstMs, lastMs, zone)
  const written = printAt ?? ((atMs: number) => moment(atMs, lastMs - firstMs < 3_600_000))
  return (
    <table className="series-table">
      <caption>{title}, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {lines.map(({ id, label }) => (
            <th key={id} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map(({ atMs, values }) => (
          <tr key={atMs}>
            <th scope="row">{written(atMs)}</th>
            {values.map((value, index) => (
              <td key={lines[index]?.id}>{value === null ? '--' : print(value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface Row {
  readonly atMs: number
  /** One for each line; null where it has none then. */
  readonly values: readonly (number | null)[]
}

function rowsOf(lines: LineTableProps['lines']): Row[] {
  const byLine = lines.map(({ atMs, values }) => new Map(atMs.map((at, index) => [at, values[index] ?? null])))
  const instants = [...new Set(lines.flatMap(({ atMs }) => [...atMs]))].sort((a, b) => a - b)
  return instants.map((atMs) => ({ atMs, values: byLine.map((at) => at.get(atMs) ?? null) }))
}

/** All points in base units, not only those that are read on the page. */
function everyInstant({ lines, printAt }: LineTableProps) {
  return {
    head: [printAt === undefined ? 'time' : 'seconds', ...lines.map(({ label }) => label)],
    rows: rowsOf(lines).map(({ atMs, values }) => [
      printAt === undefined ? new Date(atMs).toISOString() : atMs / 1000,
      ...values,
    ]),
  }
}
