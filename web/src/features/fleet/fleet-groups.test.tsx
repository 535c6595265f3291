// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../../test/render-at-url.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a group is one row of sums above the fleet, with a way to its parts and a word on the part nobody sees', async () => {
  renderAtUrl('/fleet', 'quiet')
  const table = await screen.findByRole('table', { name: /^Groups/ })
  const row = within(table).getByRole('row', { name: /profiles in 2 clusters/ })
  expect(row).toHaveTextContent('155')
  expect(row).toHaveTextContent('west/accounts/profile: not seen')
  expect(within(row).getByRole('link', { name: 'west/ship/rates' })).toHaveAttribute('href', '/d/west/ship/rates')
  expect(document.querySelectorAll('tr[data-row]').length).toBeGreaterThan(20)
  await userEvent.setup().type(screen.getByRole('searchbox'), 'stock')
  await vi.waitFor(() => expect(screen.queryByRole('table', { name: /^Groups/ })).toBeNull())
})

test('without groups there is no such table', async () => {
  renderAtUrl('/fleet', 'incident')
  await screen.findByRole('table', { name: /Every deployment/ })
  expect(screen.queryByRole('table', { name: /^Groups/ })).toBeNull()
})
