import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useState } from 'react'
import type { FleetRow } from './fleet-order.ts'
import { Rows } from './fleet-rows.tsx'

const ROW_PX = 36
const OVERSCAN_ROWS = 8

/** Only what is near the window is drawn; spacer rows keep the scroll bar honest. */
export function VirtualRows({
  body,
  rows,
}: {
  readonly body: RefObject<HTMLTableSectionElement | null>
  readonly rows: readonly FleetRow[]
}) {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    setOffset((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
  }, [body])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.suspect ? 2 * ROW_PX : ROW_PX),
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
