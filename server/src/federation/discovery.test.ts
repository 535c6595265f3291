import { expect, test } from 'vitest'
import type { PrometheusApi } from '../prometheus/api.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { discover, outliving } from './discovery.fixture.ts'
import type { Names } from './known-names.ts'
import { leftWith } from './left-with.fixture.ts'

test('one that appears is there with the next look, and looks are not made more often than told', async () => {
  const { world, after } = discover()
  expect(await after(0)).toEqual(['east', 'west'])
  expect(await after(5, { values: ['west', 'east', 'north'] })).toEqual(['east', 'west'])
  expect(await after(5)).toEqual(['east', 'west', 'north'])
  expect(world.asked).toBe(2)
})

test('one whose label is gone stays known as gone, until it is back or long forgotten', async () => {
  const { discovery, after } = discover()
  await after(0)
  expect(await after(10, { values: ['east'] })).toEqual(['east', 'west gone'])
  const west = discovery.found()[1]?.absence()
  expect(west).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('no longer holds cluster="west"'),
  })
  expect(await after(10, { values: ['east', 'west'] })).toEqual(['east', 'west'])
  await after(10, { values: ['east'] })
  expect(await after(3_700)).toEqual(['east'])
})

test('while one is gone, looks are made twice a minute at least: nobody asks it whether it is back', async () => {
  const { world, discovery, after } = discover({ refreshSeconds: 600 })
  await after(0)
  expect(await after(300, { values: ['east'] })).toEqual(['east', 'west'])
  expect(await after(300)).toEqual(['east', 'west gone'])
  expect(await after(30, { values: ['west', 'east'] })).toEqual(['east', 'west'])
  expect(world.asked).toBe(3)
  await after(100)
  expect([world.asked, discovery.isOutOfDate]).toEqual([3, false])
})

test('an endpoint that cannot be asked is a gap since then, and takes nothing away', async () => {
  const { discovery, after } = discover()
  const refused = new UpstreamError('unreachable', 'nothing listens there')
  await after(0, { values: refused })
  expect(discovery.blind?.message).toMatch(/cannot be asked which clusters it holds/)
  expect(await after(10, { values: ['east'] })).toEqual(['east'])
  expect([discovery.blind, discovery.gaps()]).toEqual([null, []])
  await after(10, { values: refused })
  expect(await after(10)).toEqual(['east'])
  expect(discovery.blind).toBeNull()
  expect(discovery.gaps()).toEqual([
    {
      cluster: 'thanos:10902',
      what: 'list of clusters',
      why: 'unreachable',
      detail: 'http://thanos:10902 cannot be asked which clusters it holds: nothing listens there',
      sinceSeconds: 1_020,
    },
  ])
})

test('what the stores of a Thanos announce is known when label values are not to be had', async () => {
  const { discovery, after } = discover()
  const late = new UpstreamError('timeout', 'late')
  await after(0)
  expect(await after(10, { values: late, stores: { east: null, west: 'desc = "connection refused"' } })).toEqual([
    'east',
    'west gone',
  ])
  expect(discovery.found()[1]?.absence()?.message).toContain('its store does not answer: connection refused')
  expect(discovery.gaps()).toEqual([])
  expect(await after(10, { stores: { east: null, west: null } })).toEqual(['east', 'west'])
})

test('an empty answer is checked against the stores at once', async () => {
  const { world, discovery, after } = discover()
  await after(0, { stores: { east: null, west: null } })
  const [east, west] = discovery.found()
  world.stores = { east: null, west: 'desc = gone' }
  world.nowSeconds += 2
  expect(await east?.confirmedAbsence()).toBeNull()
  expect((await west?.confirmedAbsence())?.message).toContain('gone')
})

test('a store that is dropped right after it was seen is noticed; many empty answers are checked by one question', async () => {
  const { world, discovery, after } = discover()
  await after(0, { stores: { east: null, west: null } })
  const [east, west] = discovery.found()
  const before = world.storesAsked
  const absences = () => Promise.all([east, west, west].map((one) => one?.confirmedAbsence()))
  expect(await absences()).toEqual([null, null, null])
  world.stores = { east: null, west: 'desc = gone' }
  expect((await absences()).map((absence) => absence !== null)).toEqual([false, true, true])
  expect(world.storesAsked - before).toBe(2)
})

test('include, exclude, rename; values that cannot be names and too many of them are said', async () => {
  const values = ['prod-1', 'prod-2', 'prod-x/y', 'test-1', 'prod-3', 'prod-4']
  const rename = { 'prod-1': 'eu' }
  const { discovery, after } = discover({ include: ['prod-*'], exclude: ['prod-2'], rename, maxClusters: 2 })
  expect(await after(0, { values })).toEqual(['eu', 'prod-3'])
  const details = discovery.gaps().map(({ why, detail }) => `${why}: ${detail}`)
  expect(details).toEqual([
    expect.stringMatching(/^no name: .*cluster="prod-x\/y".*rename/),
    expect.stringMatching(/^too many: .*1 more clusters than maxClusters \(2\) allows: prod-4/),
  ])
})

test('who is there goes before who was, and who gave way is named', async () => {
  const { discovery, after } = discover({ maxClusters: 2 })
  expect(await after(0, { values: ['a', 'b'] })).toEqual(['a', 'b'])
  expect(await after(10, { values: ['b'] })).toEqual(['a gone', 'b'])
  expect(await after(10, { values: ['b', 'c', 'd'] })).toEqual(['b', 'c'])
  expect(discovery.gaps().map(({ what, detail }) => `${what}: ${detail}`)).toEqual([
    expect.stringMatching(/^further clusters: .*1 more clusters than maxClusters \(2\) allows: d/),
    expect.stringMatching(/^clusters that are gone: .*no longer holds "a", and maxClusters \(2\) has no room/),
  ])
  expect(await after(10, { values: ['c', 'd'] })).toEqual(['c', 'd'])
  // It fits again.
  expect(await after(10, { values: ['d'] })).toEqual(['c gone', 'd'])
  expect(await after(10, { values: ['a', 'd'] })).toEqual(['d', 'a'])
  // Where nobody could tell, nobody is gone.
  expect(await after(10, { values: new UpstreamError('timeout', 'late'), stores: { x: null } })).toEqual(['d', 'a'])
})

test('a wrong label has thousands of values, and one remark for them', async () => {
  const { discovery, after } = discover()
  const values = Array.from({ length: 3_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}:9090 "a"\n`)
  expect(await after(0, { values })).toEqual([])
  const details = discovery.gaps().map(({ detail }) => detail)
  expect(details).toEqual([
    expect.stringMatching(
      /and 2997 more, which cannot be clusters' names; add rename: \{ "10\.0\.0\.0:9090 \\"a\\"\\n": a-name \}/,
    ),
    expect.stringMatching(/no value of the label cluster that can be a name; check clusterLabel/),
  ])
})

test('an endpoint without a single cluster says so', async () => {
  const { discovery, after } = discover()
  expect(await after(0, { values: [] })).toEqual([])
  expect(discovery.gaps()).toMatchObject([{ why: 'none found', detail: expect.stringContaining('check clusterLabel') }])
})

test('replicas that are not counted once are a gap; a Thanos that was told is not asked, nor anybody without replica labels', async () => {
  const { world, discovery, after } = discover({ replicaLabels: ['replica'] })
  await after(0, { replicas: { east: 2, west: 1 } })
  const [gap] = discovery.gaps()
  expect(gap).toMatchObject({ what: 'replicas as one', why: 'counted more than once' })
  expect(gap?.detail).toContain('counts each replica of east;')
  expect(world.queries).toEqual(['count by (cluster) (count by (cluster,replica) (up{cluster!="",replica!=""}))'])
  await after(10, { replicas: { east: 1, west: 1 } })
  expect(discovery.gaps()).toEqual([])
  await after(10, { replicas: { east: 2 }, stores: { east: null } })
  expect(discovery.gaps()).toEqual([])
  const unasked = discover()
  await unasked.after(0, { replicas: { east: 2 } })
  expect([world.queries.length, unasked.world.queries.length]).toEqual([2, 0])
})

test('a process that is started while the endpoint cannot be asked knows what the one before knew', async () => {
  const kept = outliving()
  await discover({ kept }).after(0)
  const values = new UpstreamError('unreachable', 'nothing listens there')
  const next = discover({ kept })
  expect(await next.after(30, { values })).toEqual(['east', 'west'])
  expect(next.discovery.blind).toBeNull()
  expect(next.discovery.gaps()).toMatchObject([{ what: 'list of clusters', why: 'unreachable' }])
  expect(await next.after(10, { values: ['west', 'east'] })).toEqual(['east', 'west'])
  expect(await discover({ kept }).after(3_700, { values })).toEqual([])
})

test('a cluster that was gone when the process ended is still known as gone, until it is long forgotten', async () => {
  const kept = outliving()
  const before = discover({ kept })
  await before.after(0)
  await before.after(10, { values: ['east'] })
  expect(await discover({ kept }).after(30, { values: ['east'] })).toEqual(['east', 'west gone'])
  expect(await discover({ kept }).after(3_700, { values: ['east'] })).toEqual(['east'])
})

test('only those that are wanted then are known again', async () => {
  const kept = outliving()
  await discover({ kept }).after(0)
  const values = new UpstreamError('unreachable', 'nothing listens there')
  expect(await discover({ kept, exclude: ['west'] }).after(5, { values })).toEqual(['east'])
})

test('names are written down when they change, and seldom to say when they were last seen', async () => {
  const kept = outliving()
  const before = discover({ kept })
  await before.after(0)
  const first = kept.held
  await before.after(100)
  expect(kept.held).toBe(first)
  await before.after(300)
  expect([...(kept.held ?? [])]).toEqual([
    ['east', 1_400],
    ['west', 1_400],
  ])
  await before.after(10, { values: ['west', 'east', 'north'] })
  expect(kept.held?.has('north')).toBe(true)
})

test('when one was there last is written down when it goes, and when the process ends', async () => {
  const kept = outliving()
  const before = discover({ kept })
  await before.after(0)
  await before.after(100)
  await before.after(10, { values: ['east'] })
  expect(kept.held?.get('west')).toBe(1_100)
  await before.after(100)
  expect(kept.held?.get('east')).toBe(1_110)
  await before.discovery.keep()
  expect(kept.held?.get('east')).toBe(1_210)
  // One that was never told anything has nothing to add.
  await discover({ kept }).discovery.keep()
  expect(kept.held?.size).toBe(2)
})

test('what is no list of names is as good as none', async () => {
  const kept = outliving()
  kept.held = 'another build' as unknown as Names
  expect(await discover({ kept }).after(0)).toEqual(['east', 'west'])
})

test('stores of a Thanos that hold the same targets, apart by a label that nobody named, are a gap', async () => {
  const { world, discovery, after } = discover()
  const stores = { east: null, west: null }
  await after(0, { stores, storesReplicas: ['a', 'b'], replicas: { east: 2, west: 1 } })
  expect(discovery.gaps()).toMatchObject([
    {
      what: 'replicas as one',
      why: 'counted more than once',
      detail: expect.stringContaining('each replica of east:'),
    },
  ])
  const target = 'cluster,job,namespace,pod,instance'
  const up = 'up{cluster!="",replica!=""}'
  expect(world.queries).toEqual([`max by (cluster) (count by (${target}) (count by (${target},replica) (${up})))`])
  await after(10, { storesReplicas: ['a'] })
  expect([discovery.gaps(), world.queries.length]).toEqual([[], 1])
})

test('stores apart by a label that PromQL has no name for are found all the same', async () => {
  const { after } = discover()
  const stores = { stores: { east: null }, storesReplicas: ['a', 'b'], storesLabel: 'k8s.zone' }
  expect(await after(0, stores)).toContain('east')
})

test('looks leave nothing with the signal that ends them, which lives as long as the process', async () => {
  const { world, discovery } = discover()
  const leaving = new AbortController()
  for (let look = 0; look < 3; look += 1) {
    world.nowSeconds += 10
    await discovery.refresh(leaving.signal)
  }
  expect(world.asked).toBe(3)
  expect(leftWith(leaving.signal)).toBe(0)
})

test('a look that is under way ends with its signal', async () => {
  const leaving = new AbortController()
  const patiences: AbortSignal[] = []
  const api = {
    labelValues: (_label: string, _match: unknown, _range: unknown, patience: AbortSignal) => {
      patiences.push(patience)
      return new Promise((_, reject) => {
        patience.addEventListener('abort', () => reject(patience.reason))
        leaving.abort(new UpstreamError('aborted', 'nobody waits'))
      })
    },
    forward: async () => Promise.reject(new UpstreamError('malformed', 'HTTP 404')),
  } as unknown as PrometheusApi
  const { discovery } = discover({ api })
  await discovery.refresh(leaving.signal)
  expect(patiences.map(({ aborted }) => aborted)).toEqual([true])
})
