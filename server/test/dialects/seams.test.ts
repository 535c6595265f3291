import { expect, test } from 'vitest'
import { flowOf, inboundOf, partOf } from '../../src/dialects/observe.ts'
import type { ClusterView } from '../../src/domain/assess.ts'
import { parseWorkloadId, type WorkloadRef } from '../../src/domain/identity.ts'
import { withKnownClusters } from '../../src/domain/known-clusters.ts'
import { type Destination, emptyObservation, type Observation, outsideCaller } from '../../src/domain/observation.ts'
import { stitch } from '../../src/domain/stitch/stitch.ts'
import { buildWorld } from '../../src/domain/stitch/world.ts'

const ref = (id: string) => parseWorkloadId(id) as WorkloadRef
const NO_CONFIG = { ingresses: [], routes: [] }

function served(cluster: string, id: string, callers: Record<string, number>): Observation {
  const observation = emptyObservation(cluster, 1)
  const inbound = inboundOf(observation, ref(id), 'full')
  for (const [caller, rate] of Object.entries(callers)) partOf(inbound, 'byCaller', caller).success[0] = rate
  inbound.total.success[0] = Object.values(callers).reduce((a, b) => a + b, 0)
  return observation
}

function calling(cluster: string, from: string, destination: Destination, rate = 30): Observation {
  const observation = emptyObservation(cluster, 1)
  flowOf(observation, ref(from), destination, null, 'full').traffic.success[0] = rate
  return observation
}

const joined = (...observations: Observation[]) =>
  stitch(
    buildWorld(
      observations.map((now) => ({ now, before: null })),
      NO_CONFIG,
    ),
  ).edges.map(({ id, seam, confidence, rule, calleeBy, callerFlows }) => ({
    id,
    seam,
    confidence,
    rule,
    calleeBy,
    flows: callerFlows.length,
  }))

test('labels name both ends: one solid seam, whose callee’s part is this caller’s', () => {
  const to: Destination = { kind: 'workload', workload: ref('west/shop/api'), service: 'api' }
  expect(
    joined(calling('east', 'east/shop/web', to), served('west', 'west/shop/api', { 'east/shop/web': 29 })),
  ).toEqual([
    {
      id: 'east/shop/web~west/shop/api',
      seam: true,
      confidence: 'solid',
      rule: 'labels',
      calleeBy: { caller: 'east/shop/web' },
      flows: 1,
    },
  ])
})

test('where the caller is not heard the callee’s view stands in; whom nobody names is a node', () => {
  const edges = joined(served('west', 'west/shop/api', { 'east/shop/web': 29, [outsideCaller('west')]: 2 }))
  expect(edges).toMatchObject([
    { id: 'east/shop/web~west/shop/api', seam: true, flows: 0 },
    { id: 'outside/west/unknown~west/shop/api', seam: false, flows: 0 },
  ])
})

test('what a mesh calls a cluster is put in the configured name, unless several bear it', () => {
  const view = (now: Observation): ClusterView => ({
    name: now.cluster,
    state: 'current',
    ageSeconds: 0,
    now,
    history: null,
    compare: null,
  })
  const to: Destination = { kind: 'workload', workload: ref('prod-west-1/shop/api'), service: 'api' }
  const east = calling('east', 'east/shop/web', to)
  const west = served('west', 'west/shop/api', { 'prod-east-1/shop/web': 29 })
  east.aliases.add('prod-east-1')
  west.aliases.add('prod-west-1')
  const known = withKnownClusters([view(east), view(west)]).flatMap(({ now }) => now ?? [])
  expect(joined(...known)).toMatchObject([{ id: 'east/shop/web~west/shop/api', seam: true }])
  west.aliases.add('prod-east-1')
  west.aliases.delete('prod-west-1')
  const unsure = withKnownClusters([view(east), view(west)])
  expect(unsure[0]?.now).toBe(east)
})

test('a flat mirror leads to the workload over there, not to the namesake at home', () => {
  const pod: Destination = {
    kind: 'pod',
    workload: ref('east/shop/cart'),
    asked: 'cart-west',
    service: 'cart',
    address: '10.60.0.5:8080',
  }
  const [edge, ...others] = joined(
    calling('east', 'east/shop/web', pod),
    served('east', 'east/shop/cart', {}),
    served('west', 'west/shop/cart', {}),
  )
  expect(others).toEqual([])
  expect(edge).toMatchObject({ id: 'east/shop/web~west/shop/cart', seam: true, confidence: 'solid', rule: 'mirror' })
})
