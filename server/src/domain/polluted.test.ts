import { expect, test } from 'vitest'
import { bandOf } from './baseline.ts'
import { pollutedAmong, pollutedNote, shiftIn } from './polluted.ts'

const STEPS = 300
const course = (mean: (step: number) => number) => Float64Array.from({ length: STEPS }, (_, step) => mean(step))

test.each([
  { why: 'nothing changes', means: course(() => 0.1), ratio: null },
  { why: 'risen at once and never back', means: course((step) => (step < 60 ? 0.05 : 0.5)), ratio: 10 },
  {
    why: 'back again: a deviation, which the band tells',
    means: course((step) => (step > 60 && step < 90 ? 0.5 : 0.05)),
    ratio: null,
  },
  {
    why: 'a present incident, which the band tells too',
    means: course((step) => (step < 250 ? 0.05 : 0.5)),
    ratio: null,
  },
  { why: 'a daily rhythm climbs', means: course((step) => 0.05 + 0.2 * (step / STEPS)), ratio: null },
  { why: 'slower by less than twice', means: course((step) => (step < 60 ? 0.1 : 0.18)), ratio: null },
  { why: 'too little calm to tell', means: course((step) => (step < 5 ? 0.05 : 0.5)), ratio: null },
])('$why', ({ means, ratio }) => {
  const shift = shiftIn(means, bandOf(means))
  if (ratio === null) expect(shift).toBeNull()
  else expect(shift).toEqual({ step: 60, ratio: expect.closeTo(ratio, 9) })
})

test('the worst is named, with the day to compare with; last good values are not looked at', () => {
  const axis = { fromSeconds: 0, stepSeconds: 15, steps: STEPS }
  const means = course((step) => (step < 60 ? 0.05 : 0.5))
  const one = { id: 'east/shop/cart', means, band: bandOf(means) }
  const lower = course((step) => (step < 60 ? 0.05 : 0.2))
  const milder = { id: 'east/shop/web', means: lower, band: bandOf(lower), stale: false }
  expect(pollutedNote(pollutedAmong([milder, { ...one, stale: false }], axis))).toBe(
    'shop/cart (east) became 10 times slower at 00:15 UTC and has been so for 60 m: its usual values may be those of an incident, compare with a day ago (cmp=1d)',
  )
  expect(pollutedNote(pollutedAmong([{ ...one, stale: true }], axis))).toBeNull()
})
