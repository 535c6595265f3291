import { expect, test } from 'vitest'
import { emptyObservation, type Inbound } from '../domain/observation.ts'
import { emptyTraffic } from '../domain/traffic.ts'
import type { ClusterPast } from './cluster-past.ts'
import { createLastSeen } from './last-seen.ts'

const HOUR = 3_600
const AT = 500_000 * HOUR + 900
const gone = { cluster: 'west', namespace: 'labs', kind: 'deployment', name: 'd' }

/** A cluster in which `gone` reported up to so many hours before the last full one; counts how often it is asked. */
function past(hoursAgo: number | null) {
  const asked: number[] = []
  const workloads: ClusterPast['workloads'] = async (_, axis) => {
    asked.push(axis.steps)
    const total = emptyTraffic(axis.steps)
    if (hoursAgo !== null) total.success.fill(1, 0, axis.steps - hoursAgo)
    const inbound = { workload: gone, total } as Inbound
    return { ...emptyObservation('west', axis.steps), inbound: new Map([['west/labs/d', inbound]]) }
  }
  return { asked, tellsApart: true, workloads }
}

test('the last hour in which it reported, asked once for as long as the answer is good', async () => {
  const lastSeen = createLastSeen()
  const cluster = past(5)
  expect(await lastSeen(cluster, gone, AT)).toBe(499_995 * HOUR)
  expect(await lastSeen(cluster, gone, AT + 60)).toBe(499_995 * HOUR)
  expect(cluster.asked).toEqual([14 * 24])
  await lastSeen(cluster, gone, AT + 900)
  expect(cluster.asked).toHaveLength(2)
})

test('nothing is said where nobody knows, and whoever failed is asked again', async () => {
  expect(await createLastSeen()(past(null), gone, AT)).toBeNull()
  const apart = { ...past(5), tellsApart: false }
  expect(await createLastSeen()(apart, gone, AT)).toBeNull()
  expect(apart.asked).toEqual([])
  const lastSeen = createLastSeen()
  const silent = { ...past(5), workloads: () => Promise.reject(new Error('silent')) }
  expect(await lastSeen(silent, gone, AT)).toBeNull()
  expect(await lastSeen(past(5), gone, AT)).toBe(499_995 * HOUR)
})
