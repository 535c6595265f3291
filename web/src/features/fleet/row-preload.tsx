import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'
import { workloadQuery } from '../../api/queries.ts'
import { parseWorkloadId, type WorkloadName } from '../../format/workload-name.ts'
import { useAsking } from '../../scope/use-asking.ts'

/** Long enough not to mean every row that a pointer crosses. */
const MEANT_AFTER_MS = 150

/**
 * Who stays on a row will probably open it: its page and answer are asked for while the hand still moves. Draws nothing, so that
 * what it listens to has no row drawn anew.
 */
export function RowPreload({ body }: { readonly body: RefObject<HTMLTableSectionElement | null> }) {
  const client = useQueryClient()
  const router = useRouter()
  const asking = useAsking()
  useEffect(() => {
    const element = body.current
    let timer: ReturnType<typeof setTimeout> | undefined
    let meant = ''
    function preload(address: WorkloadName) {
      const { cluster, namespace: ns, name } = address
      void router.preloadRoute({ to: '/d/$cluster/$ns/$name', params: { cluster, ns, name } })
      void client.prefetchQuery(workloadQuery(address, asking))
    }
    function onRow({ target }: Event) {
      const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-row]') : null
      const id = row?.dataset.row ?? ''
      if (id === meant) return
      meant = id
      clearTimeout(timer)
      const address = parseWorkloadId(id)
      if (address) timer = setTimeout(() => preload(address), MEANT_AFTER_MS)
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
  }, [body, client, router, asking])
  return null
}
