import { useContext } from 'react'
import { Metric } from '../../ui/metric.tsx'
import { ShownColumns } from './fleet-columns.tsx'
import type { Lane } from './fleet-order.ts'
import { rowIndex } from './fleet-row.tsx'

/** The heading of a cluster or a namespace in the table, with what its rows add up to. */
export function LaneRow({ lane, index }: { readonly lane: Lane; readonly index: number }) {
  const count = useContext(ShownColumns).length
  const { name, inTrouble, requestsPerSecond, successRatio, partial, silence } = lane
  const truth = partial ? 'partial' : 'value'
  return (
    <tr className="fleet-lane" aria-rowindex={rowIndex(index)}>
      <th scope="rowgroup" className="fleet-lane-head" colSpan={count}>
        <span className="fleet-lane-words">
          <span>{name}</span>
          <span className="muted">
            {lane.count}
            {inTrouble > 0 && `, ${inTrouble} in trouble`}
          </span>
          {silence !== null && <span className="fleet-lane-silence">{silence}</span>}
          <Metric kind="rate" label="rate, added up" value={requestsPerSecond} truth={truth} />
          {successRatio !== null && (
            <Metric kind="success" label="success, added up" value={successRatio} truth={truth} />
          )}
        </span>
      </th>
    </tr>
  )
}
