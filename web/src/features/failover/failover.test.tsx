// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../../test/render-at-url.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('says what lands where, against what was carried, and what has nowhere to go', async () => {
  renderAtUrl('/failover?gone=west', 'incident')
  expect(await screen.findByText(/^If west goes, 1 workload gets more than ever/)).toBeInTheDocument()
  const rows = within(screen.getByRole('region', { name: 'What lands where' }))
    .getAllByRole('row')
    .slice(1)
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/storefront.*instead of west.*41.*93.*60.*more than ever/),
  ])
  const nowhere = within(screen.getByRole('region', { name: 'Nowhere to go' }))
  expect(nowhere.getByRole('link', { name: 'stock/ledger' })).toHaveAttribute('href', '/d/west/stock/ledger')
})

test('the question stands in the link', async () => {
  const { router } = renderAtUrl('/failover', 'incident')
  await screen.findByRole('option', { name: 'west' })
  fireEvent.change(screen.getByLabelText('Cluster that goes'), { target: { value: 'west' } })
  await waitFor(() => expect(router.history.location.search).toBe('?gone=west'))
  const split = screen.getByLabelText('Where its requests go')
  fireEvent.change(split, { target: { value: 'east:100' } })
  fireEvent.blur(split)
  await waitFor(() => expect(router.history.location.search).toBe('?gone=west&split=east:100'))
  fireEvent.change(screen.getByLabelText('Days looked back'), { target: { value: '30' } })
  await waitFor(() => expect(router.history.location.search).toBe('?gone=west&split=east:100&days=30'))
})

test('before a cluster is chosen, each is told in a few numbers, and one click asks about it', async () => {
  const { router } = renderAtUrl('/failover', 'incident')
  const table = within(await screen.findByRole('region', { name: 'What would land where' }))
  expect(table.getByRole('row', { name: /^west/ })).toHaveTextContent(/east 26.*41.*ledger.*storefront/)
  expect(table.getByRole('row', { name: /^east/ })).toHaveTextContent(/nothing/)
  fireEvent.click(table.getByRole('button', { name: 'If west goes' }))
  await waitFor(() => expect(router.history.location.search).toBe('?gone=west'))
  expect(await screen.findByText(/^If west goes, 1 workload gets more than ever/)).toBeInTheDocument()
})
