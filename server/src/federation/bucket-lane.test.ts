import { expect, test } from 'vitest'
import { inboundOf } from '../dialects/observe.ts'
import { bucketsToAdd } from '../domain/add-traffic.ts'
import { emptyObservation, NO_NAMESPACE, noTcp, type Observation } from '../domain/observation.ts'
import { BucketLane, withSlow } from './bucket-lane.ts'
import { mergeObservations } from './merge-observations.ts'

const ref = (namespace: string, kind: string, name: string) => ({ cluster: 'east', namespace, kind, name })

/** What traces tell of a service that they know by its name alone. */
function traces(change: (observation: ReturnType<typeof inboundOf>) => void, name: string): Observation {
  const observation = emptyObservation('east', 1, 'otel')
  change(inboundOf(observation, ref(NO_NAMESPACE, 'deployment', name)))
  return observation
}

test('percentiles of whom only traces count reach the workload that its mesh knows by its place', () => {
  const mesh = emptyObservation('east', 1, 'istio')
  inboundOf(mesh, ref('data', 'statefulset', 'db')).tcp = noTcp(1)
  const counted = traces(({ total }) => {
    total.success[0] = 50
  }, 'db')
  const timed = traces(({ total }) => bucketsToAdd(total).column(Number.POSITIVE_INFINITY).set([50]), 'db')
  const fast = mergeObservations('east', 1, [mesh, counted])
  const slow = mergeObservations('east', 1, [emptyObservation('east', 1, 'istio'), timed])
  const { inbound } = withSlow(fast, slow, 30)
  expect([...inbound.keys()]).toEqual(['east/data/statefulset:db'])
  const total = inbound.get('east/data/statefulset:db')?.total
  expect([total?.success[0], total?.buckets.size, total?.bucketsAgeSeconds]).toEqual([50, 1, 30])
})

test('each of as many rate windows as are looked at keeps its percentiles, until nobody looks at it for half an hour', () => {
  const lane = new BucketLane()
  const told = traces(({ total }) => bucketsToAdd(total).column(Number.POSITIVE_INFINITY).set([50]), 'db')
  const windows = [60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600]
  const answeredAt = (windowSeconds: number, atSeconds: number) => {
    lane.tried(windowSeconds, atSeconds, [])
    lane.answered(windowSeconds, atSeconds, { observation: told, warnings: [] }, true)
  }
  for (const windowSeconds of windows) answeredAt(windowSeconds, 1_000)
  expect(windows.map((windowSeconds) => lane.ageSeconds(windowSeconds, 1_010))).toEqual(windows.map(() => 10))
  answeredAt(60, 2_000)
  answeredAt(60, 3_000)
  expect(windows.map((windowSeconds) => lane.ageSeconds(windowSeconds, 3_000))).toEqual([0, ...Array(7).fill(null)])
})

test('percentiles that are asked for seldom stay as long as somebody looks at them', () => {
  const lane = new BucketLane()
  const told = traces(({ total }) => bucketsToAdd(total).column(Number.POSITIVE_INFINITY).set([50]), 'db')
  lane.tried(60, 1_000, [])
  lane.answered(60, 1_000, { observation: told, warnings: [] }, true)
  for (let atSeconds = 1_000; atSeconds <= 4_000; atSeconds += 500) lane.complete(told, 60, atSeconds, 3_600)
  lane.tried(300, 4_000, [])
  expect(lane.ageSeconds(60, 4_000)).toBe(3_000)
})
