import './dependency-tree.css'
import type { WorkloadDetail } from '@goldseam/server/contract'
import { type CSSProperties, useEffect, useMemo, useRef } from 'react'
import { SeamLedger } from '../../answers/seam-ledger.tsx'
import { useChangeSearch, useFields } from '../../scope/use-scope.ts'
import { useRowKeys } from '../../ui/use-row-keys.ts'
import { DependencyList } from './dependency-list.tsx'
import { DependencyMap } from './dependency-map.tsx'
import { DependencyRow } from './dependency-row.tsx'
import { TreeLines } from './tree-lines.tsx'
import { edgeMark, type FoldRow, inTrouble, type NodeRow, readOpen, toggleMark, treeRows } from './tree-rows.ts'
import { EXPANDS, type Expand, treeFields, VIEWS } from './tree-search.ts'

const COLUMN_COUNT = 7
const MOST_NAMES = 3

/** What it calls: as a tree that is open along the way to the suspect, as a picture, or as rows. */
export function Dependencies({ detail }: { readonly detail: WorkloadDetail }) {
  const { deps, expand, sel } = useFields(treeFields)
  const change = useChangeSearch()
  return (
    <section className="panel" aria-labelledby="dependencies">
      <div className="panel-head">
        <h2 id="dependencies">Dependencies</h2>
        <span className="muted">what it calls (Linkerd: upstreams), each call as its caller sees it</span>
        {deps === 'tree' && <ExpandChoice expand={expand} />}
        <fieldset className="facets dependency-views no-print" aria-label="Show the calls as">
          {VIEWS.map((view) => (
            <button
              key={view}
              type="button"
              className="facet"
              aria-pressed={deps === view}
              onClick={() => change({ deps: view === 'tree' ? undefined : view }, { replace: true })}
            >
              {view}
            </button>
          ))}
        </fieldset>
      </div>
      {detail.ownPart && detail.ownPart.text.length > 0 && (
        <p className="panel-note muted">{detail.ownPart.text.join(' ')}</p>
      )}
      {deps === 'tree' && <DependencyTree detail={detail} />}
      {deps === 'map' && <DependencyMap root={detail.dependencies} sel={sel} />}
      {deps === 'table' && <DependencyList root={detail.dependencies} sel={sel} />}
      {detail.dependencies.children.length === 0 && (
        <p className="panel-note muted">It calls nothing that anybody measures.</p>
      )}
    </section>
  )
}

const EXPAND_WORDS: Record<Expand, string> = {
  suspects: 'suspects',
  trouble: 'all in trouble',
  all: 'everything',
  calls: 'its own calls only',
}

/** How far the tree opens; what was opened by hand before is over. */
function ExpandChoice({ expand }: { readonly expand: Expand }) {
  const change = useChangeSearch()
  const choose = (next: string) => change({ expand: next === 'suspects' ? undefined : next, open: undefined })
  return (
    <label className="tree-expand no-print">
      <span className="muted">expand:</span>
      <select className="field" value={expand} onChange={({ target }) => choose(target.value)}>
        {EXPANDS.map((name) => (
          <option key={name} value={name}>
            {EXPAND_WORDS[name]}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Each call as its caller sees it, open along the way to the suspect. */
function DependencyTree({ detail }: { readonly detail: WorkloadDetail }) {
  const { open, expand, sel } = useFields(treeFields)
  const marks = useMemo(() => readOpen(open), [open])
  const change = useChangeSearch()
  const rows = useMemo(
    () => treeRows(detail.dependencies, marks, expand, sel),
    [detail.dependencies, marks, expand, sel],
  )
  const toggle = (mark: string) => change({ open: toggleMark(marks, mark) }, { replace: true })
  // The one call where there is one: a workload that is called twice has two rows.
  const nameOf = ({ node: { edge, id } }: NodeRow) => (edge === null ? id : edgeMark(edge))
  const select = (row: NodeRow) => change({ sel: row.selected ? undefined : nameOf(row) }, { replace: true })
  const silent = detail.clusters.filter(({ state }) => state !== 'ok')
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table, '.tree-name a')
  useEffect(() => {
    // What a link marks is to be seen when it opens; a row that somebody marks is seen already.
    table.current?.querySelector('tr[data-selected="true"]')?.scrollIntoView?.({ block: 'nearest' })
  }, [])
  return (
    <table className="tree" ref={table}>
      <caption className="sr-only">Calls, indented by depth. Buttons open and close a level.</caption>
      <thead>
        <tr>
          <th scope="col">Service</th>
          <th scope="col" className="number tree-calls">
            calls/req
          </th>
          <th scope="col" className="number">
            rps
          </th>
          <th scope="col" className="number">
            p99 here
          </th>
          <th scope="col" className="number tree-change">
            change
          </th>
          <th scope="col" className="number">
            mean +ms
          </th>
          <th scope="col" title="Its own part of the slowdown of the first row">
            own
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          switch (row.kind) {
            case 'node':
              return (
                <DependencyRow
                  key={row.key}
                  row={row}
                  root={detail.workload}
                  ledgerOpen={row.node.edge !== null && marks.has(`${row.node.edge.from}~${row.node.edge.to}`)}
                  toggle={toggle}
                  select={select}
                  silent={silent}
                />
              )
            case 'ledger':
              return (
                <tr key={row.key} className="tree-ledger">
                  <td colSpan={COLUMN_COUNT} style={{ '--level': row.level } as CSSProperties}>
                    <SeamLedger edge={row.edge} />
                  </td>
                </tr>
              )
            case 'fold':
              return <FoldedRow key={row.key} row={row} toggle={toggle} />
            default:
              return row satisfies never
          }
        })}
      </tbody>
    </table>
  )
}

function FoldedRow({ row, toggle }: { readonly row: FoldRow; readonly toggle: (mark: string) => void }) {
  const healthy = row.nodes.every((node) => !inTrouble(node))
  const names = row.nodes.slice(0, MOST_NAMES).map(({ namespace, name }) => (namespace ? `${namespace}/${name}` : name))
  return (
    <tr className="tree-fold">
      <td colSpan={COLUMN_COUNT}>
        <span className="tree-cell">
          <TreeLines level={row.level} rails={row.rails} last={row.last} seam={false} />
          <span className="tree-twist" />
          <span className="muted">
            {row.nodes.length} {healthy ? 'healthy' : 'other'} calls ({names.join(', ')}
            {row.nodes.length > MOST_NAMES ? ', ...' : ''})
          </span>
          <button type="button" className="button-link" onClick={() => toggle(row.toggle)}>
            show
          </button>
        </span>
      </td>
    </tr>
  )
}
