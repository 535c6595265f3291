// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../../test/render-at-url.tsx'
import { ApiProblem, notOurs, unreachable } from '../../api/problem.ts'
import { askPrometheus } from '../../api/prometheus.ts'
import { clock } from '../../format/clock.ts'
import { askedAgainMs } from './use-explore.ts'

beforeEach(() => {
  // jsdom has no layout, and the editor measures its text.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList
  Range.prototype.getBoundingClientRect = () => new DOMRect()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const tableText = () =>
  within(screen.getByRole('table'))
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent)

test.each([
  ['r', 'up'],
  ['another range', 'up'],
  ['r', 'rate(native_seconds[1m])'],
])(
  '%s while the server restarts leaves what %s brought, says of when it is, and is answered later',
  async (how, promql) => {
    const startMs = Date.now()
    vi.spyOn(Date, 'now').mockReturnValue(startMs)
    const { client } = renderAtUrl(`/explore?e1=${encodeURIComponent(promql)}&view=table&tz=utc`, 'incident')
    await screen.findByRole('table')
    await waitFor(() => expect(screen.getByRole('table')).not.toHaveTextContent('--'))
    const [before, table] = [tableText(), screen.getByRole('table').textContent]
    const served = globalThis.fetch
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }))
    const user = userEvent.setup()
    // Longer than the cache keeps what is not looked at.
    const laterMs = startMs + 600_000
    vi.spyOn(Date, 'now').mockReturnValue(laterMs)
    if (how === 'r') await user.keyboard('r')
    else await user.click(screen.getByRole('button', { name: 'Last 15 min' }))
    const told = `still the answer of the run at ${clock(startMs, 'utc', true)}`
    const strip = await screen.findByRole('list', { name: 'Answer of each cluster' })
    await waitFor(() => expect(strip).toHaveTextContent('HTTP 502'))
    for (const item of within(strip).getAllByRole('listitem')) {
      expect(item).toHaveTextContent(told)
      expect(item).toHaveTextContent('asked again by itself')
    }
    expect(tableText()).toEqual(before)
    expect(screen.getByRole('table').textContent).toBe(table)
    expect(screen.getByRole('region', { name: 'Result' })).toHaveAttribute('data-earlier')

    // Another run that fails changes nothing, though the old answers are long out of the cache.
    vi.spyOn(Date, 'now').mockReturnValue(laterMs + 60_000)
    client.removeQueries({ queryKey: ['explore'], type: 'inactive' })
    await user.keyboard('r')
    await waitFor(() => expect(strip).toHaveTextContent('HTTP 502'))
    expect(strip).toHaveTextContent(told)
    expect(tableText()).toEqual(before)

    vi.stubGlobal('fetch', served)
    await act(() => client.refetchQueries({ queryKey: ['explore'], type: 'active' }))
    await waitFor(() => expect(strip).not.toHaveTextContent('still the answer'))
    expect(screen.getByRole('region', { name: 'Result' })).not.toHaveAttribute('data-earlier')
    expect(screen.getByRole('table')).toBeInTheDocument()
  },
)

const asError = (error: unknown) => (error instanceof Error ? error : null)

test('what nobody answered is asked again by itself; what was refused in words is asked again by hand', async () => {
  const again = (error: Error | null) => askedAgainMs({ state: { data: undefined, error } })
  expect(again(null)).toBe(false)
  expect(again(unreachable(new TypeError('fetch failed')))).toBe(5_000)
  expect(again(notOurs(502, 'HTTP 502'))).toBe(5_000)
  expect(again(new ApiProblem({ type: '/problems/sign-in', title: 'Sign-in needed', status: 401 }))).toBe(false)
  const words = { status: 'error', errorType: 'timeout', error: 'query timed out in expression evaluation' }
  vi.stubGlobal('fetch', async () => Response.json(words, { status: 503 }))
  expect(again(await askPrometheus('/query', {}).then(() => null, asError))).toBe(false)
})
