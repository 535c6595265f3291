// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../test/render-at-url.tsx'

const complaints: unknown[] = []

beforeEach(() => {
  complaints.length = 0
  for (const level of ['error', 'warn'] as const)
    vi.spyOn(console, level).mockImplementation((...said) => void complaints.push(said))
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  expect(complaints).toEqual([])
})

const bodyRows = () => [...document.querySelectorAll<HTMLElement>('tr[data-row]')]
const address = (router: ReturnType<typeof renderAtUrl>['router']) => router.history.location.href

test('home names the culprit in a sentence and in the first row, with no click', async () => {
  const { router } = renderAtUrl('/', 'incident')
  const verdict = await screen.findByRole('region', { name: 'Verdict' })
  expect(await within(verdict).findByRole('link', { name: 'stock/ledger' })).toBeInTheDocument()
  expect(bodyRows()[0]?.dataset.row).toBe('west/stock/ledger')
  expect(bodyRows()[0]?.textContent).toContain('98 %')
  expect(
    within(bodyRows()[0] ?? document.body)
      .getByRole('link', { name: 'stock/ledger' })
      .getAttribute('href'),
  ).toBe('/d/west/stock/ledger')
  expect(address(router)).toBe('/fleet')
  expect(document.title).toBe('(!) storefront p99 2.44 s - Goldseam')
})

test('facets, filter and sort live in the address', async () => {
  const { router } = renderAtUrl('/fleet?theme=dark&future=1', 'incident')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: /slower than usual/ }))
  await waitFor(() => expect(bodyRows().map((row) => row.dataset.row)).toEqual(['east/pay/refunds']))
  await user.click(screen.getByRole('button', { name: 'p99' }))
  await user.type(screen.getByRole('searchbox'), 'zzz')
  expect(await screen.findByText(/0 of 29 match/)).toBeInTheDocument()
  // The table follows what is typed when there is time for it: one letter less matches nothing, too.
  await waitFor(() => expect(address(router)).toBe('/fleet?q=zzz&st=warn&theme=dark&sort=-p99&future=1'))
  await user.click(await screen.findByRole('button', { name: 'clear q=zzz' }))
  await waitFor(() => expect(bodyRows()).toHaveLength(1))
})

test('a value that does not fit is said quietly and can be taken out', async () => {
  const { router } = renderAtUrl('/fleet?sort=p42', 'incident')
  expect(await screen.findByText(/Showing -blame/)).toBeInTheDocument()
  expect(address(router)).toBe('/fleet?sort=p42')
  await userEvent.setup().click(screen.getByRole('button', { name: 'Fix link' }))
  expect(address(router)).toBe('/fleet')
})

test('a silent cluster is named and its rows stay, marked stale', async () => {
  renderAtUrl('/fleet', 'partial')
  expect(await screen.findByText(/no answer for 40 s \(timeout after 5 s\)/)).toBeInTheDocument()
  const stale = bodyRows().find((row) => row.dataset.row === 'west/stock/ledger')
  expect(stale?.dataset.status).toBe('stale')
  expect(stale?.textContent).toContain('stale, 40 s ago')
})

test('nothing configured shows the shortest config', async () => {
  renderAtUrl('/fleet', 'empty')
  expect(await screen.findByRole('heading', { name: 'No clusters yet' })).toBeInTheDocument()
})

test('a server that does not answer is one problem with one button', async () => {
  renderAtUrl('/fleet', 'silent')
  expect(await screen.findByRole('heading', { name: 'Goldseam server unreachable' })).toBeInTheDocument()
})

test('many rows are drawn a window at a time, with honest counts for the ear', async () => {
  renderAtUrl('/fleet', 'many')
  const table = await screen.findByRole('table', { name: /Every deployment/ })
  expect(Number(table.getAttribute('aria-rowcount'))).toBeGreaterThan(300)
  expect(bodyRows().length).toBeLessThan(150)
})

test('the page of the victim shows the chain to the culprit across the seam', async () => {
  const { router } = renderAtUrl('/d/east/shop/storefront', 'incident')
  expect(
    await screen.findByText(
      /storefront is slow because of stock\/ledger \(west\)\. ledger's own time is 736 ms of the 754 ms/,
    ),
  ).toBeInTheDocument()
  const tree = await screen.findByRole('table', { name: /Calls, indented/ })
  const suspect = tree.querySelector<HTMLElement>('tr[data-suspect="true"]')
  expect(suspect?.textContent).toContain('stock/ledger')
  expect(suspect?.textContent).toContain('98 %')
  expect(within(tree).getAllByText('1-10 s').length).toBe(3)
  await userEvent.setup().click(within(tree).getAllByRole('button', { name: 'seam' })[0] ?? tree)
  expect(await screen.findByText('catalog.stock.example', { exact: false, selector: '.muted' })).toBeInTheDocument()
  expect(address(router)).toBe('/d/east/shop/storefront?open=east/shop/storefront~west/stock/catalog')
})

test('a workload that is not there is never replaced by another', async () => {
  renderAtUrl('/d/east/shop/nobody', 'incident')
  expect(await screen.findByRole('heading', { name: 'No such workload' })).toBeInTheDocument()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('shop/nobody')
  expect(screen.getByRole('link', { name: 'east/shop/storefront' })).toBeInTheDocument()
})

test('the clusters page lists what no cluster answers for, with the lines that would join it', async () => {
  renderAtUrl('/clusters', 'incident')
  expect(await screen.findByText(/host: "api.payments.example"/)).toBeInTheDocument()
})

test('the clusters page says through what a cluster was found, and where a second one of its name is', async () => {
  renderAtUrl('/clusters', 'incident')
  const rows = await screen.findAllByRole('row')
  const rowOf = (name: string) => rows.find((row) => within(row).queryByRole('rowheader', { name }) !== null)
  const notesOf = (name: string) => rowOf(name)?.nextElementSibling
  expect(notesOf('west')).toHaveTextContent('found through http://thanos.example.com:10902')
  expect(notesOf('east')).toHaveTextContent('http://thanos.example.com:10902 holds a cluster of this name too')
})

test('triage argues: evidence, what would clear it, who moved first; a suspect can be ruled out in this view', async () => {
  const { router } = renderAtUrl('/triage', 'incident')
  const card = await screen.findByRole('region', { name: /stock\/ledger \(west\)/ })
  expect(card).toHaveTextContent('confidence: strong')
  expect(card).toHaveTextContent('98 %')
  expect(within(card).getByText(/Queueing: in-flight 31/)).toBeInTheDocument()
  expect(within(card).getByText(/waits for that/)).toBeInTheDocument()
  const lanes = screen.getByRole('region', { name: 'Who moved first' })
  expect(
    within(lanes)
      .getAllByRole('listitem')
      .map((lane) => lane.textContent),
  ).toEqual([
    expect.stringMatching(/^stock\/ledger/),
    expect.stringContaining('20 s after'),
    expect.stringContaining('30 s after'),
  ])
  const user = userEvent.setup()
  await user.click(within(card).getByRole('button', { name: 'Not it' }))
  expect(address(router)).toBe('/triage?not=west/stock/ledger')
  expect(await screen.findByText(/Everybody who was suspected is ruled out/)).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Take back' }))
  expect(address(router)).toBe('/triage')
})

test('the map shows the problem and its seams, and the same as a table', async () => {
  // jsdom lays nothing out: the drawing asks for its width.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #tell: ResizeObserverCallback
      constructor(tell: ResizeObserverCallback) {
        this.#tell = tell
      }
      observe() {
        this.#tell([{ contentRect: { width: 1_000 } } as ResizeObserverEntry], this as unknown as ResizeObserver)
      }
      disconnect() {}
    },
  )
  const { router } = renderAtUrl('/map', 'incident')
  const user = userEvent.setup()
  const ledger = await screen.findByRole('button', { name: /west\/stock\/ledger, crit, suspect 1/ })
  expect(screen.getByText(/1 suspect, \d+ affected, 3 seams/)).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /east\/pay\/tax/ })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Seam from storefront to catalog' }))
  expect(address(router)).toBe('/map?sel=east/shop/storefront~west/stock/catalog')
  expect(await screen.findByText(/joined by host name/)).toBeInTheDocument()
  await user.click(ledger)
  expect(await screen.findByRole('complementary', { name: 'stock/ledger (west)' })).toHaveTextContent('98 %')
  await user.click(screen.getByRole('button', { name: /^Everything \(\d+\)/ }))
  expect(await screen.findByRole('button', { name: /east\/pay\/tax/ })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'As a table' }))
  expect(await screen.findByRole('table', { name: /^Calls between workloads/ })).toHaveTextContent(
    'seam, dashed, by host',
  )
})

test('what the metrics cannot tell is said for a cluster, and where it matters', async () => {
  renderAtUrl('/clusters', 'incident')
  const said = await screen.findAllByText('behind a plain ingress all hosts share one series')
  expect(said.length).toBeGreaterThan(0)
  cleanup()
  renderAtUrl('/d/east/shop/storefront', 'incident')
  expect(await screen.findByText('numbers of linkerd')).toBeInTheDocument()
  expect(screen.getByText(/time to the first byte of the response/)).toBeInTheDocument()
})

test('what fires stands with the workload it is about, and what names none says so', async () => {
  renderAtUrl('/triage', 'incident')
  const panel = await screen.findByRole('region', { name: 'Firing alerts' })
  const items = within(panel).getAllByRole('listitem')
  expect(items.map((item) => item.textContent)).toEqual([
    expect.stringContaining('StorefrontSlow'),
    expect.stringContaining('west, no workload: instance=node-7:9100, device=sda1'),
  ])
  expect(within(panel).getByRole('link').getAttribute('href')).toBe('/d/east/shop/storefront')
})
