import { useRef } from 'react'
import { STATUS_MARKS, STATUS_WORDS, STATUSES, type Status } from '../../answers/status.ts'
import { useChangeSearch } from '../../scope/use-scope.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { type TableData, TableDownload } from '../../ui/table-download.tsx'
import { useKey } from '../../ui/use-key.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import type { FleetFilter } from './fleet-filter.ts'
import { type ChosenColumn, FLEET_VIEWS, type FleetView, type Grouping } from './fleet-search.ts'

interface FleetToolbarProps {
  readonly filter: FleetFilter
  readonly counts: Readonly<Record<Status, number>>
  readonly total: number
  readonly clusters: readonly string[]
  readonly namespaces: readonly string[]
  readonly pendingMoves: number
  readonly applyOrder: () => void
  readonly table: () => TableData
  readonly view: FleetView
  readonly group: Grouping
  readonly cols: readonly ChosenColumn[]
}

export function FleetToolbar({
  filter,
  counts,
  total,
  clusters,
  namespaces,
  pendingMoves,
  applyOrder,
  table,
  view,
  group,
  cols,
}: FleetToolbarProps) {
  const change = useChangeSearch()
  useKey('.', applyOrder)
  function toggle(status: Status) {
    const next = filter.st.includes(status) ? filter.st.filter((other) => other !== status) : [...filter.st, status]
    change({ st: next.join(',') })
  }
  return (
    <div className="toolbar no-print">
      <FilterField q={filter.q} />
      <fieldset className="facets" aria-label="Filter by status">
        <button
          type="button"
          className="facet"
          aria-pressed={filter.st.length === 0}
          onClick={() => change({ st: undefined })}
        >
          All <b>{total}</b>
        </button>
        {STATUSES.map((status) => (
          <button
            key={status}
            type="button"
            className="facet"
            data-empty={counts[status] === 0}
            aria-pressed={filter.st.includes(status)}
            title={STATUS_WORDS[status]}
            onClick={() => toggle(status)}
          >
            <Glyph mark={STATUS_MARKS[status]} label={STATUS_WORDS[status]} size={11} />
            <b>{counts[status]}</b>
          </button>
        ))}
      </fieldset>
      <NameSelect label="Cluster" all="All clusters" chosen={filter.c} names={clusters} choose={(c) => change({ c })} />
      <NameSelect
        label="Namespace"
        all="All namespaces"
        chosen={filter.ns}
        names={namespaces}
        choose={(ns) => change({ ns })}
      />
      <fieldset className="facets" aria-label="View">
        {FLEET_VIEWS.map((name) => (
          <button
            key={name}
            type="button"
            className="facet"
            aria-pressed={view === name}
            onClick={() => change({ view: name === 'table' ? undefined : name })}
          >
            {name}
          </button>
        ))}
      </fieldset>
      {view === 'table' && (
        <>
          <select
            className="field"
            aria-label="Rows under headings"
            value={group}
            onChange={({ target }) => change({ group: target.value })}
          >
            <option value="">Worst first</option>
            <option value="cluster">By cluster</option>
            <option value="ns">By namespace</option>
          </select>
          <ColumnsMenu cols={cols} />
        </>
      )}
      {pendingMoves > 0 && (
        <button type="button" className="button held" onClick={applyOrder}>
          Order held, {pendingMoves} {pendingMoves === 1 ? 'move' : 'moves'} pending, press <kbd>.</kbd>
        </button>
      )}
      <TableDownload file="goldseam-fleet" what="Fleet" table={table} />
    </div>
  )
}

function FilterField({ q }: { readonly q: string }) {
  const change = useChangeSearch()
  const input = useRef<HTMLInputElement>(null)
  useKey('/', (event) => {
    event.preventDefault()
    input.current?.select()
  })
  return (
    <input
      ref={input}
      type="search"
      className="field filter"
      aria-label="Filter by name"
      placeholder="Filter   /"
      value={q}
      maxLength={200}
      spellCheck={false}
      onChange={({ target }) => change({ q: target.value }, { replace: true })}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        change({ q: undefined }, { replace: true })
        event.currentTarget.blur()
      }}
    />
  )
}

interface NameSelectProps {
  readonly label: string
  readonly all: string
  readonly chosen: readonly string[]
  readonly names: readonly string[]
  readonly choose: (name: string) => void
}

function NameSelect({ label, all, chosen, names, choose }: NameSelectProps) {
  const value = chosen.join(',')
  if (names.length < 2 && value === '') return null
  return (
    <select className="field" aria-label={label} value={value} onChange={({ target }) => choose(target.value)}>
      <option value="">{all}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
      {value !== '' && !names.includes(value) && <option value={value}>{value}</option>}
    </select>
  )
}
