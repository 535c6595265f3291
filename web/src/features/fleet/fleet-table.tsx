import './fleet-table.css'
import './fleet-cards.css'
import type { Workload } from '@goldseam/server/contract'
import { memo, Suspense, useContext, useMemo, useRef, useState } from 'react'
import { lazyPart } from '../../answers/lazy-part.ts'
import { type Domain, sharedLogDomain } from '../../charts/scales.ts'
import { latency } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'
import { useKey } from '../../ui/use-key.ts'
import { useRowKeys } from '../../ui/use-row-keys.ts'
import { CellLinks } from './cell-links.tsx'
import { FleetBody } from './fleet-body.tsx'
import { TrendDomain } from './fleet-cells.tsx'
import { LOOKS, ShownColumns, shownColumns } from './fleet-columns.tsx'
import type { FleetRow } from './fleet-order.ts'
import { type ChosenColumn, nextSort, readSort, type Sort } from './fleet-search.ts'
import type { HeldOrder } from './held-order.ts'
import { RowPreload } from './row-preload.tsx'

const CompareChosen = lazyPart(() => import('./compare-chosen.tsx').then((module) => module.CompareChosen))

/** Part of all values that may lie beyond either end of the column's shared scale. */
const TRIM = 0.04

interface FleetTableProps {
  readonly rows: readonly FleetRow[]
  /** Those in the rows, in an order that stays while the rows move. */
  readonly workloads: readonly Workload[]
  readonly sortText: string
  readonly changeSort: (sort: string) => void
  readonly held: HeldOrder
  readonly cols: readonly ChosenColumn[]
}

export const FleetTable = memo(function FleetTable(props: FleetTableProps) {
  const { rows, workloads, sortText, changeSort, held, cols } = props
  const shown = useMemo(() => shownColumns(cols), [cols])
  const sort = useMemo(() => readSort(sortText), [sortText])
  const [low, high] = useMemo(
    () =>
      sharedLogDomain(
        workloads.map(({ trend }) => trend.p99Seconds),
        TRIM,
      ),
    [workloads],
  )
  // One and the same for as long as its ends are: each row's line is drawn by it.
  const domain = useMemo<Domain>(() => [low, high], [low, high])
  const body = useRef<HTMLTableSectionElement>(null)
  useRowKeys(body, '.row-link')
  const [chosen, setChosen] = useState<readonly string[]>([])
  useKey('x', () => {
    const id = document.activeElement?.closest<HTMLElement>('tr[data-row]')?.dataset.row
    // The newest two: who chooses a third has done with the first.
    if (id !== undefined)
      setChosen((ids) => (ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id].slice(-2)))
  })
  const scale = `${printed(latency(domain[0]))} to ${printed(latency(domain[1]))}`
  return (
    <TrendDomain value={domain}>
      <ShownColumns value={shown}>
        <table className="fleet" aria-rowcount={rows.length + 1}>
          <caption className="sr-only">Every deployment of every cluster, worst first</caption>
          <FleetHead sort={sort} changeSort={changeSort} trendHint={scale} />
          <CellLinks>
            <FleetBody ref={body} rows={rows} held={held} />
          </CellLinks>
        </table>
        <RowPreload body={body} />
        {chosen.length > 0 && (
          <Suspense fallback={null}>
            <CompareChosen ids={chosen} body={body} clear={() => setChosen([])} />
          </Suspense>
        )}
      </ShownColumns>
    </TrendDomain>
  )
})

interface FleetHeadProps {
  readonly sort: Sort
  readonly changeSort?: (sort: string) => void
  readonly trendHint?: string
}

export function FleetHead({ sort, changeSort, trendHint }: FleetHeadProps) {
  const shown = useContext(ShownColumns)
  return (
    <thead>
      <tr aria-rowindex={1}>
        {Object.entries(LOOKS)
          .filter(([id]) => shown.includes(id))
          .map(([id, { title, sort: by, align, hint }]) => {
            const active = by !== null && sort.column === by
            return (
              <th
                key={id}
                scope="col"
                className={`col-${id}`}
                data-align={align}
                title={id === 'trend' && trendHint ? `${hint}: ${trendHint}` : hint}
                aria-sort={active ? (sort.descending ? 'descending' : 'ascending') : undefined}
              >
                {by !== null && changeSort ? (
                  <button type="button" className="fleet-sort" onClick={() => changeSort(nextSort(sort, by))}>
                    {title}
                    {active && <span aria-hidden="true">{sort.descending ? ' ↓' : ' ↑'}</span>}
                  </button>
                ) : (
                  title || <span className="sr-only">{hint}</span>
                )}
              </th>
            )
          })}
      </tr>
    </thead>
  )
}
