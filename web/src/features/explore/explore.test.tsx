// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../../test/render-at-url.tsx'

const P99 = 'histogram_quantile(0.99, sum by (le, namespace, deployment) (rate(response_latency_ms_bucket[1m])))'
const at = (promql: string, more = '') => `/explore?e1=${encodeURIComponent(promql)}${more}`

beforeEach(() => {
  // jsdom has no layout, and the editor measures its text.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList
  Range.prototype.getBoundingClientRect = () => new DOMRect()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('each cluster answers for itself, and what it warns of stands beside its count', async () => {
  renderAtUrl(at(P99), 'incident')
  const strip = await screen.findByRole('list', { name: 'Answer of each cluster' })
  expect(await within(strip).findByText(/partial response: store-3/)).toBeInTheDocument()
  const [east, west] = within(strip).getAllByRole('listitem')
  expect(east).toHaveTextContent(/east 1\d series/)
  expect(west).toHaveTextContent(/west 1\d series/)
  const table = await screen.findByRole('table')
  expect(within(table).getAllByRole('link', { name: 'open' })[0]).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/d\//),
  )
})

test('a quantile of summed buckets is there over all clusters as well, with the word on how', async () => {
  renderAtUrl(at(P99.replace('(le, namespace, deployment)', '(le)')), 'incident')
  const strip = await screen.findByRole('list', { name: 'Answer of each cluster' })
  expect(await within(strip).findByText(/^joined over east, west: buckets were added up/)).toBeInTheDocument()
  await waitFor(() => {
    const [first] = within(screen.getByRole('table')).getAllByRole('row').slice(1)
    expect(first).toHaveTextContent(/^all together/)
    expect(first && within(first).queryByRole('link')).toBeNull()
  })
})

test('what is in one cluster only is not there twice', async () => {
  renderAtUrl(at(P99), 'incident')
  expect(await screen.findByText(/no series is in several clusters/)).toBeInTheDocument()
  expect(within(await screen.findByRole('table')).queryByText('all together')).toBeNull()
})

test('added up there is one answer over the clusters, with the word on how', async () => {
  const { router } = renderAtUrl(at('sum by (deployment) (rate(response_total[1m]))'), 'incident')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Added up' }))
  expect(router.history.location.search).toContain('join=added')
  const strip = await screen.findByRole('list', { name: 'Answer of each cluster' })
  expect(await within(strip).findByText('joined over east, west: sums were added up')).toBeInTheDocument()
  expect(within(strip).getAllByRole('listitem')).toHaveLength(1)
  const rows = within(await screen.findByRole('table'))
    .getAllByRole('row')
    .slice(1)
  for (const row of rows) expect(row).toHaveTextContent(/^all together/)
})

test('what cannot be added up says why, and each row is its own cluster', async () => {
  renderAtUrl(at('topk(3, response_total)', '&join=added'), 'incident')
  expect(await screen.findByText(/^not joined: topk picks series/)).toBeInTheDocument()
  const names = within(await screen.findByRole('table')).getAllByRole('rowheader')
  expect(new Set(names.map(({ textContent }) => textContent))).toEqual(new Set(['east', 'west']))
})

test('native histograms are told by count, mean and percentiles', async () => {
  renderAtUrl(at('rate(native_seconds[1m])', '&view=table'), 'incident')
  const strip = await screen.findByRole('list', { name: 'Answer of each cluster' })
  expect(await within(strip).findAllByText(/4 series of native histograms/)).toHaveLength(2)
  const table = await screen.findByRole('table')
  const head = within(table)
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent)
  expect(head.slice(-6)).toEqual(['count', 'sum', 'mean', 'p50', 'p95', 'p99'])
  await waitFor(() => {
    for (const row of within(table).getAllByRole('row').slice(1)) expect(row).not.toHaveTextContent('--')
  })
  const [first] = within(table).getAllByRole('row').slice(1)
  expect(first).toHaveTextContent(/108\.7.*0\.09.*0\.1194$/)
})

test('saved evidence is asked of the store, and what was not kept with it says so', async () => {
  const two = `/explore?e1=up&e2=${encodeURIComponent('not_kept + 1')}&saved=3F7K2M`
  renderAtUrl(`${two}&from=2026-11-21T03:01Z&to=2026-11-21T03:31Z`, 'incident')
  const kept = await screen.findByRole('region', { name: 'Result of A' })
  expect(await within(kept).findByRole('table')).toBeInTheDocument()
  const gone = screen.getByRole('region', { name: 'Result of B' })
  expect(await within(gone).findAllByText(/^this was too large to be kept with the evidence 3F7K2M/)).toHaveLength(2)
  expect(gone).toHaveTextContent('not kept')
  expect(within(gone).queryByRole('button', { name: 'again' })).toBeNull()
})

test('what is shared is the moment that was asked for, not the one in which it is shared', async () => {
  renderAtUrl(at('up'), 'incident')
  const user = userEvent.setup()
  await screen.findByRole('table')
  const ranAtMs = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(ranAtMs + 600_000)
  await user.keyboard('Y')
  const { searchParams } = new URL(await navigator.clipboard.readText())
  const toMs = Date.parse(searchParams.get('to') ?? '')
  expect(toMs).toBeLessThanOrEqual(ranAtMs)
  expect(toMs).toBeGreaterThan(ranAtMs - 60_000)
})

/** The ends of the time ranges that the expressions are asked for from here on, in milliseconds. */
function askedEnds(): number[] {
  const ends: number[] = []
  const there = globalThis.fetch
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
    if (init?.body instanceof URLSearchParams && init.body.has('end')) ends.push(Number(init.body.get('end')) * 1000)
    return there(address, init)
  })
  return ends
}

test.each([
  ['another time range', async (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Last 15 min' }))],
  ['r', async (user: UserEvent) => user.keyboard('r')],
])('%s asks the expressions up to the moment in which it is chosen', async (_, choose) => {
  renderAtUrl(at('up'), 'incident')
  await screen.findByRole('table')
  const ends = askedEnds()
  const laterMs = Date.now() + 3_600_000
  vi.spyOn(Date, 'now').mockReturnValue(laterMs)
  await choose(userEvent.setup())
  await waitFor(() => expect(ends).toHaveLength(2))
  for (const end of ends) expect(end).toBeGreaterThan(laterMs - 60_000)
})

test('a heatmap that leaves series out says how many', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900)
  // jsdom draws nothing.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  renderAtUrl(at('up', '&view=heat&on=east'), 'incident')
  const there = globalThis.fetch
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
    if (!address.endsWith('/query_range') || !(init?.body instanceof URLSearchParams)) return there(address, init)
    const sample = [Number(init.body.get('end')), '1']
    const result = Array.from({ length: 45 }, (_, pod) => ({ metric: { pod: `web-${pod}` }, values: [sample] }))
    return Promise.resolve(Response.json({ status: 'success', data: { resultType: 'matrix', result } }))
  })
  expect(await screen.findByText('the 40 largest are drawn, 5 more are in the table')).toBeInTheDocument()
})

test('an address that is too long for chats comes with a short link', async () => {
  const user = userEvent.setup()
  const names = Array.from({ length: 60 }, (_, index) => `some_metric_with_a_long_name_${index}`)
  renderAtUrl(at(names.join(' + ')), 'incident')
  await user.click(await screen.findByRole('button', { name: 'Copy a short link' }))
  expect(await screen.findByText(/^Copied a short link: \/s\/3F7K2M/)).toBeInTheDocument()
})

test("what is each cluster's own is asked of each alone", async () => {
  renderAtUrl(at(P99.replace('le,', 'le, cluster,')), 'incident')
  const strip = await screen.findByRole('list', { name: 'Answer of each cluster' })
  expect(await within(strip).findByText(/partial response: store-3/)).toBeInTheDocument()
  expect(within(strip).getAllByRole('listitem')).toHaveLength(2)
})

test('a cluster that fails says how, and the others stay', async () => {
  renderAtUrl(at('refuse_this'), 'incident')
  const strip = await screen.findByRole('list', { name: 'Answer of each cluster' })
  expect(await within(strip).findByText('cluster west: timeout after 5 s')).toBeInTheDocument()
  expect(strip).toHaveTextContent('HTTP 503')
  expect((await screen.findAllByRole('row')).length).toBeGreaterThan(5)
})

test('an empty answer says what there is instead', async () => {
  renderAtUrl(at('nobody_counts_this'), 'incident')
  const told = /has nobody_counts_this with the labels deployment, direction/
  await waitFor(() => expect(screen.getAllByText(told)).toHaveLength(2))
})

test('a mistake is placed, asked of nobody, and too fine a step is refused with a better one', async () => {
  const { router } = renderAtUrl(at('sum(up', '&step=1s&from=now-1d'), 'incident')
  expect(await screen.findByText(/^1:7: something is missing here/)).toBeInTheDocument()
  const refusal = await screen.findByRole('button', { name: 'Use a step of 10 s' })
  await userEvent.setup().click(refusal)
  expect(router.history.location.search).toContain('step=10s')
  expect(screen.queryByRole('list', { name: 'Answer of each cluster' })).toBeNull()
})

test('several expressions: each with a letter and results of its own, all in the link; one can be taken out', async () => {
  const { router } = renderAtUrl(`/explore?e1=up&e3=${encodeURIComponent(P99)}`, 'incident')
  const user = userEvent.setup()
  const first = await screen.findByRole('region', { name: 'Result of A' })
  const second = await screen.findByRole('region', { name: 'Result of B' })
  expect(await within(first).findByRole('list', { name: 'Answer of each cluster to A' })).toHaveTextContent(/east/)
  expect(second).toHaveTextContent('histogram_quantile')
  await user.click(screen.getByRole('button', { name: 'Remove A' }))
  expect(router.history.location.search).toBe(`?e1=${router.history.location.search.slice(4)}`)
  await waitFor(() => expect(screen.getAllByRole('region', { name: 'Result' })).toHaveLength(1))
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Add expression' }))
  expect(screen.getByRole('button', { name: 'Remove B' })).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Add expression' })).toBeDisabled()
})

test('what was asked is kept in this browser, asked again with a click, and forgotten when one says so', async () => {
  localStorage.setItem('goldseam.explore.history', JSON.stringify(['up', { promql: 'sum(up)', atMs: 1 }]))
  const { router } = renderAtUrl('/explore', 'incident')
  const user = userEvent.setup()
  const history = (await screen.findByText('History')).closest('details') as HTMLDetailsElement
  await user.click(within(history).getByText('sum(up)'))
  expect(router.history.location.search).toBe('?e1=sum%28up%29')
  expect(await screen.findByRole('list', { name: 'Answer of each cluster' })).toBeInTheDocument()
  await user.click(within(history).getByRole('button', { name: 'Forget up' }))
  expect(JSON.parse(localStorage.getItem('goldseam.explore.history') ?? '')).toMatchObject([{ promql: 'sum(up)' }])
  await user.click(within(history).getByRole('button', { name: 'Forget all' }))
  expect(localStorage.getItem('goldseam.explore.history')).toBe('[]')
  expect(screen.queryByText('History')).toBeNull()
})
