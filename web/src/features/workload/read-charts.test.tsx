// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../../test/render-at-url.tsx'
import { scenes } from '../../../test/scenes.ts'

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(300)
})

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('arrow keys read all four charts at one instant, and Escape ends it', async () => {
  renderAtUrl(`/d/${scenes.incident.detail.workload.id}?tz=utc`, 'incident')
  const latency = await screen.findByRole('slider', { name: 'Latency over time' })
  const rate = screen.getByRole('slider', { name: 'Requests per second over time' })
  await screen.findByRole('slider', { name: 'Requests in flight over time' })
  expect(rate).toHaveAttribute('aria-valuetext', expect.stringMatching(/^03:31:10, \d\d\/s$/))
  latency.focus()
  await userEvent.keyboard('{Home}')
  expect(latency).toHaveAttribute('aria-valuenow', '0')
  expect(latency.getAttribute('aria-valuetext')).toMatch(/^03:01:25, p999 ~\d+ ms, p99 \d+ ms, p95 \d+ ms, p50 \d+ ms$/)
  expect(rate).toHaveAttribute('aria-valuetext', expect.stringMatching(/^03:01:25, \d\d\/s$/))
  expect(document.querySelectorAll('.time-plot-tip')).toHaveLength(4)
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}')
  expect(latency).toHaveAttribute('aria-valuenow', '1')
  await userEvent.keyboard('{Escape}')
  expect(document.querySelectorAll('.time-plot-tip')).toHaveLength(0)
})

test('a pointer over one chart reads all of them, until it leaves; a finger that is lifted stays', async () => {
  renderAtUrl(`/d/${scenes.incident.detail.workload.id}?tz=utc`, 'incident')
  const rate = await screen.findByRole('slider', { name: 'Requests per second over time' })
  await screen.findByRole('slider', { name: 'Requests in flight over time' })
  fireEvent.pointerMove(rate, { clientX: 44, pointerType: 'mouse' })
  expect(rate).toHaveAttribute('aria-valuenow', '0')
  expect(document.querySelectorAll('.time-plot-tip')).toHaveLength(4)
  fireEvent.pointerLeave(rate, { pointerType: 'mouse' })
  expect(document.querySelectorAll('.time-plot-tip')).toHaveLength(0)
  fireEvent.pointerMove(rate, { clientX: 296, pointerType: 'touch' })
  fireEvent.pointerLeave(rate, { pointerType: 'touch' })
  expect(rate).toHaveAttribute('aria-valuenow', '119')
})

test('on paper the least, the middle and the most of each chart stand below it', async () => {
  renderAtUrl(`/d/${scenes.incident.detail.workload.id}?tz=utc`, 'incident')
  const latency = await screen.findByRole('figure', { name: 'Latency p99' })
  expect(latency).not.toHaveTextContent('least')
  act(() => void window.dispatchEvent(new Event('beforeprint')))
  expect(latency).toHaveTextContent(/p99: least 3\d\d ms, middle 2\.\d\d s, most 2\.\d\d s/)
  expect(latency).toHaveTextContent('hatched: since it began, 03:12')
  act(() => void window.dispatchEvent(new Event('afterprint')))
  expect(latency).not.toHaveTextContent('least')
})
