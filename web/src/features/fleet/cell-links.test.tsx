// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, fireEvent, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fleet } from '../../../test/incident.ts'
import { renderAtUrl } from '../../../test/render-at-url.tsx'
import { cellAddress, pageSearch } from './cell-links.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const ledger = fleet.workloads.find(({ id }) => id === 'west/stock/ledger')

test('a cell leads to what stands behind its number, with the time and the clusters on screen', () => {
  if (ledger === undefined) throw new Error('no ledger')
  const search = pageSearch({ from: 'now-1h', c: 'west', q: 'led', sort: '-p99', view: 'table' })
  expect(cellAddress('p99', ledger, search)).toBe('/d/west/stock/ledger?from=now-1h&c=west#latency')
  expect(cellAddress('success', ledger, search)).toBe('/d/west/stock/ledger?from=now-1h&c=west#success')
  expect(cellAddress('own', ledger, search)).toBe('/d/west/stock/ledger?from=now-1h&c=west#why')
  expect(cellAddress('change', ledger, search)).toBe('/d/west/stock/ledger?from=now-1h&c=west&tab=log')
  for (const column of ['name', 'cluster']) expect(cellAddress(column, ledger, search)).toBeNull()
  const calm = { ...ledger, change: '' as const, own: { ...ledger.own, share: null } }
  for (const column of ['change', 'own']) expect(cellAddress(column, calm, search)).toBeNull()
  const other = { ...ledger, id: 'east/a b/statefulset:db' }
  expect(cellAddress('rps', other, pageSearch({}))).toBe('/d/east/a%20b/statefulset:db#rps')
})

test('a click on a p99 opens the page with that card marked; e goes on in Explore with its query', async () => {
  const { router } = renderAtUrl('/fleet?from=now-1h', 'incident')
  const cell = 'tr[data-row="east/shop/storefront"] .col-p99 a'
  await waitFor(() => expect(document.querySelector(cell)).not.toBeNull())
  fireEvent.click(document.querySelector(`${cell} .metric`) ?? document.body)
  await waitFor(() => expect(document.querySelector('figure[data-meant="true"]')).toHaveAttribute('id', 'latency'))
  expect(router.state.location.href).toBe('/d/east/shop/storefront?from=now-1h#latency')
  fireEvent.keyDown(document.body, { key: 'e' })
  await waitFor(() => expect(router.state.location.pathname).toBe('/explore'))
  expect(router.state.location.search).toMatchObject({ from: 'now-1h', on: 'east' })
  expect(router.history.location.search).toContain('e1=histogram_quantile%280.99,sum%20by')
})

test('the words beside a focused row can be sent away, and are back with the next visit', async () => {
  renderAtUrl('/fleet', 'incident')
  const row = 'tr[data-row="east/shop/storefront"] .row-link'
  await waitFor(() => expect(document.querySelector(row)).not.toBeNull())
  const link = () => document.querySelector<HTMLElement>(row) ?? document.body
  expect(link().dataset.status).toContain('usual up to')
  fireEvent.keyDown(link(), { key: 'Escape' })
  expect(link()).toHaveAttribute('data-told')
  fireEvent.blur(link())
  expect(link()).not.toHaveAttribute('data-told')
})
