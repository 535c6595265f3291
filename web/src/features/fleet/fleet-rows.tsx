import { useTable } from '@tanstack/react-table'
import { useContext, useMemo } from 'react'
import { columns, features, ShownColumns } from './fleet-columns.tsx'
import { LaneRow } from './fleet-lane-row.tsx'
import type { FleetRow } from './fleet-order.ts'
import { SuspectRow, WorkloadRow } from './fleet-row.tsx'

interface RowsProps {
  /** Those that are drawn, of what may be thousands. */
  readonly rows: readonly FleetRow[]
  /** How many rows of the table stand above. */
  readonly from: number
}

export function Rows({ rows, from }: RowsProps) {
  const shown = useContext(ShownColumns)
  const data = useMemo(() => [...rows], [rows])
  const drawn = useMemo(() => columns.filter(({ id }) => shown.includes(id ?? '')), [shown])
  const table = useTable({ features, columns: drawn, data, getRowId: (row) => row.id })
  return table.getRowModel().rows.map((row, index) => {
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
