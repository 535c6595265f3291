import type { QueryClient } from '@tanstack/react-query'
import { loadTheRest } from '../answers/lazy-part.ts'

/** Once the first answer is there, and the browser has nothing else to do. */
export function loadTheRestWhenIdle(client: QueryClient): void {
  const { connection } = navigator as Navigator & { readonly connection?: { readonly saveData?: boolean } }
  if (typeof requestIdleCallback === 'undefined' || connection?.saveData) return
  const stop = client.getQueryCache().subscribe(({ query }) => {
    if (query.state.status !== 'success') return
    stop()
    void loadTheRest(() => new Promise((idle) => requestIdleCallback(() => idle())))
  })
}
