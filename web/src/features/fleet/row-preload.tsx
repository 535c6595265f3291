import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import { workloadQuery } from '../../api/queries.ts'
import { parseWorkloadId } from '../../format/workload-name.ts'
import { useAsking } from '../../scope/use-asking.ts'

/** Long enough not to mean every row that a pointer crosses. */
const MEANT_AFTER_MS = 150

/**
 * Who stays on a row will probably open it: its answer is asked for while the hand still moves. Draws nothing, so that
 * what it listens to has no row drawn anew.
 */
export function RowPreload({ body }: { readonly body: RefObject<HTMLTableSectionElement | null> }) {
  const client = useQueryClient()
  const asking = useAsking()
  useEffect(() => {
    const element = body.current
    let timer: ReturnType<typeof setTimeout> | undefined
    let meant = ''
    function onRow({ target }: Event) {
      const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-row]') : null
      const id = row?.dataset.row ?? ''
      if (id === meant) return
      meant = id
      clearTimeout(timer)
      const address = parseWorkloadId(id)
      if (address) timer = setTimeout(() => void client.prefetchQuery(workloadQuery(address, asking)), MEANT_AFTER_MS)
    }
    function onLeave() {
      meant = ''
      clearTimeout(timer)
    }
    element?.addEventListener('pointerover', onRow)
    element?.addEventListener('focusin', onRow)
    element?.addEventListener('pointerleave', onLeave)
    return () => {
      clearTimeout(timer)
      element?.removeEventListener('pointerover', onRow)
      element?.removeEventListener('focusin', onRow)
      element?.removeEventListener('pointerleave', onLeave)
    }
  }, [body, client, asking])
  return null
}
