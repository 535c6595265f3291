import type { Row } from '@tanstack/react-table'
import type { features } from './fleet-columns.tsx'
import type { FleetRow } from './fleet-order.ts'
import { SuspectRow, WorkloadRow } from './fleet-row.tsx'

export type TableRow = Row<typeof features, FleetRow>

/** `from`: how many rows of the table stand above. */
export function Rows({ rows, from }: { readonly rows: readonly TableRow[]; readonly from: number }) {
  return rows.map((row, index) =>
    row.original.kind === 'workload' ? (
      <WorkloadRow key={row.id} row={row} index={from + index} />
    ) : (
      <SuspectRow key={row.id} suspect={row.original.suspect} index={from + index} />
    ),
  )
}
