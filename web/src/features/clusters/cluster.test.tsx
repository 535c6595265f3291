// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../../test/render-at-url.tsx'
import { skewNote, skewWords } from './skew-words.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('one cluster: what was asked of it, what failed and why, what it cannot tell, and a test on demand', async () => {
  const user = userEvent.setup()
  const { router } = renderAtUrl('/clusters?tz=utc', 'incident')
  await user.click(await screen.findByRole('link', { name: 'west' }))
  expect(router.history.location.href).toBe('/clusters/west?tz=utc')
  const requests = await screen.findByRole('region', { name: 'Last requests' })
  expect(within(requests).getAllByRole('row')).toHaveLength(26)
  await user.click(within(requests).getByRole('button', { name: 'failed 1' }))
  expect(within(requests).getAllByRole('row')).toHaveLength(2)
  expect(requests).toHaveTextContent('no answer within 5 s')
  expect(screen.getByText(/No kube-state-metrics and no ingress metrics/)).toBeInTheDocument()
  const endpoint = screen.getByRole('region', { name: 'Endpoint' })
  expect(endpoint).toHaveTextContent('3598 of 3600 answered 99.944 %')
  expect(endpoint).toHaveTextContent('56 % of the error budget (99.9 %) used')
  expect(endpoint).toHaveTextContent('good until 2027-02-14 12:00:00 UTC, 85 days from now')
  const labels = screen.getByRole('table', { name: 'What the labels of linkerd are read as' })
  expect(within(labels).getByRole('row', { name: /^direction/ })).toHaveTextContent('inbound: what it answers')
  await user.click(within(endpoint).getByRole('button', { name: 'Test now' }))
  await waitFor(() =>
    expect(within(endpoint).getByRole('status')).toHaveTextContent('84 scrape targets, 2 of them down'),
  )
})

test('a test that failed is of its cluster, and not of the one that one goes to next', async () => {
  const user = userEvent.setup()
  renderAtUrl('/clusters/east', 'incident')
  const there = globalThis.fetch
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) =>
    init?.method === 'POST' ? Promise.reject(new TypeError('fetch failed')) : there(address, init),
  )
  const title = (name: string) => screen.findByRole('heading', { name, level: 1 })
  const goTo = async (name: string) => {
    const pills = await screen.findByRole('list', { name: 'Clusters' })
    await user.click(within(pills).getByRole('link', { name: new RegExp(name) }))
    await title(name)
    await screen.findByRole('region', { name: 'Last requests' })
  }
  // Both are known, so that nothing is waited for in between.
  await goTo('west')
  await goTo('east')
  await user.click(screen.getByRole('button', { name: 'Test now' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Not tested: Goldseam server unreachable')
  await goTo('west')
  expect(screen.queryByText(/^Not tested/)).toBeNull()
  await goTo('east')
  expect(screen.queryByText(/^Not tested/)).toBeNull()
})

test('of a silent cluster the last good values stand hatched, with the cause and what it does; j walks there', async () => {
  const { router } = renderAtUrl('/clusters?sel=west', 'partial')
  await waitFor(() => expect(document.querySelectorAll('.clusters-status tbody')).toHaveLength(2))
  const [east, west] = document.querySelectorAll<HTMLElement>('.clusters-status tbody')
  const hatched = (row: HTMLElement | undefined) =>
    [...(row?.querySelectorAll<HTMLElement>('td.hatched') ?? [])].map(({ dataset }) => dataset.label)
  expect(hatched(east)).toEqual([])
  expect(hatched(west)).toEqual([
    ...['p95 query', 'Data age', 'Series', 'Workloads', 'Clock skew', 'Metrics found', 'Kube-state', 'Seams'],
  ])
  expect(west).toHaveAttribute('data-chosen', 'true')
  expect(west?.querySelector('[data-label="Workloads"]')).toHaveTextContent(/^22$/)
  expect(west).toHaveTextContent('no answer for 40 s (timeout after 5 s).Its last good values are shown hatched.')
  expect(west).toHaveTextContent('raise limits.queryTimeout or look at its load; left alone, next try')
  expect(west).toHaveTextContent('No kube-state-metrics there')
  expect(east?.querySelector('[data-label="Kube-state"]')).toHaveTextContent('found')
  expect(east?.querySelector('[data-label="Seams"]')).toHaveTextContent('calls into west 3')
  fireEvent.keyDown(document.body, { key: 'j' })
  expect(document.activeElement).toHaveTextContent('east')
  fireEvent.click(east?.querySelector('.clusters-notes') ?? document.body)
  await waitFor(() => expect(router.history.location.search).toBe('?sel=east'))
})

test('a cluster that nobody configured is never replaced by another', async () => {
  renderAtUrl('/clusters/wst', 'incident')
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('cluster wst is not configured here (known: east, west)')
  expect(within(alert).getByRole('link', { name: 'west' })).toHaveAttribute('href', '/clusters/west')
})

test.each([
  [null, null, '--', /does not tell/],
  [0.3, undefined, 'as ours, within 800 ms', null],
  [0.01, 0.02, 'as ours, within 30 ms', null],
  [0.18, 0.02, '180 ms ahead', null],
  [-4.2, 0.02, '4.20 s behind', /too little/],
  [31, 0.5, '31.0 s ahead', /likely at most/],
])('a clock that is off by %s, to %s, reads "%s"', (seconds, within, words, note) => {
  expect(skewWords({ clockSkewSeconds: seconds, clockSkewWithinSeconds: within })).toBe(words)
  if (note === null) expect(skewNote(seconds)).toBeNull()
  else expect(skewNote(seconds)).toMatch(note)
})
