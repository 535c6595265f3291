import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nthSmallest, sharedLogDomain } from './scales.ts'

test('the nth smallest is the nth of the sorted, however many are alike', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 60 }),
      fc.nat(59),
      (values, at) => {
        const nth = at % values.length
        expect(nthSmallest(Float64Array.from(values), nth)).toBe([...values].sort((a, b) => a - b)[nth])
      },
    ),
  )
})

test('of none there is no smallest', () => {
  expect(nthSmallest(new Float64Array(0), 0)).toBeUndefined()
})

test('a column is as wide as its values without the lowest few, and never cut at the top', () => {
  const series = [Array.from({ length: 99 }, (_, index) => (index + 1) / 1000), [null, 0, 9]]
  expect(sharedLogDomain(series)).toEqual([0.001, 9])
  expect(sharedLogDomain(series, 0.1)).toEqual([0.01, 9])
  expect(sharedLogDomain([[null], []])).toEqual([0.001, 1])
})
