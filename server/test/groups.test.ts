import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Fleet, Fleet as FleetShape } from '../src/contract/index.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { type FakePrometheus, startFakePrometheus } from './support/fake-prometheus.ts'
import { type StartedGoldseam, startGoldseam } from './support/start-goldseam.ts'

let east: FakePrometheus
let west: FakePrometheus
let goldseam: StartedGoldseam

beforeEach(async () => {
  east = await startFakePrometheus(answering(oneWorkload('web', 10)))
  west = await startFakePrometheus(answering(oneWorkload('web', 30)))
  goldseam = await startGoldseam(`log: { level: silent }
refresh: 1s
clusters:
  - { name: east, endpoints: [{ url: "${east.url}" }] }
  - { name: west, endpoints: [{ url: "${west.url}" }] }
`)
})
afterEach(async () => {
  await goldseam.close()
  await Promise.all([east.close(), west.close()])
})

const fleet = async (query: string): Promise<Fleet> => (await goldseam.get(`/api/v1/fleet${query}`)).body

test('a workload over its clusters is one row of sums, only where that is asked for', async () => {
  expect(await fleet('')).not.toHaveProperty('groups')
  const { groups, workloads } = FleetShape.parse(await fleet('?group=name'))
  expect(workloads).toHaveLength(2)
  expect(groups).toMatchObject([
    {
      namespace: 'shop',
      kind: 'deployment',
      name: 'web',
      clusters: ['east', 'west'],
      ids: ['east/shop/web', 'west/shop/web'],
    },
  ])
  const [web] = groups ?? []
  expect(web?.now).toMatchObject({ requestsPerSecond: 40, successRatio: 1, sampleCount: 2_400 })
  expect(web?.now.latencySeconds.mean).toBeCloseTo(0.02, 12)
  expect(web).toMatchObject({
    bounds: { p99: [0.01, 0.05] },
    lostBoundsSeconds: [],
    truths: { p99: 'value', p999: 'lowSample' },
  })
})

test('filters choose what is summed', async () => {
  const { groups } = await fleet('?group=name&c=west')
  expect(groups).toMatchObject([{ clusters: ['west'], now: { requestsPerSecond: 30 } }])
})

test('a sum with a part that is old says so', async () => {
  await fleet('?group=name')
  await west.close()
  await vi.waitFor(async () => {
    const { groups } = await fleet('?group=name')
    expect(groups).toMatchObject([{ truth: 'stale', now: { requestsPerSecond: 40 }, ageSeconds: expect.any(Number) }])
  }, 10_000)
})

test('another way of grouping is refused', async () => {
  expect((await goldseam.get('/api/v1/fleet?group=colour')).status).toBe(400)
})
