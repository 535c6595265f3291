import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Clusters, Fleet, Problem, Suspects, Topology, WorkloadDetail } from '../src/contract/index.ts'
import {
  endpoints,
  Fleet as FleetShape,
  Topology as TopologyShape,
  WorkloadDetail as WorkloadShape,
} from '../src/contract/index.ts'
import { eventually } from './support/eventually.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { atRest, type FakePrometheus, json, startFakePrometheus } from './support/fake-prometheus.ts'
import { type StartedGoldseam, startGoldseam } from './support/start-goldseam.ts'

let east: FakePrometheus
let west: FakePrometheus
let goldseam: StartedGoldseam
/** Before the time limit of the clusters: who hangs is said to be waited for. */
const SOON_SAID = 'limits: { softDeadline: 3s }'
/** How a snapshot asks what arrives at workloads. */
const INBOUND = 'rate(response_total{direction="inbound"'

async function start(extra = '', refresh = '1s'): Promise<void> {
  goldseam = await startGoldseam(`log: { level: silent }
refresh: ${refresh}
maxLoad: 64
clusters:
  - { name: east, endpoints: [{ url: "${east.url}", timeout: 4s }] }
  - { name: west, endpoints: [{ url: "${west.url}", timeout: 4s }] }
${extra}`)
}

beforeEach(async () => {
  east = await startFakePrometheus(answering(oneWorkload('web')))
  west = await startFakePrometheus(answering(oneWorkload('cart')))
})
afterEach(async () => {
  await goldseam.close()
  await Promise.all([east.close(), west.close()])
})

const get = async <T>(path: string): Promise<T> => (await goldseam.get(path)).body
/** With the past, which a snapshot of a busy machine may go out without. */
const whole = (query = '') =>
  eventually(async () => {
    const fleet = await get<Fleet>(`/api/v1/fleet${query}`)
    expect(fleet.verdict.form).toBe('quiet')
    return fleet
  })
const ids = (fleet: Fleet) => fleet.workloads.map(({ id }) => id)
const cluster = (fleet: Fleet, name: string) => fleet.clusters.find((one) => one.name === name)

describe('two clusters that answer', () => {
  beforeEach(() => start())

  test('stand in one table, and all is quiet', async () => {
    const fleet = await whole()
    expect(ids(fleet)).toEqual(['east/shop/web', 'west/shop/cart'])
    expect(fleet.verdict).toMatchObject({ form: 'quiet', text: expect.stringContaining('2 workloads in 2 clusters') })
    const looked = { last: null, lookingSince: expect.stringMatching(/^\d{4}-/) }
    expect(fleet.verdict.seenTrouble).toEqual(looked)
    expect(fleet.workloads[0]?.now).toMatchObject({ requestsPerSecond: 10, successRatio: 1, sampleCount: 600 })
    expect(fleet.workloads[0]?.now.latencySeconds.mean).toBeCloseTo(0.02, 12)
    expect(fleet.gaps).toEqual([])
  })

  test('every answer has the shape of the contract', async () => {
    FleetShape.parse(await get('/api/v1/fleet'))
    TopologyShape.parse(await get('/api/v1/topology'))
    WorkloadShape.parse(await get('/api/v1/workloads/east/shop/web'))
    endpoints.suspects.response.parse(await get('/api/v1/suspects?focus=east/shop/web'))
    endpoints.clusters.response.parse(await get('/api/v1/clusters'))
  })

  test('filters choose rows, never the verdict', async () => {
    await whole()
    const fleet = await get<Fleet>('/api/v1/fleet?c=west&q=CART')
    expect(ids(fleet)).toEqual(['west/shop/cart'])
    expect(fleet.verdict.text).toContain('2 clusters')
  })

  test('many viewers cost what one costs', async () => {
    await whole()
    await atRest(east)
    const before = east.asked.length
    const seen = await Promise.all(Array.from({ length: 50 }, () => get<Fleet>('/api/v1/fleet')))
    // One snapshot, unless a busy machine takes longer than a refresh to answer all of them.
    const snapshots = new Set(seen.map(({ snapshot }) => snapshot.id)).size
    expect(snapshots).toBeLessThan(10)
    // Of all questions one that each snapshot asks once: others come behind some of them.
    const asked = east.asked
      .slice(before)
      .filter(({ path, fields }) => path.endsWith('/query') && fields.get('query')?.includes(INBOUND))
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.length).toBeLessThanOrEqual(snapshots)
  })

  test('viewers of other comparisons and windows do not make a cluster look late', async () => {
    const paths = [
      '/api/v1/fleet',
      '/api/v1/fleet?cmp=1d',
      '/api/v1/fleet?window=2m',
      '/api/v1/fleet?cmp=1w&window=90s',
    ]
    const fleets = await Promise.all(paths.map((path) => get<Fleet>(path)))
    for (const fleet of fleets) expect(fleet.clusters.map(({ state }) => state)).toEqual(['ok', 'ok'])
    expect(new Set(fleets.map(({ snapshot }) => snapshot.rateWindowSeconds))).toEqual(new Set([60, 120, 90]))
  })

  test('nobody watching asks nothing', async () => {
    const ranges = () => east.asked.filter(({ path }) => path.endsWith('/query_range')).length
    const began = ranges()
    await get('/api/v1/fleet')
    // What the snapshot left for later, the newest steps of the past, is asked for all the same.
    await atRest(east)
    expect(ranges() - began).toBeLessThanOrEqual(12)
    const before = east.asked.length
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(east.asked.length).toBe(before)
  })

  test('the history is asked for once, then only what is new of it', async () => {
    const spans = () =>
      east.asked
        .filter(({ path }) => path.endsWith('/query_range'))
        .map(({ fields }) => Number(fields.get('end')) - Number(fields.get('start')))
    const { snapshot } = await whole()
    await atRest(east)
    const first = spans()
    expect(Math.max(...first)).toBeGreaterThan(4_000)
    const later = await eventually(async () => {
      const fleet = await get<Fleet>('/api/v1/fleet')
      expect(fleet.snapshot.at).not.toBe(snapshot.at)
      return fleet
    })
    await atRest(east)
    const sinceSeconds = (Date.parse(later.snapshot.at) - Date.parse(snapshot.at)) / 1_000
    for (const span of spans().slice(first.length)) expect(span).toBeLessThanOrEqual(30 + sinceSeconds)
  })

  test('a workload nobody knows: 404 that names what is near', async () => {
    const { status, body } = await goldseam.get('/api/v1/workloads/east/shop/we')
    expect(status).toBe(404)
    expect(body as Problem).toMatchObject({ type: '/problems/no-such-workload', near: ['east/shop/web'] })
    const wrong = await get<Problem>('/api/v1/workloads/wst/shop/cart')
    expect(wrong.detail).toContain('known: east, west')
  })

  test.each([
    ['/api/v1/fleet?from=now-1m&to=now-2m', '/query/from'],
    ['/api/v1/fleet?to=2099-01-01T00:00:00Z', '/query/to'],
    ['/api/v1/fleet?window=1s', '/query/window'],
    ['/api/v1/fleet?c=wst', '/query/c'],
    ['/api/v1/fleet?cmp=yesterday', '/query/cmp'],
    ['/api/v1/fleet?cmp=2099-01-01T00:00Z/30m', '/query/cmp'],
    ['/api/v1/fleet?from=yesterday', '/query/from'],
  ])('%s: 400 that names the parameter', async (path, pointer) => {
    const { status, body } = await goldseam.get(path)
    expect(status).toBe(400)
    expect((body as Problem).errors?.map((error) => error.pointer)).toContain(pointer)
  })

  test('usual values can be those of a day ago, or of a stretch that is named', async () => {
    const day = await get<Fleet>('/api/v1/fleet?cmp=1d')
    const ago = (Date.parse(day.snapshot.at) - Date.parse(day.snapshot.compare?.to ?? '')) / 1000
    expect(ago).toBeGreaterThanOrEqual(86_400)
    expect(ago).toBeLessThan(86_400 + 61)
    expect(day.workloads[0]?.usual.requestsPerSecond).toBe(10)
    // In one slice or in several.
    const ends = (end: string) =>
      east.asked
        .filter(
          ({ path, fields }) =>
            path.endsWith('/query_range') && Number(fields.get('end')) < Date.now() / 1_000 - 86_000,
        )
        .filter(({ fields }) => (fields.get('query') ?? '').includes('response_total'))
        .map(({ fields }) => Number(fields.get(end)))
    expect(Math.max(...ends('end')) - Math.min(...ends('start'))).toBe(1_785)
    const named = await get<Fleet>('/api/v1/fleet?cmp=2026-01-02T03:00Z/10m')
    expect(named.snapshot.compare).toEqual({ from: '2026-01-02T03:00:00.000Z', to: '2026-01-02T03:10:00.000Z' })
  })

  test('a past instant is asked for as such, once for all who look', async () => {
    const path = '/api/v1/fleet?from=now-2h&to=2026-01-02T03:04:05Z'
    const past = '/api/v1/fleet?from=2026-01-02T02:34:05Z&to=2026-01-02T03:04:05Z'
    expect((await goldseam.get(path)).status).toBe(400)
    const fleet = await get<Fleet>(past)
    expect(fleet.snapshot.at).toBe('2026-01-02T03:04:05.000Z')
    const before = east.asked.length
    await Promise.all([get(past), get(past)])
    expect(east.asked.length).toBe(before)
  })
})

describe('a cluster that fails', () => {
  test('is named with its reason and takes nothing of the others', async () => {
    west.answer((_, response) =>
      json(response, 503, { status: 'error', errorType: 'unavailable', error: 'replaying WAL' }),
    )
    await start()
    const fleet = await get<Fleet>('/api/v1/fleet')
    expect(ids(fleet)).toEqual(['east/shop/web'])
    expect(cluster(fleet, 'west')).toMatchObject({ state: 'down', reason: expect.stringContaining('replaying WAL') })
    expect(fleet.gaps).toMatchObject([{ cluster: 'west', what: 'everything' }])
    expect(fleet.verdict).toMatchObject({ form: 'unknown', text: expect.stringContaining('west') })
  })

  test('keeps its last good values, stale and with their age, until it answers again', async () => {
    await start()
    await get('/api/v1/fleet')
    west.answer((_, response) => void response.socket?.destroy())
    const fleet = await eventually(async () => {
      const answer = await get<Fleet>('/api/v1/fleet')
      expect(cluster(answer, 'west')?.state).toBe('stale')
      return answer
    })
    const cart = fleet.workloads.find(({ id }) => id === 'west/shop/cart')
    expect(cart).toMatchObject({ truth: 'stale', health: 'none', now: { requestsPerSecond: 10 } })
    expect(cart?.ageSeconds).toBeGreaterThan(0)
    expect(fleet.verdict.text).toContain('west has not answered for')
    west.answer(answering(oneWorkload('cart')))
    await eventually(async () => expect(cluster(await get<Fleet>('/api/v1/fleet'), 'west')?.state).toBe('ok'))
  })

  test('its last good values expire into a gap', async () => {
    await start('limits: { lastGoodFor: 1s }')
    await whole()
    west.answer((_, response) => json(response, 500, { status: 'error', errorType: 'internal', error: 'broken' }))
    const fleet = await eventually(async () => {
      const answer = await get<Fleet>('/api/v1/fleet')
      expect(cluster(answer, 'west')?.state).toBe('down')
      return answer
    })
    // The workload is still known from the history; its numbers are not.
    expect(fleet.workloads.find(({ id }) => id === 'west/shop/cart')?.now.requestsPerSecond).toBeNull()
    const { clusters } = await get<Clusters>('/api/v1/clusters')
    expect(clusters.find(({ name }) => name === 'west')).toMatchObject({ workloadsLastSeen: 1, kubeState: false })
  })

  test('hangs: the others are shown within its time limit, and it is not asked twice at once', async () => {
    await start(SOON_SAID)
    await get('/api/v1/fleet')
    await atRest(west)
    west.answer(() => new Promise(() => undefined))
    const before = west.asked.length
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    // Called slow while it may still answer; after its time limit it would be a timeout.
    const fleet = await get<Fleet>('/api/v1/fleet')
    expect(cluster(fleet, 'west')).toMatchObject({ state: 'stale', reason: expect.stringContaining('slow') })
    expect(cluster(fleet, 'east')?.state).toBe('ok')
    await get('/api/v1/fleet')
    const instants = west.asked
      .slice(before)
      .flatMap(({ path, fields }) => (path.endsWith('/query') ? [fields.get('time')] : []))
    expect(new Set(instants).size).toBe(1)
    // The questions still in line are given up with the first that ran out of time.
    await eventually(async () => {
      const silent = cluster(await get<Fleet>('/api/v1/fleet'), 'west')
      expect(silent?.reason).toContain('timeout')
    })
  })

  test('hangs from the start: the others are shown, and it is said to be waited for', async () => {
    west.answer(() => new Promise(() => undefined))
    await start(SOON_SAID)
    const fleet = await get<Fleet>('/api/v1/fleet')
    expect(ids(fleet)).toEqual(['east/shop/web'])
    expect(cluster(fleet, 'west')).toMatchObject({ state: 'pending', ageSeconds: null })
    expect(fleet.verdict.form).toBe('unknown')
  })

  test('answers half: what is missing is a gap, and the cluster is partial', async () => {
    const whole = answering(oneWorkload('cart'))
    west.answer((asked, response) =>
      (asked.fields.get('query') ?? '').includes('response_latency_ms_bucket{direction="inbound"')
        ? json(response, 422, { status: 'error', errorType: 'execution', error: 'too many samples' })
        : whole(asked, response),
    )
    await start()
    const fleet = await get<Fleet>('/api/v1/fleet')
    const cart = fleet.workloads.find(({ id }) => id === 'west/shop/cart')
    expect(cluster(fleet, 'west')?.state).toBe('partial')
    expect(cart?.now.requestsPerSecond).toBe(10)
    expect(cart?.now.latencySeconds.p99).toBeNull()
    expect(fleet.gaps.map(({ what }) => what)).toContain('inboundBuckets')
  })

  test('warns: the warning is shown', async () => {
    const whole = oneWorkload('cart')
    west.answer(async (asked, response) => {
      if (!asked.path.endsWith('/query')) return answering(whole)(asked, response)
      return json(response, 200, {
        status: 'success',
        warnings: ['store-3 unavailable'],
        data: { resultType: 'vector', result: [] },
      })
    })
    await start()
    const fleet = await get<Fleet>('/api/v1/fleet')
    expect(fleet.gaps).toContainEqual(expect.objectContaining({ cluster: 'west', detail: 'store-3 unavailable' }))
  })

  test('has no mesh metrics: says which were looked for', async () => {
    west.answer((asked, response) =>
      json(response, 200, {
        status: 'success',
        data: asked.path.endsWith('/query') ? { resultType: 'vector', result: [] } : [],
      }),
    )
    await start()
    const { gaps } = await get<Clusters>('/api/v1/clusters')
    expect(gaps).toMatchObject([
      { cluster: 'west', what: 'mesh metrics', detail: expect.stringContaining('response_total') },
    ])
  })
})

test('a viewer who leaves cancels what only they were waiting for', async () => {
  await start()
  east.answer(() => new Promise(() => undefined))
  const leaving = new AbortController()
  const request = goldseam.get('/api/v1/fleet', leaving.signal)
  await expect.poll(() => east.asked.length).toBeGreaterThan(0)
  leaving.abort()
  await expect(request).rejects.toThrow()
  await Promise.race([
    Promise.all(east.asked.map(({ clientLeft }) => clientLeft)),
    new Promise((_, reject) => setTimeout(() => reject(new Error('the query goes on')), 30_000)),
  ])
})

test.each(['', '?to=now-10m', '?cmp=1h'])(
  'who looks after somebody left in between sees the clusters as they are: %s',
  async (query) => {
    await start()
    const at = (await get<Fleet>('/api/v1/fleet')).snapshot.at
    const path = `/api/v1/fleet${query.replace('now-10m', String(Date.parse(at) / 1_000 - 600))}`
    await Promise.all([east, west].map(atRest))
    for (const one of [east, west]) one.answer(() => new Promise(() => undefined))
    const before = east.asked.length
    const leaving = new AbortController()
    const leave = eventually(() => expect(east.asked.length).toBeGreaterThan(before)).then(() => leaving.abort())
    // The one of before may still be good for a moment.
    const looking = async () => {
      for (;;) await goldseam.get(path, leaving.signal)
    }
    await expect(looking()).rejects.toThrow()
    await leave
    await Promise.all(east.asked.slice(before).map(({ clientLeft }) => clientLeft))
    east.answer(answering(oneWorkload('web')))
    west.answer(answering(oneWorkload('cart')))
    const fleet = await get<Fleet>(path)
    expect(fleet.clusters.map(({ name, state }) => `${name} ${state}`)).toEqual(['east ok', 'west ok'])
    expect(fleet.gaps).toEqual([])
    expect(ids(fleet)).toEqual(['east/shop/web', 'west/shop/cart'])
  },
)

test('suspects, topology and a workload agree with the fleet about the snapshot', async () => {
  await start('', '60s')
  await whole()
  // Again where a refresh came in between.
  await eventually(async () => {
    const fleet = await get<Fleet>('/api/v1/fleet')
    const others = await Promise.all([
      get<Suspects>('/api/v1/suspects'),
      get<Topology>('/api/v1/topology'),
      get<WorkloadDetail>('/api/v1/workloads/east/shop/web'),
    ])
    expect(others.map(({ snapshot }) => snapshot.id)).toEqual(others.map(() => fleet.snapshot.id))
  })
})
