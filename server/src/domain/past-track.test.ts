import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketsToAdd } from './add-traffic.ts'
import type { Axis } from './baseline.ts'
import { workloadId } from './identity.ts'
import { emptyObservation, NO_CLUES, newInbound, type Observation } from './observation.ts'
import { PastTrack } from './past-track.ts'
import { emptyTraffic, rowsOf, type Traffic } from './traffic.ts'

const STEP = 15
const axis = (first: number, steps: number): Axis => ({ fromSeconds: first * STEP, stepSeconds: STEP, steps })
const cart = { cluster: 'east', namespace: 'shop', kind: 'deployment', name: 'cart' }
const stock = { ...cart, name: 'stock' }

/** Each step's values tell which step it is. */
function measured(part: Axis, workloads = [cart]): Observation {
  const observation = emptyObservation('east', part.steps)
  const first = part.fromSeconds / STEP
  for (const workload of workloads) {
    const id = workloadId(workload)
    const inbound = newInbound(workload, part.steps)
    const { total } = inbound
    observation.inbound.set(id, inbound)
    const traffic = emptyTraffic(part.steps)
    const destination = { kind: 'host', host: 'a.example.com' } as const
    const about = { measure: 'full', attempts: 'each', serverId: null, clues: NO_CLUES, tcp: null } as const
    observation.outbound.set(`${id} host`, { from: workload, destination, traffic, ...about })
    observation.pods.set(id, new Float64Array(part.steps).fill(3))
    for (let step = 0; step < part.steps; step += 1) {
      total.success[step] = first + step
      bucketsToAdd(total).column(0.5)[step] = 10 * (first + step)
      traffic.latencyCount[step] = 100 * (first + step)
    }
  }
  return observation
}

const successOf = (observation: Observation | null, id = 'east/shop/cart') => [
  ...(observation?.inbound.get(id)?.total.success ?? []),
]

describe.each(['single', 'double'] as const)('a track in %s precision', (precision) => {
  test('puts slices together as if they had been read at once', () => {
    const track = new PastTrack(precision)
    const whole = axis(100, 8)
    track.add(axis(100, 3), measured(axis(100, 3)), whole)
    track.add(axis(103, 5), measured(axis(103, 5)), whole)
    const read = track.on(whole)
    expect(successOf(read)).toEqual([100, 101, 102, 103, 104, 105, 106, 107])
    const total = read?.inbound.get('east/shop/cart')?.total
    expect([...(total?.buckets.get(0.5) ?? [])]).toEqual([1000, 1010, 1020, 1030, 1040, 1050, 1060, 1070])
    expect([...(total?.failures ?? [])]).toEqual(new Array(8).fill(Number.NaN))
    expect([...(read?.outbound.values() ?? [])].map(({ traffic }) => traffic.latencyCount[7])).toEqual([10_700])
    expect(read?.pods.get('east/shop/cart')?.[0]).toBe(3)
    expect(track.knownTo).toBe(107 * STEP)
  })

  test('moves on step by step, for longer than it has room, and what was handed out stays as it was', () => {
    const track = new PastTrack(precision)
    track.add(axis(0, 8), measured(axis(0, 8)), axis(0, 8))
    const early = track.on(axis(0, 8))
    for (let step = 8; step < 60; step += 1) track.add(axis(step, 1), measured(axis(step, 1)), axis(step - 7, 8))
    expect(successOf(track.on(axis(52, 8)))).toEqual([52, 53, 54, 55, 56, 57, 58, 59])
    expect(successOf(early)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  test('a workload that is gone is forgotten with its last step, a new one has no past', () => {
    const track = new PastTrack(precision)
    track.add(axis(0, 4), measured(axis(0, 4), [cart, stock]), axis(0, 4))
    track.add(axis(4, 3), measured(axis(4, 3), [cart]), axis(3, 4))
    expect(successOf(track.on(axis(3, 4)), 'east/shop/stock')).toEqual([3, Number.NaN, Number.NaN, Number.NaN])
    expect([...(track.on(axis(4, 3))?.inbound.keys() ?? [])]).toEqual(['east/shop/cart'])
    track.add(axis(7, 1), measured(axis(7, 1), [cart, stock]), axis(4, 4))
    expect(successOf(track.on(axis(4, 4)), 'east/shop/stock')).toEqual([Number.NaN, Number.NaN, Number.NaN, 7])
  })

  test('steps that nobody asked for are absent', () => {
    const track = new PastTrack(precision)
    track.add(axis(0, 4), measured(axis(0, 4)), axis(0, 4))
    expect(successOf(track.on(axis(2, 5)))).toEqual([2, 3, Number.NaN, Number.NaN, Number.NaN])
    track.add(axis(20, 2), measured(axis(20, 2)), axis(18, 4))
    expect(successOf(track.on(axis(18, 4)))).toEqual([Number.NaN, Number.NaN, 20, 21])
  })

  test('requests that were counted and those that were timed are read as they were written, however they differ', () => {
    const count = fc.option(fc.integer({ min: 0, max: 1_000 }), { nil: Number.NaN })
    const step = fc.record({ success: count, timed: fc.oneof(fc.constant(null), count) })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 3 }), (all, size) => {
        const track = new PastTrack(precision)
        const WIDTH = 8
        const handedOut: { from: number; total: Traffic | undefined }[] = []
        for (let from = 0; from < all.length; from += size) {
          const part = axis(from, Math.min(size, all.length - from))
          const last = from + part.steps - 1
          track.add(part, counted(part, all.slice(from, last + 1)), axis(Math.max(0, last - WIDTH + 1), WIDTH))
          const first = Math.max(0, last - WIDTH + 1)
          handedOut.push({ from: first, total: track.on(axis(first, last - first + 1))?.inbound.get(CART)?.total })
        }
        for (const { from, total } of handedOut) {
          const told = all.slice(from, from + (total?.success.length ?? 0))
          expect([...(total?.success ?? [])]).toEqual(told.map(({ success }) => success))
          expect([...(total?.latencyCount ?? [])]).toEqual(told.map(({ success, timed }) => timed ?? success))
        }
      }),
    )
  })

  test('one column serves both while nothing fails', () => {
    const track = new PastTrack(precision)
    const same = { success: 5, timed: null }
    track.add(axis(0, 2), counted(axis(0, 2), [same, same]), axis(0, 8))
    const total = () => rowsOf(track.on(axis(0, 8))?.inbound.get(CART)?.total as Traffic).columns
    expect(total().latencyCount).toBe(total().success)
    track.add(axis(2, 1), counted(axis(2, 1), [{ success: 4, timed: 5 }]), axis(0, 8))
    expect(total().latencyCount).not.toBe(total().success)
  })
})

const CART = workloadId(cart)

/** `timed`: null where it is what succeeded. */
function counted(part: Axis, steps: readonly { success: number; timed: number | null }[]): Observation {
  const observation = emptyObservation('east', part.steps)
  const inbound = newInbound(cart, part.steps)
  observation.inbound.set(CART, inbound)
  // Something is always there, or it would not be known at all.
  inbound.total.latencySeconds.fill(1)
  steps.forEach(({ success, timed }, step) => {
    inbound.total.success[step] = success
    inbound.total.latencyCount[step] = timed ?? success
  })
  return observation
}
