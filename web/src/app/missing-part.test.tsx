// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../test/render-at-url.tsx'
import { reloadBySelf, TooSoon } from '../api/load-page-anew.ts'

// What a browser does with a script that it could not get.
const gone = vi.hoisted(() => () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})
vi.mock('./palette.tsx', gone)
vi.mock('./share-choices.tsx', gone)
vi.mock('../features/map/map-screen.tsx', gone)
vi.mock('../scope/time-phrase.ts', gone)

const reload = vi.fn()

beforeEach(() => {
  sessionStorage.clear()
  reload.mockClear()
  vi.stubGlobal('location', { ...location, reload })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const rows = () => [...document.querySelectorAll<HTMLElement>('tr[data-row]')].map((row) => row.textContent)
const MISSING = /^This part of the page could not be loaded.*loaded anew by itself as soon as it answers/

test.each([
  ['a dialog', () => fireEvent.keyDown(document, { key: 'k', ctrlKey: true })],
  ['a menu', () => fireEvent.click(screen.getByText('Share'))],
  ['what a form understands', () => fireEvent.click(screen.getByText(/^Last 30 min/, { selector: 'summary' }))],
])(
  '%s that cannot be loaded takes no row away, and the page is loaded anew once the server answers',
  async (_, open) => {
    const { client } = renderAtUrl('/fleet', 'incident')
    await waitFor(() => expect(rows().length).toBeGreaterThan(10))
    const before = rows()
    const away = vi.fn((_address: string) => Promise.reject(new TypeError('fetch failed')))
    vi.stubGlobal('fetch', away)
    open()
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(MISSING))
    await waitFor(() => expect(away).toHaveBeenCalledWith('/api/v1/build', expect.anything()))
    expect(rows()).toEqual(before)
    expect(reload).not.toHaveBeenCalled()

    vi.stubGlobal('fetch', async () => new Response('{}'))
    await act(() => client.refetchQueries({ queryKey: ['missing part'] }))
    expect(reload).toHaveBeenCalledOnce()

    // It did not help, and is not done in circles.
    await act(() => client.refetchQueries({ queryKey: ['missing part'] }))
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(/did not bring it/))
    expect(rows()).toEqual(before)
    expect(reload).toHaveBeenCalledOnce()
  },
)

test('a screen that cannot be loaded says so within its frame, and the address stays for the page that is loaded', async () => {
  const { client, router } = renderAtUrl('/fleet', 'incident')
  await waitFor(() => expect(rows().length).toBeGreaterThan(10))
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')))
  fireEvent.keyDown(document, { key: 'm' })
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(MISSING))
  expect(screen.getByRole('navigation', { name: 'Screens' })).toBeInTheDocument()
  vi.stubGlobal('fetch', async () => new Response('{}'))
  await act(() => client.refetchQueries({ queryKey: ['missing part'] }))
  expect(reload).toHaveBeenCalledOnce()
  expect(router.history.location.pathname).toBe('/map')
})

test('the page is loaded anew twice within ten minutes at most, and not while the server is away', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')))
  await expect(reloadBySelf()).rejects.toThrow('fetch failed')
  vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }))
  await expect(reloadBySelf()).rejects.toThrow('HTTP 502')

  vi.stubGlobal('fetch', async () => new Response('{}'))
  const start = Date.now()
  const loadedAt: number[] = []
  for (let second = 0; second <= 1_300; second += 10) {
    vi.spyOn(Date, 'now').mockReturnValue(start + second * 1_000)
    const tried = await reloadBySelf().catch((error: unknown) => error)
    if (tried === true) loadedAt.push(second)
    else expect(tried).toBeInstanceOf(TooSoon)
  }
  expect(loadedAt).toEqual([0, 30, 630, 660, 1_260, 1_290])
  expect(reload).toHaveBeenCalledTimes(loadedAt.length)
})
