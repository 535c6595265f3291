import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '../src/app/query-client.ts'
import { createAppRouter } from '../src/app/router.tsx'
import { answerFetch } from './answering.ts'
import { passSeconds } from './clock.ts'
import type { GalleryState } from './states.ts'

const LATER_SECONDS = 45

/** The whole app in one state: its own components, its own routes, answers from the fixtures. */
export function showState(mount: HTMLElement, { at, answers, later }: GalleryState): void {
  // What another state left behind is none of this one.
  localStorage.clear()
  const change = answerFetch(answers)
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retryDelay: 1 } })
  const theme = new URLSearchParams(window.location.search).get('theme')
  const address = theme === null ? at : `${at}${at.includes('?') ? '&' : '?'}theme=${theme}`
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  createRoot(mount).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
  if (later === undefined) return
  // Once everything that was asked has answered, time passes and the next answers are others.
  const stop = client.getQueryCache().subscribe(() => {
    const queries = client.getQueryCache().getAll()
    if (!queries.some(({ state }) => state.status === 'success') || client.isFetching() > 0) return
    stop()
    passSeconds(LATER_SECONDS)
    change(later)
    void client.refetchQueries()
  })
}
