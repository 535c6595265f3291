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

test('a link that ends some minutes ahead, as where this clock is behind, stays frozen', async () => {
  const to = inMinutes(5)
  const { client } = renderAtUrl(`/fleet?from=${inMinutes(-20)}&to=${to}`, 'incident')
  await waitFor(() => expect(askedEnds(client)).toEqual([to]))
  expect(await screen.findByText('Frozen view')).toBeInTheDocument()
})
