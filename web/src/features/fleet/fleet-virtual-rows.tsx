import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { grown, isSame, type Span } from './drawn-span.ts'
import type { FleetRow } from './fleet-order.ts'
import { Rows } from './fleet-rows.tsx'
import { useRowPx } from './row-px.ts'

const OVERSCAN_ROWS = 8
/** So many new rows in one go: what a slow processor draws in some fifty milliseconds. */
const ROWS_A_FRAME = 2

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
    const measure = () => setOffset(Math.round((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY))
    measure()
    if (typeof ResizeObserver === 'undefined') return
    // What stands above comes and goes, such as a line for each cluster that is silent.
    const watching = new ResizeObserver(measure)
    watching.observe(document.body)
    return () => watching.disconnect()
  }, [body])
  const rowPx = useRowPx(body)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.suspect ? 2 * rowPx : rowPx),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN_ROWS,
    scrollMargin: offset,
    // A row that comes a frame later is seen less than a frame that comes late.
    useFlushSync: false,
  })
  useLayoutEffect(() => {
    // Sizes are worked out once, until they are asked for anew.
    if (rowPx > 0) virtual.measure()
  }, [rowPx, virtual.measure])
  const items = virtual.getVirtualItems()
  const [firstItem, lastItem] = [items[0], items.at(-1)]
  const wanted: Span = { first: firstItem?.index ?? 0, last: lastItem?.index ?? -1 }
  const { startIndex, endIndex } = virtual.range ?? { startIndex: wanted.first, endIndex: wanted.last }
  const drawn = useGrown(wanted, { first: startIndex, last: endIndex })
  const shown = useMemo(() => rows.slice(drawn.first, drawn.last + 1), [rows, drawn.first, drawn.last])
  const before = drawn.last < drawn.first ? 0 : startOf(drawn.first)
  const after = virtual.getTotalSize() - (drawn.last < drawn.first ? 0 : startOf(drawn.last + 1))
  function startOf(index: number): number {
    const inside = items[index - wanted.first]
    if (inside) return inside.start - offset
    return lastItem ? lastItem.end - offset : 0
  }
  return (
    <>
      {before > 0 && <Spacer height={before} />}
      {shown.length > 0 && <Rows rows={shown} from={drawn.first} />}
      {after > 0 && <Spacer height={after} />}
    </>
  )
}

/** All that is wanted at first; later a few rows more in each frame, until all that is wanted is there. */
function useGrown(wanted: Span, seen: Span): Span {
  const [drawn, setDrawn] = useState(wanted)
  const isFirst = drawn.last < drawn.first
  const next = isFirst ? wanted : grown(drawn, wanted, seen, ROWS_A_FRAME)
  const done = isSame(next, drawn)
  useEffect(() => {
    if (done) return
    const frame = requestAnimationFrame(() => setDrawn({ first: next.first, last: next.last }))
    return () => cancelAnimationFrame(frame)
  }, [done, next.first, next.last])
  return next
}

function Spacer({ height }: { readonly height: number }) {
  return (
    <tr className="fleet-spacer" style={{ height }}>
      <td />
    </tr>
  )
}
