// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../../test/render-at-url.tsx'
import { scenes } from '../../../test/scenes.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('what a mesh cannot tell is said where it would stand: no pods, no requests', async () => {
  const { id } = scenes.quiet.detail.workload
  renderAtUrl(`/d/${id}?tab=callers`, 'quiet')
  expect(await screen.findByText('pods not told apart')).toHaveAttribute(
    'title',
    'recorded series do not tell pods apart',
  )
  const caller = scenes.quiet.detail.callers[0]?.from.split('/').slice(1).join('/') ?? ''
  const row = (await screen.findAllByRole('row')).find((one) => one.textContent?.includes('TCP only'))
  expect(row).toHaveTextContent(caller)
  expect(row).toHaveTextContent('TCP only: 500 B/s in, 2.00 kB/s out, 5 connections')
})

test('of a callee whose cluster is silent, what its calls gained is a range of which nobody knows whose it is', async () => {
  renderAtUrl('/d/east/shop/storefront', 'partial')
  const tree = within(await screen.findByRole('table', { name: /Calls, indented/ }))
  const rowOf = (name: string) => tree.getByRole('link', { name }).closest('tr')
  expect(rowOf('stock/catalog')?.querySelector('.tree-own')).toHaveTextContent(/^0-746 ms unexplained$/)
  expect(rowOf('stock/pricing')?.querySelector('.tree-own')).toHaveTextContent(/^0-747 ms unexplained$/)
  expect(tree.queryAllByText('unexplained')).toHaveLength(3)
  // What the caller sees is of now, whatever the age of what the callee said.
  const pricing = rowOf('stock/pricing')
  expect(pricing).toHaveTextContent('its own side as of 40 s ago')
  expect([pricing?.dataset.stale, pricing?.querySelector('[data-truth="stale"]')]).toEqual(['false', null])
})

test('of one that gets no requests it is said when it last did, with the way to its calls of the last hour', async () => {
  const idle = scenes.incident.fleet.workloads.find(({ truth }) => truth === 'noTraffic')
  renderAtUrl(`/d/${idle?.id}?from=now-12h&tab=callers&tz=utc`, 'incident')
  expect(await screen.findByText(/gets no traffic in this window/)).toBeInTheDocument()
  expect(screen.getByText('last request 03:31')).toBeInTheDocument()
  const wider = screen.getByText('what it called in the last hour')
  expect(wider.getAttribute('href')).toBe(`/d/${idle?.id}?from=now-12h&window=1h&tz=utc&tab=callers`)
})

test('a frozen window stays as it is, and its calls are of the hour that it ends with', async () => {
  const idle = scenes.incident.fleet.workloads.find(({ truth }) => truth === 'noTraffic')
  const window = 'from=2026-11-19T03:01Z&to=2026-11-21T03:31Z'
  renderAtUrl(`/d/${idle?.id}?tab=callers&tz=utc&${window}`, 'incident')
  const wider = await screen.findByText('what it called in the hour before')
  const { searchParams } = new URL(wider.getAttribute('href') ?? '', 'http://page')
  expect(['from', 'to', 'window'].map((name) => searchParams.get(name))).toEqual([
    '2026-11-19T03:01Z',
    '2026-11-21T03:31Z',
    '1h',
  ])
})
