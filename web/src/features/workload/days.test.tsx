// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../../test/render-at-url.tsx'
import { scenes } from '../../../test/scenes.ts'

const PAGE = '/d/east/shop/storefront?tz=utc'
const WEEK = 'from=2026-11-14T03:31:10Z&to=2026-11-21T03:31:10Z'
const HALF_HOUR = 'from=2026-11-21T03:01:10Z&to=2026-11-21T03:31:10Z'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test.each([
  { window: WEEK, when: '21 Nov 03:12:10' },
  { window: HALF_HOUR, when: '03:12:10' },
])('an event of $window is of $when', async ({ window, when }) => {
  renderAtUrl(`${PAGE}&tab=events&${window}`, 'incident')
  const part = await screen.findByRole('region', { name: 'Events' })
  expect(await within(part).findByText(when)).toHaveAttribute('title', '2026-11-21 03:12:10 UTC')
})

test.each([
  { window: WEEK, when: '21 Nov 03:31:10' },
  { window: HALF_HOUR, when: '03:31:10' },
])('the last interval of $window is of $when', async ({ window, when }) => {
  renderAtUrl(`${PAGE}&tab=log&${window}`, 'incident')
  const part = await screen.findByRole('region', { name: 'Interval log' })
  expect(await within(part).findByRole('rowheader', { name: when })).toBeInTheDocument()
})

test.each([
  { window: WEEK, when: '21 Nov 03:31' },
  { window: HALF_HOUR, when: '03:31' },
])('the last column of the heatmap of $window is of $when', async ({ window, when }) => {
  renderAtUrl(`${PAGE}&tab=latency&${window}`, 'incident')
  const part = await screen.findByRole('region', { name: 'Latency heatmap' })
  const table = await within(part).findByRole('table', { hidden: true })
  const [head] = within(table).getAllByRole('row', { hidden: true })
  expect(head?.lastElementChild).toHaveTextContent(new RegExp(`^${when}$`))
})

test('numbers of a week have their day in each row', async () => {
  // jsdom opens no dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  vi.spyOn(scenes.incident.detail.series, 'from', 'get').mockReturnValue('2026-11-14T03:31:10Z')
  renderAtUrl(`${PAGE}&${WEEK}`, 'incident')
  await userEvent.setup().click(await screen.findByRole('button', { name: 'RPS: view as table' }))
  const table = within(await screen.findByRole('table', { name: /^RPS, newest first/ }))
  expect(table.getAllByRole('rowheader')[0]).toHaveTextContent(/^21 Nov 03:31:10$/)
})

test('of one that gets no requests for days, that day is said', async () => {
  const idle = scenes.incident.fleet.workloads.find(({ truth }) => truth === 'noTraffic')
  const { series } = scenes.incident.detail
  vi.spyOn(series, 'from', 'get').mockReturnValue('2026-11-14T03:31:10Z')
  vi.spyOn(series, 'requestsPerSecond', 'get').mockReturnValue(series.at.map(() => 0))
  renderAtUrl(`/d/${idle?.id}?tz=utc&${WEEK}`, 'incident')
  expect(await screen.findByText('none since 14 Nov 03:31')).toBeInTheDocument()
})
