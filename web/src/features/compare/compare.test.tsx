// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../../test/render-at-url.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('two sides, their rows with a verdict in words, and the goals that stand in the link', async () => {
  renderAtUrl('/compare?a=east&b=west&goals=p99:10ms,p99:60s', 'incident')
  const region = await screen.findByRole('region', { name: 'Side by side' })
  expect(region.querySelectorAll('tbody tr').length).toBeGreaterThan(3)
  expect(region).toHaveTextContent(/B worse/)
  const goals = [...(document.querySelector('[aria-labelledby="compare-goals"]')?.querySelectorAll('tbody tr') ?? [])]
  expect(goals.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/p99:10ms.*FAIL/),
    expect.stringMatching(/p99:60s.*pass/),
  ])
})

test('both sides are changed round in the link', async () => {
  const { router } = renderAtUrl('/compare?a=east&b=west', 'incident')
  fireEvent.click(await screen.findByText('Swap'))
  await waitFor(() => expect(router.history.location.search).toBe('?a=west&b=east'))
})

test('with one side given it is held against the window before', async () => {
  renderAtUrl('/compare?a=east/shop/storefront', 'incident')
  const table = within(await screen.findByRole('region', { name: 'Side by side' }))
  expect(table.getByRole('link', { name: 'shop/storefront' })).toHaveAttribute('href', '/d/east/shop/storefront')
  expect(table.getByRole('row', { name: /storefront.*B better/ })).toBeInTheDocument()
})
