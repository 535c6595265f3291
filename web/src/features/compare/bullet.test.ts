import type { CompareCell } from '@goldseam/server/contract'
import { expect, test } from 'vitest'
import { bulletsOf } from './bullet.ts'

const held = (successRatio: number | null, p99: number | null) => ({
  verdict: 'met' as const,
  text: null,
  cell: { golden: { successRatio, requestsPerSecond: 0, latencySeconds: { p99 } } } as unknown as CompareCell,
})

test('both sides and the limit share one axis from zero', () => {
  const { limit, a, b } = bulletsOf({ measure: 'p99', limit: 0.5, a: held(1, 0.25), b: held(1, 2) }) ?? expect.fail()
  expect([a, b].map((side) => (side ?? 0) / limit)).toEqual([0.5, 4])
  expect(b).toBeCloseTo(1 / 1.15, 12)
})

test('of success it is the failures: ten times as many are ten times as long', () => {
  const { limit, a, b } =
    bulletsOf({ measure: 'sr', limit: 0.999, a: held(0.999, 1), b: held(0.99, 1) }) ?? expect.fail()
  expect(a).toBeCloseTo(limit, 12)
  expect((b ?? 0) / limit).toBeCloseTo(10, 9)
})

test('what was not measured has no bar, and where nothing was there is none', () => {
  expect(bulletsOf({ measure: 'p99', limit: 0.5, a: held(1, null), b: held(1, 0.1) })).toMatchObject({ a: null })
  expect(bulletsOf({ measure: 'p99', limit: 0.5, a: null, b: held(1, null) })).toBeNull()
  expect(bulletsOf({ measure: 'rps', limit: 0, a: held(1, 1), b: null })).toBeNull()
})
