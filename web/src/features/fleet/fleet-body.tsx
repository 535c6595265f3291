import { useRouter } from '@tanstack/react-router'
import { type FocusEvent, type KeyboardEvent, memo, type RefObject, Suspense, useEffect } from 'react'
import { lazyPart } from '../../answers/lazy-part.ts'
import { MissingPart } from '../../answers/missing-part.tsx'
import { usePrinting } from '../../ui/use-printing.ts'
import type { FleetRow } from './fleet-order.ts'
import { Rows } from './fleet-rows.tsx'
import type { HeldOrder } from './held-order.ts'

/** Few fleets are so large; the others need not load what draws them. */
const VirtualRows = lazyPart(
  () => import('./fleet-virtual-rows.tsx').then((module) => module.VirtualRows),
  FirstRowsOnly,
)

/** Below this, the browser's own find, print and reading order are worth more than the saved work. */
const VIRTUAL_ABOVE_ROWS = 150
/** While what draws the rest is loaded: more than fits on a screen. */
const FIRST_ROWS = 60
/** On paper nothing scrolls. */
const MOST_PRINTED_ROWS = 500

interface FleetBodyProps {
  readonly ref: RefObject<HTMLTableSectionElement | null>
  readonly rows: readonly FleetRow[]
  readonly held: HeldOrder
}

export const FleetBody = memo(function FleetBody({ ref, rows, held }: FleetBodyProps) {
  useRowClicks(ref)
  const printing = usePrinting()
  const hovering = {
    onPointerEnter: held.hold,
    onPointerLeave: () => {
      if (!ref.current?.contains(document.activeElement)) held.release()
    },
    onFocus: held.hold,
    onKeyDown: ({ key, target }: KeyboardEvent) => {
      // What hovers beside a focused row may hide what is wanted (WCAG 1.4.13).
      if (key === 'Escape' && target instanceof HTMLElement) target.dataset.told = ''
    },
    onBlur: (event: FocusEvent<HTMLTableSectionElement>) => {
      delete event.target.dataset.told
      if (event.relatedTarget === null || !ref.current?.contains(event.relatedTarget)) held.release()
    },
  }
  return (
    <tbody ref={ref} {...hovering}>
      {rows.length <= VIRTUAL_ABOVE_ROWS || printing ? (
        <Rows rows={rows.slice(0, MOST_PRINTED_ROWS)} from={0} />
      ) : (
        <Suspense fallback={<Rows rows={rows.slice(0, FIRST_ROWS)} from={0} />}>
          <VirtualRows body={ref} rows={rows} />
        </Suspense>
      )}
    </tbody>
  )
})

/** Where what draws the rest could not be loaded. */
function FirstRowsOnly({ rows }: Pick<FleetBodyProps, 'rows'>) {
  return (
    <>
      <Rows rows={rows.slice(0, FIRST_ROWS)} from={0} />
      <tr>
        <td colSpan={99}>
          <MissingPart />
        </td>
      </tr>
    </>
  )
}

/**
 * The row's link covers the row, but what lies above it for its tooltip does not: a plain click there follows the link
 * too. One on a number goes to what is behind that number; rows' and cells' links are plain ones, so that they cost little.
 */
function useRowClicks(body: RefObject<HTMLTableSectionElement | null>): void {
  const { history } = useRouter()
  useEffect(() => {
    const element = body.current
    function onClick(event: MouseEvent) {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
      if (!(event.target instanceof Element)) return
      const behind = event.target.closest('a.cell-link, a.row-link[data-plain]')?.getAttribute('href')
      if (behind) {
        event.preventDefault()
        history.push(behind)
      }
      if (event.target.closest('a, button') || window.getSelection()?.type === 'Range') return
      event.target.closest('tr[data-row]')?.querySelector<HTMLAnchorElement>('.row-link')?.click()
    }
    element?.addEventListener('click', onClick)
    return () => element?.removeEventListener('click', onClick)
  }, [body, history])
}
