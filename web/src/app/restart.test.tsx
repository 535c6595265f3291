// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../test/render-at-url.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const rows = () => [...document.querySelectorAll<HTMLElement>('tr[data-row]')].map((row) => row.textContent)
const UNREACHABLE = 'Goldseam server unreachable'

test.each([
  ['the connection is refused', () => Promise.reject(new TypeError('fetch failed'))],
  ['a proxy before it says 502', async () => new Response('<html>', { status: 502 })],
])('a server that restarts takes nothing off the screen: %s', async (_, away) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { client } = renderAtUrl('/fleet', 'incident')
  await waitFor(() => expect(rows().length).toBeGreaterThan(10))
  const before = rows()
  const there = globalThis.fetch

  vi.stubGlobal('fetch', away)
  await act(() => client.refetchQueries())
  expect(await screen.findByText(/^(Goldseam server unreachable|Refresh failed)/)).toBeInTheDocument()
  expect(screen.getByText(/old, trying again by itself/)).toBeInTheDocument()
  expect(rows()).toEqual(before)

  vi.stubGlobal('fetch', there)
  await act(() => client.refetchQueries())
  await waitFor(() => expect(screen.queryByText(/trying again by itself/)).toBeNull())
  expect(screen.queryByText(UNREACHABLE)).toBeNull()
  expect(rows()).toEqual(before)
})
