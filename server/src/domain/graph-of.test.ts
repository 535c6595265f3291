import { expect, test } from 'vitest'
import { assess, type ClusterView } from './assess.ts'
import type { Axis } from './baseline.ts'
import { parseWorkloadId, type WorkloadRef } from './identity.ts'
import {
  type Destination,
  destinationKey,
  emptyObservation,
  NO_CLUES,
  newInbound,
  type Observation,
} from './observation.ts'
import { decomposeDelta } from './own-time.ts'
import { situationOf } from './situation.ts'
import { stitch } from './stitch/stitch.ts'
import { buildWorld } from './stitch/world.ts'
import { emptyTraffic, type Traffic } from './traffic.ts'

const AT = 1_800_000_000
const axis: Axis = { fromSeconds: AT - 299 * 15, stepSeconds: 15, steps: 300 }

function ref(id: string): WorkloadRef {
  const parsed = parseWorkloadId(id)
  if (parsed === undefined) throw new Error(`bad id in a test: ${id}`)
  return parsed
}

function traffic(steps: number, rate: number, seconds: number): Traffic {
  const made = emptyTraffic(steps)
  made.success.fill(rate)
  made.latencyCount.fill(rate)
  made.latencySeconds.fill(rate * seconds)
  return made
}

/** front (east) calls a and b (west) by host; the door forwards both, and adds `inDoor` seconds to each. */
function observe(cluster: string, steps: number, inDoor: number): Observation {
  const observation = emptyObservation(cluster, steps)
  const put = (from: string, to: Destination, rate: number, seconds: number) =>
    observation.outbound.set(`${from} ${destinationKey(to)}`, {
      from: ref(from),
      destination: to,
      traffic: traffic(steps, rate, seconds),
      measure: 'firstByte',
      attempts: 'each',
      serverId: null,
      clues: NO_CLUES,
      tcp: null,
    })
  const hosts = { a: { rate: 20, seconds: 0.05 }, b: { rate: 10, seconds: 0.2 } }
  const take = (id: string, parts: Record<string, { rate: number; seconds: number }>) => {
    const rate = Object.values(parts).reduce((sum, part) => sum + part.rate, 0)
    const spent = Object.values(parts).reduce((sum, part) => sum + part.rate * part.seconds, 0)
    observation.inbound.set(id, {
      ...newInbound(ref(id), steps),
      total: traffic(steps, rate, spent / rate),
      byHost: new Map(Object.entries(parts).map(([host, part]) => [host, traffic(steps, part.rate, part.seconds)])),
    })
  }
  const { a, b } = hosts
  if (cluster === 'east') {
    take('east/web/front', { 'front.example': { rate: 30, seconds: 0.11 + inDoor } })
    put('east/web/front', { kind: 'host', host: 'a.example' }, a.rate, a.seconds + inDoor + 0.002)
    put('east/web/front', { kind: 'host', host: 'b.example' }, b.rate, b.seconds + inDoor + 0.002)
    return observation
  }
  const behindDoor = (part: { rate: number; seconds: number }) => ({ ...part, seconds: part.seconds + inDoor + 0.001 })
  take('west/edge/door', { 'a.example': behindDoor(a), 'b.example': behindDoor(b) })
  take('west/app/a', { 'a.example': a })
  take('west/app/b', { 'b.example': b })
  put('west/edge/door', { kind: 'workload', workload: ref('west/app/a'), service: null }, a.rate, a.seconds + 0.0005)
  put('west/edge/door', { kind: 'workload', workload: ref('west/app/b'), service: null }, b.rate, b.seconds + 0.0005)
  return observation
}

test('an ingress that forwards several hosts is blamed for its own time, and for no more', () => {
  const clusters = ['east', 'west'].map(
    (name): ClusterView => ({
      name,
      state: 'current',
      ageSeconds: 0,
      now: observe(name, 1, 0.6),
      history: observe(name, axis.steps, 0.01),
      compare: null,
    }),
  )
  const world = buildWorld(
    clusters.flatMap(({ now, history }) => (now === null ? [] : [{ now, before: history }])),
    { ingresses: [], routes: [] },
  )
  const situation = situationOf({
    atSeconds: AT,
    windowSeconds: 60,
    axis,
    clusters,
    assessment: assess(clusters, axis, AT, 60),
    stitched: stitch(world),
  })
  const found = decomposeDelta(situation.graph, 'east/web/front')
  const parts = new Map(found?.contributions.map(({ kind, id, seconds }) => [`${kind} ${id}`, seconds]))
  expect(found?.totalSeconds).toBeCloseTo(0.59, 9)
  expect(parts.get('workload west/edge/door')).toBeCloseTo(0.59, 9)
  for (const [part, seconds] of parts) {
    if (part !== 'workload west/edge/door') expect(Math.abs(seconds), part).toBeLessThan(1e-9)
  }
})
