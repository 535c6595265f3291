import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BucketColumns } from './bucket-columns.ts'
import { failingSteps } from './failing.ts'
import type { Counted } from './rows.ts'
import { EVERY_STEP } from './step-mask.ts'
import { flowAt, flowOver, meanAt, meansOf, meansOver, requestsAt, requestsOf, type Traffic } from './traffic.ts'
import { flowOfShares, sumOf } from './traffic-shares.ts'
import { TrafficWindow } from './traffic-window.ts'

const LONG = 9
const COUNTED: readonly Counted[] = ['success', 'failures', 'latencySeconds', 'latencyCount']
const value = fc.option(fc.nat({ max: 50 }), { nil: Number.NaN })
const row = fc.array(value, { minLength: LONG, maxLength: LONG }).map((values) => Float32Array.from(values))
const absent = new Float32Array(LONG).fill(Number.NaN)
const rows = fc.record({
  success: fc.option(row, { nil: absent }),
  failures: fc.option(row, { nil: absent }),
  latencySeconds: row,
  latencyCount: row,
})
const stretch = fc.tuple(fc.nat({ max: 4 }), fc.integer({ min: 1, max: 5 }))
const keep = fc.option(
  fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }).map((kept) => Uint8Array.from(kept, Number)),
)

test('some steps of longer columns are read as columns of these steps are', () => {
  fc.assert(
    fc.property(
      rows,
      rows,
      stretch,
      keep,
      fc.double({ min: 0.1, max: 1, noNaN: true }),
      (one, other, at, mask, share) => {
        const [from, steps] = at
        const kept = mask ?? EVERY_STEP
        const short = new Float64Array(steps).fill(Number.NaN)
        const buckets = new BucketColumns(steps)
        const [windows, plain] = [one, other].reduce<[TrafficWindow[], Traffic[]]>(
          ([left, right], columns) => {
            const cut = (column: Float32Array<ArrayBuffer>) => column.slice(from, from + steps)
            const copy: Traffic = {
              success: cut(columns.success),
              failures: cut(columns.failures),
              latencySeconds: cut(columns.latencySeconds),
              latencyCount: cut(columns.latencyCount),
              buckets,
            }
            const long = { ...columns, buckets: new BucketColumns(LONG) }
            const settled = { of: {}, end: LONG }
            return [
              [...left, new TrafficWindow(long, { from, steps, absent: { long: absent, short }, buckets, settled })],
              [...right, copy],
            ]
          },
          [[], []],
        )
        const read = ([first, second]: readonly Traffic[]) => {
          if (first === undefined || second === undefined) throw new Error('two of them')
          const shares = [first, second].map((traffic) => ({ traffic, share }))
          return {
            over: flowOver(first, kept),
            means: meansOver(first, kept),
            course: [...meansOf(first)],
            requests: [...requestsOf(first)],
            failing: failingSteps(first, 60),
            each: Array.from({ length: steps }, (_, step) => [
              flowAt(first, step),
              requestsAt(first, step),
              meanAt(first, step),
            ]),
            share: flowOfShares(shares, steps, kept),
            sum: COUNTED.map((name) => [...sumOf(shares, steps)[name]]),
          }
        }
        expect(read(windows)).toEqual(read(plain))
        const measured = (traffic: Traffic) =>
          COUNTED.some((name) => [...traffic[name]].some((number) => !Number.isNaN(number)))
        expect(windows.map(({ holds }) => holds)).toEqual(plain.map(measured))
      },
    ),
  )
})
