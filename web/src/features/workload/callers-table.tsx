import type { Edge } from '@goldseam/server/contract'
import { changeOf, onlyBytes, rateReading, successReading, viewAge, viewOf } from '../../answers/edge-reading.ts'
import { Percentile } from '../../answers/seam-ledger.tsx'
import { parseWorkloadId } from '../../format/workload-name.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Metric } from '../../ui/metric.tsx'
import { TableDownload } from '../../ui/table-download.tsx'

export function CallersTable({ callers }: { readonly callers: readonly Edge[] }) {
  return (
    <section className="panel" aria-labelledby="callers">
      <div className="panel-head">
        <h2 id="callers">Called by</h2>
        <span className="muted">who waits for it, and what they see</span>
        {callers.length > 0 && <TableDownload file="goldseam-callers" what="Called by" />}
      </div>
      {callers.length === 0 ? (
        <p className="panel-note muted">
          No caller is measured: it may be an entry, or be called from outside the meshes.
        </p>
      ) : (
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">Caller</th>
              <th scope="col" className="number">
                rps
              </th>
              <th scope="col" className="number">
                p99
              </th>
              <th scope="col" className="number">
                change
              </th>
              <th scope="col" className="number">
                success
              </th>
            </tr>
          </thead>
          <tbody>
            {callers.map((edge) => (
              <CallerRow
                key={`${edge.from} ${edge.destination ?? ''}`}
                edge={edge}
                among={callers.filter(({ from }) => from === edge.from).length}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** `among`: so many rows are of the same caller; where there are several, each says what it calls by. */
function CallerRow({ edge, among }: { readonly edge: Edge; readonly among: number }) {
  const view = viewOf(edge)
  const ageSeconds = viewAge(edge)
  const change = changeOf(view, edge.usual)
  const bytes = onlyBytes(edge)
  return (
    <tr>
      <th scope="row" data-label="Caller">
        <span className="caller-name">
          {edge.seam && <span className="seam-mark">seam</span>}
          <WorkloadLink id={edge.from} />{' '}
          <span className="muted">({parseWorkloadId(edge.from)?.cluster ?? 'outside'})</span>
          {among > 1 && edge.destination !== null && <span className="muted"> to {edge.destination}</span>}
          {bytes !== null && <span className="muted"> {bytes}</span>}
        </span>
      </th>
      <td className="number" data-label="rps">
        <Metric {...rateReading(view, ageSeconds)} compact={ageSeconds !== null} />
      </td>
      <td className="number" data-label="p99">
        {view && <Percentile view={view} name="p99" ageSeconds={ageSeconds} />}
      </td>
      <td className="number" data-label="change">
        {change !== null && <Metric kind="ratio" value={change} label="against usual" />}
      </td>
      <td className="number" data-label="success">
        <Metric {...successReading(view, ageSeconds)} compact={ageSeconds !== null} />
      </td>
    </tr>
  )
}
