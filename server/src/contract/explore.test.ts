import { expect, test } from 'vitest'
import { exploreQuantile, exploreStretch, fittingStep } from './explore.ts'

test.each([
  { from: 0, to: 1_800, step: '', want: { from: 0, to: 1_800, step: 10 }, why: 'about 240 points' },
  { from: 7, to: 1_807.5, step: '15s', want: { from: 0, to: 1_800, step: 15 }, why: 'on whole steps' },
  { from: 0, to: 3_600, step: '0.5m', want: { from: 0, to: 3_600, step: 30 }, why: 'a part of a unit' },
  { from: 100, to: 60, step: '1m', want: { from: 0, to: 60, step: 60 }, why: 'an empty range has an instant' },
  { from: 0, to: 100, step: '0s', want: { from: 0, to: 100, step: 1 }, why: 'no step at all is none' },
])('from $from to $to by "$step": $why', ({ from, to, step, want }) => {
  expect(exploreStretch(from, to, step)).toEqual(want)
})

test('a long span has few enough points', () => {
  expect(fittingStep(86_400 * 365, 240)).toBe(Math.ceil((86_400 * 365) / 240))
})

test('a comment at the end of an expression does not swallow what is put around it', () => {
  expect(exploreQuantile(0.5, 'n # all')).toBe('histogram_quantile(0.5, n # all\n)')
})
