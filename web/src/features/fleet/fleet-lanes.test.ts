import { expect, test } from 'vitest'
import { golden, workload } from '../../../test/builders.ts'
import { clusters, D, fleet } from '../../../test/incident.ts'
import { inLanes } from './fleet-lanes.ts'
import { blameOrder } from './fleet-order.ts'

const rows = blameOrder(fleet.workloads, fleet.suspects)

test('by cluster: in the order of the config, each with its rows in their order', () => {
  const grouped = inLanes(rows, 'cluster', clusters)
  expect(grouped.filter(({ kind }) => kind === 'lane').map(({ id }) => id)).toEqual(['lane:east', 'lane:west'])
  const order = grouped.flatMap((row) => (row.kind === 'workload' && row.workload.cluster === 'west' ? [row.id] : []))
  expect(order).toEqual(rows.filter(({ id }) => id.startsWith('west/')).map(({ id }) => id))
  expect(inLanes(rows, '', clusters)).toEqual(rows)
})

test('by namespace: the one with the culprit first', () => {
  const grouped = inLanes(rows, 'ns', clusters)
  expect(grouped[0]?.id).toBe('lane:stock')
  expect(grouped[1]?.id).toBe(D)
})

test('a heading adds counts, and says when some are not known', () => {
  const some = [
    workload('east/a/x', golden(90, 0.01), golden(90, 0.01)),
    workload('east/a/y', golden(10, 0.01, 0.5), golden(10, 0.01), { health: 'crit' }),
  ]
  const [head] = inLanes(blameOrder(some, []), 'cluster', clusters)
  expect(head?.kind === 'lane' && head.lane).toMatchObject({
    count: 2,
    inTrouble: 1,
    requestsPerSecond: 100,
    partial: false,
  })
  expect(head?.kind === 'lane' && head.lane.successRatio).toBeCloseTo(0.95, 12)
  const silent = clusters.map((cluster) => ({ ...cluster, state: 'stale' as const, ageSeconds: 40, reason: 'timeout' }))
  const [stale] = inLanes(blameOrder(some, []), 'cluster', silent)
  expect(stale?.kind === 'lane' && stale.lane).toMatchObject({ partial: true, silence: 'no answer for 40 s (timeout)' })
  const [gone] = inLanes(
    blameOrder(some, []),
    'cluster',
    silent.map((cluster) => ({ ...cluster, ageSeconds: 3 * 86_400 })),
  )
  expect(gone?.kind === 'lane' && gone.lane.silence).toBe('no answer for 3 d (timeout)')
})

test('a heading tells the success of those whose failures are counted, and of nobody else', () => {
  const uncounted = { ...golden(900, 0.01), failuresPerSecond: null, successRatio: null }
  const untold = [workload('east/a/x', uncounted, uncounted)]
  const [none] = inLanes(blameOrder(untold, []), 'cluster', clusters)
  expect(none?.kind === 'lane' && none.lane).toMatchObject({ requestsPerSecond: 900, successRatio: null })
  const mixed = [...untold, workload('east/a/y', golden(10, 0.01, 0.5), golden(10, 0.01))]
  const [some] = inLanes(blameOrder(mixed, []), 'cluster', clusters)
  expect(some?.kind === 'lane' && some.lane.requestsPerSecond).toBe(910)
  expect(some?.kind === 'lane' && some.lane.successRatio).toBeCloseTo(0.5, 12)
})
