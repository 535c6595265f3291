import { expect, test } from 'vitest'
import { alarmed, FIRST_TURN, isUpsideDown, orbitOf, progressOf, touched, turned } from './turning.ts'

const DWELL = 15_000
const at = (...moments: number[]) => moments.reduce((turn, nowMs) => turned(turn, 3, DWELL, nowMs), FIRST_TURN)

test('a page stays its time, and after the last comes the first', () => {
  expect(at(14_999).page).toBe(0)
  expect(at(15_000).page).toBe(1)
  expect(at(15_000, 29_999).page).toBe(1)
  expect(at(15_000, 30_000, 45_000).page).toBe(0)
  expect(progressOf(at(15_000), DWELL, 22_500)).toBe(0.5)
  expect(turned({ ...FIRST_TURN, page: 2 }, 2, DWELL, 5).page).toBe(0)
})

test('while somebody is near nothing turns for a minute; then a page has its whole time', () => {
  const held = touched(at(15_000), 20_000)
  expect(held.touchedUntilMs).toBe(80_000)
  expect(turned(held, 3, DWELL, 94_999).page).toBe(1)
  expect(turned(held, 3, DWELL, 95_000).page).toBe(2)
})

test('new trouble is shown at once and stays for a minute', () => {
  const shown = alarmed(at(15_000), 0, 20_000)
  expect(shown.page).toBe(0)
  expect(turned(shown, 3, DWELL, 94_999).page).toBe(0)
  expect(turned(shown, 3, DWELL, 95_000).page).toBe(1)
})

test('the picture goes round through eight places, one to three pixels off, each for 90 s', () => {
  const places = Array.from({ length: 16 }, (_, step) => orbitOf(step * 90_000, 1_080))
  expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(8)
  for (const { x, y } of places) {
    expect(Math.max(Math.abs(x), Math.abs(y))).toBeGreaterThanOrEqual(1)
    expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(3)
  }
  expect(orbitOf(89_999, 1_080)).toEqual(orbitOf(0, 1_080))
})

test('header and footer change places every six hours', () => {
  expect([0, 6, 12].map((hours) => isUpsideDown(hours * 3_600_000))).toEqual([false, true, false])
})
