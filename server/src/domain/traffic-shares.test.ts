import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BucketColumns } from './bucket-columns.ts'
import { type Flow, flowOver, type Traffic } from './traffic.ts'
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
