import type { Row } from '@tanstack/react-table'
import type { features } from './fleet-columns.tsx'
import { LaneRow } from './fleet-lane-row.tsx'
import type { FleetRow } from './fleet-order.ts'
import { SuspectRow, WorkloadRow } from './fleet-row.tsx'

export type TableRow = Row<typeof features, FleetRow>

/** `from`: how many rows of the table stand above. */
export function Rows({ rows, from }: { readonly rows: readonly TableRow[]; readonly from: number }) {
  return rows.map((row, index) => {
    const { original } = row
    switch (original.kind) {
      case 'workload':
        return <WorkloadRow key={row.id} row={row} index={from + index} />
      case 'other':
        return <SuspectRow key={row.id} suspect={original.suspect} index={from + index} />
      case 'lane':
        return <LaneRow key={row.id} lane={original.lane} index={from + index} />
      default:
        return original satisfies never
    }
  })
}
