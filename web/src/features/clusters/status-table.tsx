import type { Clusters } from '@goldseam/server/contract'
import { useRef } from 'react'
import { useFields } from '../../scope/use-scope.ts'
import { useRowKeys } from '../../ui/use-row-keys.ts'
import { clustersFields } from './clusters-search.ts'
import { StatusRow } from './status-row.tsx'

/** Title, side, hint, and what span of time or of questions the number is of. */
const COLUMNS: readonly (readonly [string, 'start' | 'end', string, string?])[] = [
  ['Cluster', 'start', ''],
  ['Reach', 'start', 'Whether its Prometheus answers'],
  ['Last answer', 'end', 'How long ago any of its endpoints answered anything'],
  ['p95 query', 'end', '95 of 100 questions were answered faster', 'last 200'],
  ['Data age', 'end', 'How old the newest values of it are'],
  ['Load', 'end', 'Part of each second that its Prometheus works for Goldseam', 'last minute'],
  ['Series', 'end', 'Read by one snapshot'],
  ['Workloads', 'end', ''],
  ['Clock skew', 'end', 'How far its clock is ahead of ours'],
  ['Metrics found', 'start', 'Whose metrics were found there'],
  ['Kube-state', 'start', 'kube-state-metrics tell restarts, rollouts and replicas'],
  ['Seams', 'start', 'Calls that cross into other clusters, and from them'],
]

/** How each cluster answers, and what its state does to every other screen. */
export function StatusTable({ answer: { clusters, gaps, snapshot } }: { readonly answer: Clusters }) {
  const { sel } = useFields(clustersFields)
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table, '.clusters-name')
  return (
    <div className="panel">
      <table className="plain-table clusters-status" ref={table}>
        <caption className="sr-only">How each cluster answers</caption>
        <thead>
          <tr>
            {COLUMNS.map(([title, align, hint, span]) => (
              <th key={title} scope="col" className={align === 'end' ? 'number' : undefined} title={hint || undefined}>
                {title}
                {span && <div className="clusters-span">{span}</div>}
              </th>
            ))}
          </tr>
        </thead>
        {clusters.map((cluster) => (
          <StatusRow
            key={cluster.name}
            cluster={cluster}
            gaps={gaps.filter((gap) => gap.cluster === cluster.name)}
            atMs={Date.parse(snapshot.at)}
            columns={COLUMNS.length}
            chosen={cluster.name === sel}
          />
        ))}
      </table>
    </div>
  )
}
