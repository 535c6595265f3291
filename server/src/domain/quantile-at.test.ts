import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BucketColumns } from './bucket-columns.ts'
import { latencyQuantile } from './latency-histogram.ts'
import { nativeHistogram } from './native-histogram.ts'
import { quantileAt } from './quantile-at.ts'
import { emptyTraffic, flowAt, type Traffic } from './traffic.ts'

const STEPS = 3
const bound = fc.constantFrom(0.001, 0.01, 0.1, 1, Number.POSITIVE_INFINITY)
const value = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constant(Number.NaN), fc.double({ min: 0, max: 5 }))
const column = fc.tuple(bound, fc.array(value, { minLength: STEPS, maxLength: STEPS }))
const added = fc.array(column, { maxLength: 8 })

/** Bounds in any order, some of them without a value at some step, counts that may fall. */
function trafficOf(of: readonly (readonly [number, readonly number[]])[]): Traffic {
  const buckets = new BucketColumns(STEPS)
  for (const [at, values] of of) buckets.add(at, values)
  return { ...emptyTraffic(STEPS), buckets }
}

function plainly(q: number, traffic: Traffic, step: number): number | null {
  const { histogram } = flowAt(traffic, step)
  return histogram === null ? null : (latencyQuantile(q, histogram)?.value ?? null)
}

test('is the quantile of the histogram at that step', () => {
  fc.assert(
    fc.property(added, fc.constantFrom(0.5, 0.99), fc.nat(STEPS - 1), (of, q, step) => {
      const traffic = trafficOf(of)
      expect(quantileAt(q, traffic, step)).toEqual(plainly(q, traffic, step))
    }),
  )
})

test('of pods with buckets of their own, and of native histograms, too', () => {
  const whole = trafficOf([
    [0.1, [1, 2, 3]],
    [1, [4, 4, 4]],
    [Number.POSITIVE_INFINITY, [5, 5, 5]],
  ])
  const bucketSeries = new BucketColumns(STEPS)
  for (const [at, count] of [
    [0.1, 1],
    [1, 2],
    [Number.POSITIVE_INFINITY, 2],
  ] as const)
    bucketSeries.add(at, [count, count, count])
  const uneven = { ...whole, bucketSeries }
  expect(quantileAt(0.5, uneven, 1)).toEqual(plainly(0.5, uneven, 1))
  expect(quantileAt(0.5, uneven, 1)).not.toEqual(quantileAt(0.5, whole, 1))
  const native = { ...trafficOf([]), native: [null, nativeHistogram({ count: 8, sum: 4 }, [[0.25, 0.5, 8]]), null] }
  expect([0, 1].map((step) => quantileAt(0.5, native, step))).toEqual([null, plainly(0.5, native, 1)])
  expect(quantileAt(0.5, native, 1)).toBeGreaterThan(0.25)
})
