import type { DependencyNode, Edge } from '@goldseam/server/contract'
import { changeOf, rateReading, viewAge, viewOf } from '../../answers/edge-reading.ts'
import { Percentile } from '../../answers/seam-ledger.tsx'
import { shortName } from '../../format/workload-name.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Metric } from '../../ui/metric.tsx'
import { graphOf } from './dependency-graph.ts'
import { edgeMark } from './tree-rows.ts'

/** Every call below the workload, one a row, those that matter most on top: what a spreadsheet wants. */
export function DependencyList({ root, sel }: { readonly root: DependencyNode; readonly sel: string }) {
  const { nodes, edges } = graphOf(root)
  const shareOf = (id: string) => nodes.get(id)?.node.share ?? null
  const sorted = [...edges].sort(
    (a, b) => (shareOf(b.to) ?? -1) - (shareOf(a.to) ?? -1) || a.from.localeCompare(b.from) || a.to.localeCompare(b.to),
  )
  return (
    <table className="plain-table">
      <caption className="sr-only">Calls, one a row, largest own share first</caption>
      <thead>
        <tr>
          <th scope="col">Caller</th>
          <th scope="col">Calls</th>
          {['calls/req', 'rps', 'p99 here', 'change', 'own of the callee'].map((title) => (
            <th key={title} scope="col" className="number">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sorted.map(({ edge, from, to }) => (
          <CallRow
            key={`${from} ${to}`}
            edge={edge}
            from={from}
            to={to}
            share={shareOf(to)}
            selected={sel === to || sel === edgeMark(edge)}
          />
        ))}
      </tbody>
    </table>
  )
}

interface CallRowProps {
  readonly edge: Edge
  readonly from: string
  readonly to: string
  readonly share: number | null
  readonly selected: boolean
}

function CallRow({ edge, from, to, share, selected }: CallRowProps) {
  const view = viewOf(edge)
  const ageSeconds = viewAge(edge)
  const change = changeOf(view, edge.usual)
  return (
    <tr data-selected={selected}>
      <th scope="row" data-label="Caller">
        {shortName(from)}
      </th>
      <td data-label="Calls">
        <span className="caller-name">
          {edge.seam && <span className="seam-mark">seam</span>}
          <WorkloadLink id={to} />
        </span>
      </td>
      <td className="number" data-label="calls/req">
        <Metric kind="callsPerRequest" value={edge.callsPerRequest} label="calls per request" />
      </td>
      <td className="number" data-label="rps">
        <Metric {...rateReading(view, ageSeconds)} compact={ageSeconds !== null} />
      </td>
      <td className="number" data-label="p99 here">
        {view && <Percentile view={view} name="p99" ageSeconds={ageSeconds} />}
      </td>
      <td className="number" data-label="change">
        {change !== null && <Metric kind="ratio" value={change} label="against usual" />}
      </td>
      <td className="number" data-label="own of the callee">
        {share !== null && <Metric kind="share" value={share} label="own share" />}
      </td>
    </tr>
  )
}
