import { useRef, useState } from 'react'
import type { ChartFrame } from '../../charts/axes.ts'
import { isEstimate } from '../../charts/doubt.ts'
import type { Point } from '../../charts/thin.ts'
import { momentsIn } from '../../format/stretch.ts'
import { TableDownload } from '../../ui/table-download.tsx'

const MOST_TABLE_ROWS = 200

export interface TableColumn {
  readonly title: string
  readonly of: Exclude<keyof Point, 'atMs'>
  readonly print: (value: number) => string
}

interface SeriesTableProps {
  readonly title: string
  readonly file: string
  readonly points: readonly Point[]
  readonly columns: readonly TableColumn[]
  readonly frame: ChartFrame
}

/** The same data for eyes, ears and clipboards that a chart does not serve. */
export function SeriesTable(props: SeriesTableProps) {
  const { title } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const [open, setOpen] = useState(false)
  function show() {
    setOpen(true)
    dialog.current?.showModal()
  }
  return (
    <>
      <button
        type="button"
        className="button-link card-table-button no-print"
        aria-label={`${title}: view as table`}
        title="View as table"
        onClick={show}
      >
        table
      </button>
      <dialog ref={dialog} className="dialog" aria-label={`${title} as a table`} onClose={() => setOpen(false)}>
        <form method="dialog">
          <button type="submit" className="button">
            Close
          </button>
          <TableDownload file={props.file} what={title} table={() => everyPoint(props)} />
        </form>
        {open && <SeriesRows {...props} />}
      </dialog>
    </>
  )
}

/** All points, not only those that fit on the screen; numbers in base units. What is to be doubted stands beside them. */
function everyPoint({ points, columns, frame: { partial } }: SeriesTableProps) {
  const estimates = columns.some(({ of }) => points.some((point) => isEstimate(point, of)))
  const beside = (point: Point) => {
    const names = columns.filter(({ of }) => isEstimate(point, of)).map(({ of }) => of)
    return [...(estimates ? [point.samples, names.join(' ')] : []), ...(partial ? ['partial'] : [])]
  }
  return {
    head: [
      'time',
      ...columns.map(({ of }) => of),
      ...(estimates ? ['requests', 'estimates'] : []),
      ...(partial ? ['data'] : []),
    ],
    rows: points.map((point) => [
      new Date(point.atMs).toISOString(),
      ...columns.map(({ of }) => point[of]),
      ...beside(point),
    ]),
  }
}

function SeriesRows({ title, points, columns, frame: { fromMs, toMs, zone, partial } }: SeriesTableProps) {
  const moment = momentsIn(fromMs, toMs, zone)
  const every = Math.max(1, Math.ceil(points.length / MOST_TABLE_ROWS))
  const shown = points.filter((_, index) => (points.length - 1 - index) % every === 0).reverse()
  const estimates = columns.some(({ of }) => shown.some((point) => isEstimate(point, of)))
  return (
    <table className="series-table">
      <caption>
        {title}, newest first
        {estimates && '. ~: an estimate from few requests'}
        {partial && '. Partial: a part of what is asked does not answer'}
      </caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {columns.map((column) => (
            <th key={column.of} scope="col">
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((point) => (
          <tr key={point.atMs}>
            <th scope="row">{moment(point.atMs, true)}</th>
            {columns.map(({ of, print }) => {
              const value = point[of]
              const isFew = isEstimate(point, of)
              return (
                <td key={of} className={isFew ? 'series-estimate' : undefined}>
                  {isFew && '~'}
                  {value === null ? '--' : print(value)}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
