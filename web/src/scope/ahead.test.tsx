// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../test/render-at-url.tsx'
import { isoInstant } from './time-range.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const inMinutes = (minutes: number) => isoInstant(Date.now() + minutes * 60_000)
/** The ends of time ranges that the server is asked for; null: its own "now". */
const askedEnds = (client: ReturnType<typeof renderAtUrl>['client']) =>
  client
    .getQueryCache()
    .findAll({ queryKey: ['fleet'] })
    .map(({ queryKey }) => (queryKey[1] as Record<string, string>).to ?? null)

test('a link that ends some minutes ahead, as of a clock that is, ends now', async () => {
  const { client } = renderAtUrl(`/fleet?from=${inMinutes(-20)}&to=${inMinutes(5)}`, 'incident')
  await screen.findByText(/storefront/, { selector: '.verdict *' })
  expect(askedEnds(client)).toEqual([null])
  expect(screen.getByText(/^Since /)).toBeInTheDocument()
  expect(screen.queryByText(/does not fit|in the future/)).toBeNull()
})

test('seconds ahead are within what clocks differ by: that link stays frozen', async () => {
  const to = isoInstant(Date.now() + 20_000)
  const { client } = renderAtUrl(`/fleet?from=${inMinutes(-20)}&to=${to}`, 'incident')
  await waitFor(() => expect(askedEnds(client)).toEqual([to]))
})
