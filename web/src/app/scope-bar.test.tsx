// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { act, cleanup, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../test/render-at-url.tsx'
import { isoMinute } from '../scope/time-range.ts'

// Ages are told to the second: a clock that goes on makes them a matter of how fast the machine is.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const HOUR_MS = 3_600_000

/** As if what is on screen had come so long ago. */
async function arrivedBefore(client: ReturnType<typeof renderAtUrl>['client'], ms: number) {
  const earlier = { updatedAt: Date.now() - ms }
  await act(async () => {
    for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: ['fleet'], type: 'active' }))
      client.setQueryData(queryKey, state.data, earlier)
    // Observers are told in a timer of none; this one comes after it.
    await new Promise((told) => setTimeout(told))
  })
}

test('later than the last whole window is a live one of the same width', async () => {
  const user = userEvent.setup()
  const [from, to] = [4, 1].map((hours) => isoMinute(Date.now() - hours * HOUR_MS))
  const { router } = renderAtUrl(`/fleet?from=${from}&to=${to}`, 'incident')
  await user.click(await screen.findByRole('button', { name: 'Later' }))
  await screen.findByRole('button', { name: 'Pause' })
  expect(router.history.location.search).toBe('?from=now-3h')
})

test.each([
  ['/fleet', 'Not live'],
  ['/fleet?refresh=300s', 'Live'],
])('a minute after the answer %s is "%s": not live is what should have had a newer one', async (url, word) => {
  const { client } = renderAtUrl(url, 'incident')
  await screen.findByText('Live')
  await arrivedBefore(client, 60_000)
  expect(screen.getByText(word)).toBeInTheDocument()
})

test.each([
  ['a frozen view', '/fleet?from=2026-11-21T03:01Z&to=2026-11-21T03:31Z', '40 s'],
  ['a moment on the map', '/map?at=2026-11-21T03:20Z', '40 s'],
  ['saved evidence', '/fleet?saved=3F7K2M', '40 s'],
  ['a live view', '/fleet', '61 m'],
])(
  'an hour after the answer, a cluster that was silent for 40 s in %s (%s) is said to be so for %s',
  async (_, url, age) => {
    const { client } = renderAtUrl(url, 'partial')
    const pills = await screen.findByRole('list', { name: 'Clusters' })
    expect(within(pills).getByRole('link', { name: /west/ })).toHaveTextContent(/ 40 s$/)
    await arrivedBefore(client, HOUR_MS)
    expect(within(pills).getByRole('link', { name: /west/ })).toHaveTextContent(new RegExp(` ${age}$`))
  },
)
