// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
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
  const rows = goals.slice(2)
  expect(rows.length).toBeGreaterThan(0)
  expect(goals.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^all, added up from the link.*at most 10 ms.*FAIL/),
    expect.stringMatching(/^all, added up from the link.*at most 60.*pass/),
    ...rows.map(() => expect.stringMatching(/from the config.*at most 500/)),
  ])
})

test('each chart is there as a table as well, with both sides in a row', async () => {
  renderAtUrl('/compare?a=east&b=west&lat=p99', 'incident')
  const figure = within(await screen.findByRole('figure', { name: 'Latency of both sides over time' }))
  await userEvent.setup().click(figure.getByText('View as table'))
  const [head, first] = within(await figure.findByRole('table')).getAllByRole('row')
  expect(head).toHaveTextContent(/^TimeAB$/)
  expect(first).toHaveTextContent(/^03:31:\d\d.*s/)
})

test('goals are written in a form, and stand in the link', async () => {
  const { router } = renderAtUrl('/compare?a=east&b=west', 'incident')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Set goals' }))
  const limit = screen.getByRole('textbox', { name: 'Goal 1: limit' })
  await user.clear(limit)
  await user.type(limit, 'fast')
  expect(limit).toBeInvalid()
  expect(screen.getByRole('button', { name: 'Hold against these' })).toBeDisabled()
  await user.clear(limit)
  await user.type(limit, '250')
  await user.click(screen.getByRole('button', { name: 'Add a goal' }))
  await user.click(screen.getByRole('button', { name: 'Hold against these' }))
  await waitFor(() => expect(router.history.location.search).toContain('goals=p99:250ms,sr:99.9'))
})

test('a side that cannot be had takes nothing away from the other one', async () => {
  renderAtUrl('/compare?a=east&b=nowhere', 'incident')
  const region = await screen.findByRole('region', { name: 'Side by side' })
  expect(region.querySelectorAll('tbody tr').length).toBeGreaterThan(3)
  expect(region).toHaveTextContent(/no answer/)
  expect(screen.getByRole('alert')).toHaveTextContent(/cluster nowhere is not configured here/)
})

test('both sides are changed round in the link', async () => {
  const { router } = renderAtUrl('/compare?a=east&b=west', 'incident')
  fireEvent.click(await screen.findByText('Swap'))
  await waitFor(() => expect(router.history.location.search).toBe('?a=west&b=east'))
})

test.each([
  { given: '?b=west', changed: '?a=west&b=*', why: 'an empty A is everything, an empty B would be the window before' },
  { given: '?a=*&b=west', changed: '?a=west&b=*', why: 'written or not' },
  { given: '?a=west&b=*', changed: '?a=*&b=west', why: 'and back' },
])('sides change round from $given to $changed: $why', async ({ given, changed }) => {
  const { router } = renderAtUrl(`/compare${given}`, 'incident')
  fireEvent.click(await screen.findByText('Swap'))
  await waitFor(() => expect(router.history.location.search).toBe(changed))
})

test.each(['', '?a=east'])('with no B there is nothing to change round: %s', async (given) => {
  renderAtUrl(`/compare${given}`, 'incident')
  const swap = await screen.findByText('Swap')
  expect(swap).toBeDisabled()
  expect(swap).toHaveAttribute('title', 'B is the window before that of A: name a B first')
})

test('windows that lie days apart say their days', async () => {
  const half = (day: number) => `2026-11-${day}T03:00Z~2026-11-${day}T03:30Z`
  renderAtUrl(`/compare?tz=utc&a=east@${half(21)}&b=east@${half(14)}`, 'incident')
  expect(await screen.findByText('21 Nov 03:00-03:30 UTC')).toBeInTheDocument()
  expect(screen.getByText('14 Nov 03:00-03:30 UTC')).toBeInTheDocument()
})

test('with one side given it is held against the window before', async () => {
  renderAtUrl('/compare?a=east/shop/storefront', 'incident')
  const table = within(await screen.findByRole('region', { name: 'Side by side' }))
  expect(table.getByRole('link', { name: 'shop/storefront' })).toHaveAttribute('href', '/d/east/shop/storefront')
  expect(table.getByRole('row', { name: /storefront.*B better/ })).toBeInTheDocument()
})

test('a version is picked where the pods tell some, and a window is typed in words; both stand in the link', async () => {
  const { router } = renderAtUrl('/compare?a=west/stock/ledger&b=west/stock/ledger&tz=utc', 'incident')
  const user = userEvent.setup()
  const versions = await screen.findByRole('combobox', { name: 'A: version' })
  const [, version] = [...versions.querySelectorAll('option')].map(({ value }) => value)
  await user.selectOptions(versions, version ?? '')
  expect(router.history.location.search).toContain(`a=west/stock/ledger@v:${version}&`)
  await user.selectOptions(screen.getByRole('combobox', { name: 'B: window' }), 'another window...')
  await user.type(screen.getByRole('textbox', { name: 'Window of B' }), '2026-11-20 14:00 to 15:00')
  await user.click(screen.getByRole('button', { name: 'Use' }))
  expect(router.history.location.search).toContain('b=west/stock/ledger@2026-11-20T14:00Z~2026-11-20T15:00Z')
  await user.click(screen.getByRole('button', { name: 'p50', pressed: true }))
  expect(router.history.location.search).toContain('lat=p95,p99,p999')
})
