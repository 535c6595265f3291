import { expect, test } from 'vitest'
import { inboundOf } from '../dialects/observe.ts'
import { bucketsToAdd } from '../domain/add-traffic.ts'
import { emptyObservation, NO_NAMESPACE, noTcp, type Observation } from '../domain/observation.ts'
import { withSlow } from './bucket-lane.ts'
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
