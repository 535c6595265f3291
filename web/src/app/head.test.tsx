// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import type { Query } from '@tanstack/react-query'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../test/render-at-url.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Whether anybody who looks at the answer asks for it again by itself. */
const isPolled = (query: Query) => query.observers.some(({ options }) => options.refetchInterval !== false)

test.each([
  ['/fleet', 'fleet'],
  ['/compare', 'fleet'],
  ['/explore', 'clusters'],
  ['/failover', 'clusters'],
  ['/d/east/shop/nobody', 'fleet'],
  ['/triage', 'suspects'],
])('the verdict above %s goes on with time', async (url, name) => {
  const { client } = renderAtUrl(url, 'incident')
  await screen.findByText(/storefront/, { selector: '.verdict *' })
  const live = client.getQueryCache().findAll({ queryKey: [name], type: 'active' })
  expect(live.some((query) => isPolled(query as Query) && !JSON.stringify(query.queryKey).includes('2026'))).toBe(true)
})

test('the verdict above a map that looks at a moment is of that moment, and does not pass for live', async () => {
  const { client } = renderAtUrl('/map?at=2026-11-21T03:20Z', 'incident')
  await screen.findByText(/storefront/, { selector: '.verdict *' })
  const asked = client.getQueryCache().findAll({ queryKey: ['fleet'], type: 'active' })
  expect(asked.map(({ queryKey }) => JSON.stringify(queryKey).includes('2026-11-21T03:20Z'))).toEqual([true])
  expect(screen.getByText('Frozen')).toBeTruthy()
  expect(new Set(asked.map(({ queryKey }) => JSON.stringify(queryKey))).size).toBe(1)
})
