// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../../test/render-at-url.tsx'

const PAGE = '/d/east/shop/storefront'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the tabs are walked by arrow keys, and the open one stands in the address', async () => {
  const { router } = renderAtUrl(PAGE, 'incident')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('tab', { name: 'Pods' }))
  const pods = await screen.findByRole('region', { name: 'Pods' })
  expect(await within(pods).findByRole('rowheader', { name: /storefront-7c9f4d/ })).toBeInTheDocument()
  expect(within(pods).getByRole('link', { name: /compare versions 5d8b7a and 7c9f4d/ })).toBeInTheDocument()
  await user.keyboard('{ArrowRight}{ArrowRight}')
  const log = await screen.findByRole('region', { name: 'Interval log' })
  expect(await within(log).findByText('+++')).toBeInTheDocument()
  expect(router.history.location.search).toBe('?tab=log')
})

test('the queries can be taken to Explore as they are', async () => {
  renderAtUrl(`${PAGE}?tab=queries`, 'incident')
  const link = await screen.findByRole('link', { name: 'Open in Explore' })
  const search = new URLSearchParams(link.getAttribute('href')?.split('?')[1])
  expect(search.get('on')).toBe('east')
  expect(search.get('e1')).toContain('deployment=~"storefront"')
  expect(search.get('tab')).toBeNull()
})

test.each([
  ['latency', 'Latency heatmap', 'View as table'],
  ['events', 'Events', 'left its usual range'],
])('the tab %s opens from a link', async (tab, title, text) => {
  renderAtUrl(`${PAGE}?tab=${tab}`, 'incident')
  const part = await screen.findByRole('region', { name: title })
  expect(await within(part).findByText(text)).toBeInTheDocument()
})

test('a call that is marked stands in the address, and a link opens on it in tree, picture and rows', async () => {
  const edge = 'east/shop/storefront~west/stock/pricing'
  const { router } = renderAtUrl(PAGE, 'incident')
  const mark = await screen.findByRole('button', { name: 'Mark stock/pricing in the link' })
  await userEvent.setup().click(mark)
  expect(router.history.location.search).toBe(`?sel=${edge}`)
  expect(mark).toHaveAttribute('aria-pressed', 'true')
  cleanup()
  for (const deps of ['tree', 'map', 'table']) {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900)
    renderAtUrl(`${PAGE}?sel=${edge}&deps=${deps}`, 'incident')
    await waitFor(() => expect(document.querySelectorAll('[data-selected="true"]')).toHaveLength(1))
    expect(document.querySelector('[data-selected="true"]')).toHaveTextContent('stock/pricing')
    cleanup()
  }
  vi.restoreAllMocks()
})

test('the calls are the same as a picture and as rows', async () => {
  renderAtUrl(`${PAGE}?deps=table`, 'incident')
  const rows = await screen.findByRole('table', { name: /one a row/ })
  expect(within(rows).getAllByRole('row')[1]).toHaveTextContent('stock/ledger')
  fireEvent.click(screen.getByText('tree'))
  await waitFor(() => expect(document.querySelector('table.tree')).not.toBeNull())
  fireEvent.keyDown(document.body, { key: 'j' })
  fireEvent.keyDown(document.body, { key: 'j' })
  expect(document.activeElement).toHaveTextContent('stock/rules')
})
