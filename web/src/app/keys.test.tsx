// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { renderAtUrl } from '../../test/render-at-url.tsx'
import { changeKeys } from '../ui/key-choice.ts'

beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined
  // jsdom has the element, and not what it can do.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function () {
    this.open = false
    this.dispatchEvent(new Event('close'))
  }
})
afterEach(() => {
  cleanup()
  changeKeys({})
})

/** The link of a row; the sentence above the table has links of the same names. */
const rowOf = async (id: string) => {
  await screen.findByRole('table', { name: /^Every deployment/ })
  const row = [...document.querySelectorAll<HTMLElement>('tr[data-row]')].find(({ dataset }) => dataset.row === id)
  return row?.querySelector<HTMLElement>('.row-link') ?? document.body
}

const address = (router: ReturnType<typeof renderAtUrl>['router']) => router.history.location.href

test('s lays the suspects beside the page, the link says so, and Escape takes them away', async () => {
  const { router } = renderAtUrl('/fleet', 'incident')
  const user = userEvent.setup()
  await rowOf('west/stock/ledger')
  await user.keyboard('s')
  const panel = await screen.findByRole('complementary', { name: 'Suspects' })
  expect(address(router)).toBe('/fleet?panel=suspects')
  expect(await within(panel).findByRole('heading', { name: /stock\/ledger \(west\)/ })).toBeInTheDocument()
  expect(panel).toHaveFocus()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Suspects' })).not.toBeInTheDocument())
  expect(address(router)).toBe('/fleet')
})

test('x chooses two rows, and leads to where they are compared', async () => {
  renderAtUrl('/fleet', 'incident')
  const user = userEvent.setup()
  const ledger = await rowOf('west/stock/ledger')
  ledger.focus()
  await user.keyboard('x')
  expect(await screen.findByText(/press x on another row/)).toBeInTheDocument()
  await waitFor(async () => {
    expect((await rowOf('west/stock/ledger')).closest('tr')).toHaveAttribute('aria-selected', 'true')
  })
  ;(await rowOf('east/shop/storefront')).focus()
  await user.keyboard('x')
  const chosen = (await screen.findByText(/ledger \(west\) and shop/)).closest<HTMLElement>('.chosen') ?? document.body
  const link = within(chosen).getByRole('link', { name: 'Compare' })
  const { pathname, searchParams } = new URL(link.getAttribute('href') ?? '', 'http://test')
  expect(pathname).toBe('/compare')
  expect([searchParams.get('a'), searchParams.get('b')]).toEqual(['west/stock/ledger', 'east/shop/storefront'])
})

test('a key that is in the way becomes another one; what is taken is refused', async () => {
  const { router } = renderAtUrl('/fleet', 'incident')
  const user = userEvent.setup()
  await rowOf('west/stock/ledger')
  await user.keyboard('?')
  await user.click(await screen.findByRole('button', { name: 'm: change this key' }))
  await user.keyboard('j')
  expect(screen.getByText('j is taken: next row.')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'm: change this key' }))
  await user.keyboard('q')
  expect(screen.getByRole('button', { name: 'q: change this key' })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await user.keyboard('m')
  expect(address(router)).toBe('/fleet')
  await user.keyboard('q')
  await screen.findByRole('heading', { name: 'Map' })
})

test('a theme is one entry of the palette; the button says it, and a link that names one goes along', async () => {
  const { router } = renderAtUrl('/fleet?theme=light', 'incident')
  const user = userEvent.setup()
  await rowOf('west/stock/ledger')
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: 'Workload, screen, time or action' }), 'dark')
  expect(within(screen.getByRole('listbox', { name: 'Matches' })).getAllByRole('option')[0]).toHaveTextContent(
    'Theme: dark',
  )
  await user.keyboard('{Enter}')
  expect(document.documentElement.dataset.theme).toBe('dark')
  expect(await screen.findByRole('button', { name: 'Theme: Dark. Change' })).toBeInTheDocument()
  await waitFor(() => expect(address(router)).toBe('/fleet?theme=dark'))
  delete document.documentElement.dataset.theme
})
