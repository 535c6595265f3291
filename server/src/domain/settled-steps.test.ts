import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Axis, instantOf } from './baseline.ts'
import { BucketColumns } from './bucket-columns.ts'
import { emptyObservation, newInbound, type Observation } from './observation.ts'
import { PastTrack } from './past-track.ts'
import { flowOver, type Traffic } from './traffic.ts'

const ID = 'west/shop/stock'
const WORKLOAD = { cluster: 'west', namespace: 'shop', kind: 'deployment', name: 'stock' }
const STEP_SECONDS = 15
const SHOWN = 12

const axis = (from: number, steps: number): Axis => ({
  fromSeconds: from * STEP_SECONDS,
  stepSeconds: STEP_SECONDS,
  steps,
})

const column = (values: readonly number[]) => Float64Array.from(values)

function trafficOf(values: readonly number[]): Traffic {
  return {
    success: column(values),
    failures: column(values.map((value) => value / 4)),
    latencySeconds: column(values.map((value) => value * 3)),
    latencyCount: column(values),
    buckets: new BucketColumns(values.length),
  }
}

function observed(values: readonly number[]): Observation {
  const observation = emptyObservation('west', values.length)
  observation.inbound.set(ID, { ...newInbound(WORKLOAD, values.length, 'firstByte'), total: trafficOf(values) })
  return observation
}

/** One after the other: steps that come in, mostly the next ones, at times some that were known already, or a hole. */
const arrival = fc.record({
  values: fc.array(fc.option(fc.nat({ max: 90 }), { nil: Number.NaN }), { minLength: 1, maxLength: 3 }),
  back: fc.constantFrom(0, 0, 0, 0, -1, 1, 4),
  /** What is kept, as instants: the same ones come again and again while the window moves on. */
  kept: fc.constantFrom<readonly [number, number, number]>([0, 8, 1], [2, 9, 1], [2, 9, 2], [0, 400, 1]),
})

test('what was added up of settled steps is what adding them up anew gives, whatever came in since', () => {
  fc.assert(
    fc.property(fc.array(arrival, { minLength: 1, maxLength: 40 }), (arrivals) => {
      const track = new PastTrack('double')
      const known = new Map<number, number>()
      let next = 0
      for (const { values, back, kept } of arrivals) {
        const from = Math.max(0, next - back)
        next = Math.max(next, from + values.length)
        const whole = axis(Math.max(0, next - SHOWN), SHOWN)
        if (from < Math.max(0, next - SHOWN)) continue
        track.add(axis(from, values.length), observed(values), whole)
        values.forEach((value, step) => {
          // What was measured before stands where nothing is measured now.
          if (values.some((one) => !Number.isNaN(one))) known.set(from + step, value)
        })
        const shown = track.on(whole)?.inbound.get(ID)?.total
        const plain = Array.from({ length: SHOWN }, (_, step) => known.get(whole.fromSeconds / STEP_SECONDS + step))
        const [first, last, every] = kept
        const keep = Uint8Array.from({ length: SHOWN }, (_, step) => {
          const at = instantOf(whole, step) / STEP_SECONDS
          return Number(at >= first && at <= last && at % every === 0)
        })
        const expected = flowOver(trafficOf(plain.map((value) => value ?? Number.NaN)), keep)
        if (shown === undefined) expect(expected.requestsPerSecond).toBeNull()
        else expect(flowOver(shown, keep)).toEqual(expected)
      }
    }),
    { numRuns: 400 },
  )
})

test('it is added up once for as long as nothing of it changes', () => {
  const track = new PastTrack('double')
  const keep = (from: number) =>
    Uint8Array.from({ length: SHOWN }, (_, step) => Number(from + step >= 4 && from + step < 9))
  track.add(axis(0, SHOWN), observed(Array.from({ length: SHOWN }, (_, step) => step)), axis(0, SHOWN))
  const flow = (from: number) => flowOver(track.on(axis(from, SHOWN))?.inbound.get(ID)?.total as Traffic, keep(from))
  const before = flow(0)
  track.add(axis(SHOWN, 1), observed([70]), axis(1, SHOWN))
  expect(flow(1)).toBe(before)
  track.add(axis(7, 1), observed([70]), axis(1, SHOWN))
  expect(flow(1)).not.toEqual(before)
})
