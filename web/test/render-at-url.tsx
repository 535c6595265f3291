import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { configure, render } from '@testing-library/react'
import { vi } from 'vitest'
import { createQueryClient } from '../src/app/query-client.ts'
import { createAppRouter } from '../src/app/router.tsx'
import { answer } from './answer.ts'
import { prometheusAnswer } from './prometheus.ts'
import { type SceneName, scenes } from './scenes.ts'

// A busy machine takes its time; a second, as it comes, would be a test of the machine.
configure({ asyncUtilTimeout: 40_000 })

/** The whole app at an address, with the fixture server's answers behind `fetch`. */
export function renderAtUrl(url: string, scene: SceneName | 'silent') {
  // jsdom has neither layout nor scrolling.
  vi.stubGlobal('scrollTo', () => undefined)
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    if (scene === 'silent') throw new TypeError('fetch failed')
    const { pathname, searchParams } = new URL(address, 'http://test')
    if (pathname.startsWith('/prometheus/')) {
      const form = init?.body instanceof URLSearchParams ? init.body : searchParams
      const { status, body } = prometheusAnswer(scenes[scene], pathname, form)
      return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
    }
    const { status, body } = answer(scenes[scene], pathname, searchParams)
    const type = status < 400 ? 'application/json' : 'application/problem+json'
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': type } })
  })
  const history = createMemoryHistory({ initialEntries: [url] })
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retryDelay: 1 } })
  const router = createAppRouter(history)
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { router, client }
}
