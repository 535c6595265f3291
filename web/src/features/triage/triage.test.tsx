// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../../test/render-at-url.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('says how much it explains and where that is felt, and leads to the pages that confirm it', async () => {
  renderAtUrl('/triage', 'incident')
  const card = within(await screen.findByRole('region', { name: /ledger/ }))
  expect(card.getByText(/^explains 98 % of the slowdown at 1 of 1 entry points:/)).toBeInTheDocument()
  expect(card.getByRole('link', { name: 'pods' })).toHaveAttribute('href', '/d/west/stock/ledger?tab=pods')
  expect(card.getByRole('link', { name: 'a day before' })).toHaveAttribute('href', '/triage?cmp=1d')
  expect(screen.getByText(/^incident/)).toHaveTextContent(/\d\d:\d\d-\d\d:\d\d/)
  expect(screen.getByRole('button', { name: 'Save evidence' })).toBeEnabled()
  expect(card.getByRole('link', { name: 'path on the map' })).toHaveAttribute('href', '/map?sel=west/stock/ledger')
})

test('with nobody suspected, says who is nearest to the end of its usual range', async () => {
  renderAtUrl('/triage', 'quiet')
  expect(await screen.findByText(/nobody is suspected/)).toBeInTheDocument()
  expect(screen.getByText(/^pay\/ledger \(east\), mean 40 ms at 82 % of its limit/)).toBeInTheDocument()
})
