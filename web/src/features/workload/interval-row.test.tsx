// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import type { Interval } from '@goldseam/server/contract'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { momentsIn } from '../../format/stretch.ts'
import { IntervalRow } from './interval-row.tsx'

afterEach(cleanup)

const interval: Interval = {
  at: '2026-11-21T03:31:10Z',
  good: 40,
  bad: 0,
  successRatio: 1,
  minSeconds: 0.001,
  maxSeconds: 0.2,
  p50: 0.01,
  p95: 0.1,
  p99: 0.2,
  p999: 0.2,
  change: '',
  changeRatio: null,
}

test.each([
  { why: 'its bucket has an end', change: {}, most: '200' },
  { why: 'it fell beyond the last bucket', change: { maxSeconds: null }, most: 'off scale' },
  { why: 'there are no buckets', change: { minSeconds: null, maxSeconds: null, p50: null }, most: '' },
  { why: 'nothing was asked', change: { good: 0, minSeconds: null, maxSeconds: null }, most: '' },
])('of an interval the most is told as it is known: $why', ({ change, most }) => {
  render(
    <table>
      <tbody>
        <IntervalRow interval={{ ...interval, ...change }} moment={momentsIn(0, 0, 'utc')} />
      </tbody>
    </table>,
  )
  const cells = screen.getAllByRole('cell').map(({ textContent }) => textContent)
  expect(cells.at(-2)).toBe(most)
})
