import { beforeEach, expect, test } from 'vitest'
import type { BucketHistory } from '../domain/bucket-history.ts'
import type { WorkloadRef } from '../domain/identity.ts'
import { emptyObservation, newInbound, type Observation } from '../domain/observation.ts'
import { requestsAt } from '../domain/traffic.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import type { ClusterLanes } from './cluster-lanes.ts'
import { ClusterPast } from './cluster-past.ts'
import { axisTo } from './instants.ts'
import type { Kept } from './kept.ts'
import { lastGoodAt } from './last-good.fixture.ts'
import { type KeptPast, PastToKeep } from './past-to-keep.ts'
import { Trail } from './trail.ts'

const AT = 1_800_000_000
const WINDOW = 60
const axis = axisTo(AT, WINDOW)
const place = { windowSeconds: WINDOW, axis }

let held: KeptPast | null
beforeEach(() => {
  held = null
})
const kept: Kept<KeptPast> = {
  load: async () => held,
  save: async (make) => {
    held = make()
  },
  forget: async () => {
    held = null
  },
}

const good = lastGoodAt(AT)

/** What one process knows of a cluster's past. */
function process() {
  const past = new ClusterPast('east', {} as PrometheusApi, () => [])
  const trail = new Trail()
  let usual: BucketHistory | null = null
  const lanes = {
    usual: () => usual,
    recallUsual: (_: number, one: BucketHistory) => {
      usual ??= one
    },
    trail: () => trail,
  }
  const rates = past.ratesOf('linkerd', place)
  return { rates, trail, lanes, keeping: new PastToKeep(kept, past, lanes as unknown as ClusterLanes) }
}

const ref = (name: string): WorkloadRef => ({ cluster: 'east', namespace: 'shop', kind: 'deployment', name })

function observationOf(requestsPerSecond: number, steps: number, count = 1): Observation {
  const observation = emptyObservation('east', steps, 'linkerd')
  const column = new Float32Array(steps).fill(requestsPerSecond)
  for (let index = 0; index < count; index += 1) {
    const flow = newInbound(ref(`x${index}`), 1)
    const { buckets } = flow.total
    const total = { success: column, failures: column, latencySeconds: column, latencyCount: column, buckets }
    observation.inbound.set(`x${index}`, { ...flow, total })
  }
  return observation
}
const lastRate = (observation: Observation | null) => {
  const traffic = observation?.inbound.get('x0')?.total
  return traffic === undefined ? null : requestsAt(traffic, axis.steps - 1)
}

test('the next process knows the rates, what is usual, and the percentiles that were met', async () => {
  const before = process()
  before.rates.recall(axis, observationOf(2, axis.steps))
  before.lanes.recallUsual(WINDOW, { axis, observation: observationOf(3, axis.steps) })
  const met = { atSeconds: AT, places: Uint32Array.of(0), p99Seconds: Float64Array.of(0.25) }
  before.trail.recall({ names: ['x0'], met: [met] })
  await before.keeping.keep(good)
  const next = process()
  await next.keeping.recall()
  expect(next.rates.knownTo).toBe(before.rates.knownTo)
  // Successes and failures are both two.
  expect(lastRate(next.rates.read(axis))).toBe(4)
  expect(lastRate(next.lanes.usual()?.observation ?? null)).toBe(6)
  expect(next.trail.p99('x0', AT - 60, AT)).toBe(0.25)
})

test('what is known of a part of the stretch is kept as far as it is known', async () => {
  const before = process()
  const part = { ...axis, steps: axis.steps - 10 }
  before.rates.recall(part, observationOf(2, part.steps))
  await before.keeping.keep(good)
  const next = process()
  await next.keeping.recall()
  expect(next.rates.knownTo).toBe(axis.fromSeconds + (part.steps - 1) * axis.stepSeconds)
  expect(lastRate(next.rates.read(axis))).toBeNull()
})

test('what this process knows already is not replaced', async () => {
  const before = process()
  before.rates.recall(axis, observationOf(2, axis.steps))
  await before.keeping.keep(good)
  const next = process()
  next.rates.recall(axis, observationOf(5, axis.steps))
  await next.keeping.recall()
  expect(lastRate(next.rates.read(axis))).toBe(10)
})

test('nothing, and what another build wrote in another shape, is as good as nothing', async () => {
  const next = process()
  await next.keeping.recall()
  const broken = { dialect: 'linkerd', axis, observation: { of: 'another build' } }
  held = { windowSeconds: WINDOW, rates: [broken], usual: null, trail: [] } as unknown as KeptPast
  await next.keeping.recall()
  expect(next.rates.knownTo).toBeNull()
})

test('what is too large is not written down', async () => {
  const before = process()
  before.rates.recall(axis, observationOf(2, axis.steps, 15_000))
  await before.keeping.keep(good)
  expect(held).toBeNull()
})
