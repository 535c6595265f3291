// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../test/render-at-url.tsx'
import { isoInstant } from '../scope/time-range.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a map that looks at a moment is frozen with its window, and with the moment', async () => {
  const at = isoInstant(Date.now() - 10 * 60_000)
  const { router } = renderAtUrl(`/map?at=${at}`, 'incident')
  await screen.findByText(/storefront/, { selector: '.verdict *' })
  fireEvent.click(screen.getByText(/^Share/))
  fireEvent.click(await screen.findByText('Freeze this view'))
  const search = () => router.state.location.search as Record<string, string>
  await waitFor(() => expect(search().to).toBeDefined())
  expect(search().at).toBe(at)
  expect(Date.parse(search().to ?? '')).toBeGreaterThan(Date.parse(at) + 9 * 60_000)
  expect(Date.parse(search().from ?? '')).toBeLessThan(Date.parse(at))
})
