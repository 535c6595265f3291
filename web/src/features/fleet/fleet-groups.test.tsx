// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../../test/render-at-url.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** By class and data: to look for roles in a page of this size takes seconds, and each wait looks many times. */
const groupsTable = () => document.querySelector<HTMLTableElement>('table.fleet-groups')

test('a group is one row of sums above the fleet, with a way to its parts and a word on the part nobody sees', async () => {
  renderAtUrl('/fleet', 'quiet')
  await waitFor(() => expect(groupsTable()).not.toBeNull(), { timeout: 90_000 })
  expect(groupsTable()?.caption).toHaveTextContent(/^Groups/)
  const row = document.querySelector<HTMLElement>('tr[data-group="profiles"]')
  expect(row).toHaveTextContent('profiles in 2 clusters')
  expect(row).toHaveTextContent('155')
  expect(row).toHaveTextContent('west/accounts/profile: not seen')
  expect(within(row ?? document.body).getByText('west/ship/rates')).toHaveAttribute('href', '/d/west/ship/rates')
  expect(document.querySelectorAll('tr[data-row]').length).toBeGreaterThan(20)
  fireEvent.change(screen.getByLabelText('Filter by name'), { target: { value: 'stock' } })
  await waitFor(() => expect(groupsTable()).toBeNull())
})

test('without groups there is no such table', async () => {
  renderAtUrl('/fleet', 'incident')
  await waitFor(() => expect(document.querySelectorAll('tr[data-row]').length).toBeGreaterThan(20))
  expect(groupsTable()).toBeNull()
})
