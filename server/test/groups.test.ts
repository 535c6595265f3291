import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Fleet, Fleet as FleetShape, type Topology } from '../src/contract/index.ts'
import { eventually } from './support/eventually.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { type FakePrometheus, startFakePrometheus } from './support/fake-prometheus.ts'
import { type StartedGoldseam, startGoldseam } from './support/start-goldseam.ts'

let east: FakePrometheus
let west: FakePrometheus
let goldseam: StartedGoldseam

async function start(more = '', atWest = oneWorkload('web', 30)): Promise<void> {
  east = await startFakePrometheus(answering(oneWorkload('web', 10)))
  west = await startFakePrometheus(answering(atWest))
  goldseam = await startGoldseam(`log: { level: silent }
refresh: 1s
clusters:
  - { name: east, endpoints: [{ url: "${east.url}" }] }
  - { name: west, endpoints: [{ url: "${west.url}" }] }
${more}`)
}
beforeEach(() => start())
async function stop(): Promise<void> {
  await goldseam.close()
  await Promise.all([east.close(), west.close()])
}
afterEach(stop)

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

test('`first` shows those that are looked for first, and tells how many it left out', async () => {
  const first = FleetShape.parse(await fleet('?first=1'))
  expect(first).toMatchObject({ workloads: [{ id: 'west/shop/web' }], more: 1 })
  expect(first.clusters).toHaveLength(2)
  expect(FleetShape.parse(await fleet('?first=2'))).not.toHaveProperty('more')
  const { status } = await fetch(`${goldseam.url}/api/v1/fleet?first=0`)
  expect(status).toBe(400)
})

test('filters choose what is summed', async () => {
  const { groups } = await fleet('?group=name&c=west')
  expect(groups).toMatchObject([{ clusters: ['west'], now: { requestsPerSecond: 30 } }])
})

test('a sum with a part that is old says so', async () => {
  await fleet('?group=name')
  await west.close()
  await eventually(async () => {
    const { groups } = await fleet('?group=name')
    expect(groups).toMatchObject([{ truth: 'stale', now: { requestsPerSecond: 40 }, ageSeconds: expect.any(Number) }])
  })
})

test('another way of grouping is refused', async () => {
  expect((await goldseam.get('/api/v1/fleet?group=colour')).status).toBe(400)
})

describe('put together by the configuration', () => {
  const again = async (...config: Parameters<typeof start>) => {
    await stop()
    await start(...config)
  }

  test('one row of sums beside the rows of its parts; nothing that merely has the same name', async () => {
    await again('groups: [{ name: web, workloads: ["*/shop/web"] }, { name: half, workloads: [east/shop/web] }]')
    const { groups, workloads } = FleetShape.parse(await fleet(''))
    expect(workloads.map(({ id }) => id)).toEqual(['east/shop/web', 'west/shop/web'])
    expect(groups).toMatchObject([
      { name: 'web', by: 'config', clusters: ['east', 'west'], absent: [], now: { requestsPerSecond: 40 } },
      { name: 'half', by: 'config', clusters: ['east'], ids: ['east/shop/web'], now: { requestsPerSecond: 10 } },
    ])
    expect(groups?.[0]?.bounds.p99).toEqual([0.01, 0.05])
  })

  test('workloads of other names; one that nobody sees is named, not passed over', async () => {
    const ids = 'east/shop/web, west/shop/shop-web, west/shop/wbe'
    await again(`groups: [{ name: web, workloads: [${ids}] }]`, oneWorkload('shop-web', 30))
    const { groups } = FleetShape.parse(await fleet(''))
    expect(groups).toMatchObject([
      { ids: ['east/shop/web', 'west/shop/shop-web'], absent: ['west/shop/wbe'], namespace: 'shop' },
    ])
    expect(groups?.[0]?.now.requestsPerSecond).toBe(40)
  })

  test('without a word nothing is added up, whatever it is called', async () => {
    const { body } = await goldseam.get('/api/v1/topology')
    expect((body as Topology).nodes.map(({ id }) => id)).toEqual(['east/shop/web', 'west/shop/web'])
    expect(await fleet('')).not.toHaveProperty('groups')
  })
})
