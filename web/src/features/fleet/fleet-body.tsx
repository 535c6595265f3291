import type { Row } from '@tanstack/react-table'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import type { features } from './fleet-columns.tsx'
import type { FleetRow } from './fleet-order.ts'
import { SuspectRow, WorkloadRow } from './fleet-row.tsx'
import type { HeldOrder } from './held-order.ts'

/** Below this, the browser's own find, print and reading order are worth more than the saved work. */
const VIRTUAL_ABOVE_ROWS = 150
const ROW_PX = 36
const OVERSCAN_ROWS = 8

type TableRow = Row<typeof features, FleetRow>

interface FleetBodyProps {
  readonly ref: RefObject<HTMLTableSectionElement | null>
  readonly rows: readonly TableRow[]
  readonly held: HeldOrder
}

export function FleetBody({ ref, rows, held }: FleetBodyProps) {
  useRowClicks(ref)
  const hovering = {
    onPointerEnter: held.hold,
    onPointerLeave: () => {
      if (!ref.current?.contains(document.activeElement)) held.release()
    },
    onFocus: held.hold,
    onBlur: (event: FocusEvent<HTMLTableSectionElement>) => {
      if (event.relatedTarget === null || !ref.current?.contains(event.relatedTarget)) held.release()
    },
  }
  return (
    <tbody ref={ref} {...hovering}>
      {rows.length > VIRTUAL_ABOVE_ROWS ? <VirtualRows body={ref} rows={rows} /> : <Rows rows={rows} from={0} />}
    </tbody>
  )
}

function Rows({ rows, from }: { readonly rows: readonly TableRow[]; readonly from: number }) {
  return rows.map((row, index) =>
    row.original.kind === 'workload' ? (
      <WorkloadRow key={row.id} row={row} index={from + index} />
    ) : (
      <SuspectRow key={row.id} suspect={row.original.suspect} index={from + index} />
    ),
  )
}

/** Only what is near the window is drawn; spacer rows keep the scroll bar honest. */
function VirtualRows({
  body,
  rows,
}: {
  readonly body: RefObject<HTMLTableSectionElement | null>
  readonly rows: readonly TableRow[]
}) {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    setOffset((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
  }, [body])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.original.suspect ? 2 * ROW_PX : ROW_PX),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN_ROWS,
    scrollMargin: offset,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  const before = first ? first.start - offset : 0
  const after = last ? virtual.getTotalSize() - (last.end - offset) : 0
  return (
    <>
      {before > 0 && <Spacer height={before} />}
      {first && last && <Rows rows={rows.slice(first.index, last.index + 1)} from={first.index} />}
      {after > 0 && <Spacer height={after} />}
    </>
  )
}

function Spacer({ height }: { readonly height: number }) {
  return (
    <tr className="fleet-spacer" style={{ height }}>
      <td />
    </tr>
  )
}

/**
 * The row's link covers the row, but the numbers lie above it for their tooltips: a plain click on one follows the link too.
 */
function useRowClicks(body: RefObject<HTMLTableSectionElement | null>): void {
  useEffect(() => {
    const element = body.current
    function onClick(event: MouseEvent) {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
      if (!(event.target instanceof Element) || event.target.closest('a, button')) return
      if (window.getSelection()?.type === 'Range') return
      event.target.closest('tr[data-row]')?.querySelector<HTMLAnchorElement>('.row-link')?.click()
    }
    element?.addEventListener('click', onClick)
    return () => element?.removeEventListener('click', onClick)
  }, [body])
}
