// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { plotCursor } from '../../charts/plot-cursor.ts'
import type { Point } from '../../charts/thin.ts'
import { ErrorChart } from './workload-charts.tsx'

afterEach(cleanup)

const AT_MS = Date.UTC(2026, 10, 21, 3, 30)
const frame = { fromMs: AT_MS - 60_000, toMs: AT_MS, onsetMs: null, calm: null, zone: 'utc' } as const
const point: Point = {
  atMs: AT_MS,
  requestsPerSecond: 1,
  successRatio: null,
  errorRatio: null,
  inFlight: null,
  p50: null,
  p95: null,
  p99: null,
  p999: null,
  samples: null,
  enoughFor: 4,
}

test.each([
  { errorRatio: 0, said: '0 %' },
  { errorRatio: 0.000005, said: '< 0.001 %' },
  { errorRatio: 0.00002, said: '0.002 %' },
])('of $errorRatio errors a chart says $said: only none are none', ({ errorRatio, said }) => {
  render(
    <ErrorChart {...{ frame, width: 300, goal: null }} points={[{ ...point, errorRatio }]} cursor={plotCursor()} />,
  )
  expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', `03:30:00, ${said}`)
  const ticks = [...document.querySelectorAll('.plot-tick')].map(({ textContent }) => textContent)
  expect(ticks).toEqual(['0 %', '0.1 %', '1 %', '10 %', '100 %'])
})
