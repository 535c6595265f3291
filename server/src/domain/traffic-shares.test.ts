import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BucketColumns } from './bucket-columns.ts'
import { nativeHistogram } from './native-histogram.ts'
import { type Flow, flowOver, type Traffic, withHistogram } from './traffic.ts'
import { flowOfShares, sumOf } from './traffic-shares.ts'

const STEPS = 6
const column = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 8_000 }).map((value) => value / 8) },
      fc.constant(Number.NaN),
    ),
    {
      minLength: STEPS,
      maxLength: STEPS,
    },
  )
  .map((values) => Float64Array.from(values))
const traffic = fc
  .record({ success: column, failures: column, latencySeconds: column, latencyCount: column, buckets: fc.boolean() })
  .map(({ buckets, ...columns }): Traffic => {
    const columnsOf = new BucketColumns(STEPS)
    if (buckets) for (const bound of [0.1, 1, Number.POSITIVE_INFINITY]) columnsOf.add(bound, columns.success)
    return { ...columns, buckets: columnsOf }
  })
const share = fc.record({ traffic, share: fc.constantFrom(1, 0.5, 0.125) })
const mask = fc.option(fc.uint8Array({ min: 0, max: 1, minLength: STEPS, maxLength: STEPS }), { nil: null })

test('shares added up are the flow of their sum, without the sum', () => {
  fc.assert(
    fc.property(fc.array(share, { minLength: 1, maxLength: 3 }), mask, (shares, keep) => {
      expectClose(flowOfShares(shares, STEPS, keep), flowOver(sumOf(shares, STEPS), keep))
    }),
  )
})

test('a part of a flow has that part of its native histogram, and loses the bounds that the whole loses', () => {
  const buckets = new BucketColumns(1)
  const bucketSeries = new BucketColumns(1)
  for (const [bound, value, series] of [
    [0.1, 3, 1],
    [1, 6, 2],
    [Number.POSITIVE_INFINITY, 8, 2],
  ] as const) {
    buckets.add(bound, [value])
    bucketSeries.add(bound, [series])
  }
  const counted = { success: 8, failures: 0, latencySeconds: 4, latencyCount: 8 }
  const columns = Object.fromEntries(Object.entries(counted).map(([name, value]) => [name, Float64Array.of(value)]))
  const classic = { ...columns, buckets, bucketSeries } as unknown as Traffic
  const quarter = (traffic: Traffic) => flowOfShares([{ traffic, share: 0.25 }], 1, null)
  expect(quarter(classic)).toMatchObject({
    requestsPerSecond: 2,
    histogram: { upperBounds: [1, Number.POSITIVE_INFINITY], cumulative: [1.5, 2] },
    lostBounds: [0.1],
  })
  const native = [nativeHistogram({ count: 8, sum: 4 }, [[0.25, 0.5, 8]])]
  const modern = { ...columns, buckets: new BucketColumns(1), native } as unknown as Traffic
  expect(quarter(modern).histogram).toMatchObject({ count: 2, sum: 1, counts: [2] })
})

test('no shares are no flow', () => {
  expect(flowOfShares([], STEPS, null)).toEqual(flowOver(sumOf([], STEPS), null))
})

/** Sums of products may differ in their last digit. */
function expectClose(ours: Flow, theirs: Flow): void {
  for (const name of ['requestsPerSecond', 'failuresPerSecond', 'meanSeconds'] as const) {
    const [mine, other] = [ours[name], theirs[name]]
    if (mine === null || other === null) expect(mine).toBe(other)
    else expect(Math.abs(mine - other)).toBeLessThanOrEqual(1e-12 * Math.abs(other))
  }
  expect(ours.histogram).toEqual(theirs.histogram)
}

test('latencies that are put in the place of older ones are as old as the rest, of a share and of a whole flow', () => {
  const buckets = new BucketColumns(1)
  for (const bound of [1, Number.POSITIVE_INFINITY]) buckets.add(bound, [4])
  const one = Float64Array.of(4)
  const traffic: Traffic = {
    ...{ success: one, failures: Float64Array.of(0), latencySeconds: one, latencyCount: one },
    ...{ buckets, bucketsAgeSeconds: 20 },
  }
  const fresh = { upperBounds: [2, Number.POSITIVE_INFINITY], cumulative: [4, 4] }
  for (const share of [1, 0.5]) {
    const flow = flowOfShares([{ traffic, share }], 1, null)
    expect(flow.histogramAgeSeconds).toBe(20)
    const { requestsPerSecond, failuresPerSecond, meanSeconds } = flow
    expect(withHistogram(flow, fresh)).toEqual({ requestsPerSecond, failuresPerSecond, meanSeconds, histogram: fresh })
  }
})
