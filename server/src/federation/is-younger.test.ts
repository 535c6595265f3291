import { expect, test } from 'vitest'
import { isYounger } from './is-younger.ts'

test.each([
  [1_000, 1_000, true],
  [1_000, 1_009.9, true],
  [1_000, 1_010, false],
  [Number.NEGATIVE_INFINITY, 1_000, false],
  // The clock was set back by ten minutes.
  [1_600, 1_000, false],
])('what is of %s is younger than 10 s at %s: %s', (atSeconds, nowSeconds, young) => {
  expect(isYounger(atSeconds, nowSeconds, 10)).toBe(young)
})
