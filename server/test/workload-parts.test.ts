import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Compare,
  Compare as CompareShape,
  LatencyHeatmap as HeatmapShape,
  type LatencyHeatmap,
  type Pods,
  Pods as PodsShape,
  type UsedQueries,
  type WorkloadDetail,
} from '../src/contract/index.ts'
import { eventually } from './support/eventually.ts'
import { answering, type FakeMesh, oneWorkload } from './support/fake-mesh.ts'
import { type Answering, type FakePrometheus, json, startFakePrometheus } from './support/fake-prometheus.ts'
import { type StartedGoldseam, startGoldseam } from './support/start-goldseam.ts'
import { type RealPrometheus, startPrometheus } from './support/start-prometheus.ts'
import { startSteadyMesh } from './support/steady-mesh.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''

/** As a mesh, and by pod where pods are asked for. */
function withPods(mesh: FakeMesh, byPod: FakeMesh): Answering {
  const [whole, pods] = [answering(mesh), answering(byPod)]
  return (asked, response) => {
    const query = asked.fields.get('query') ?? ''
    if (query.includes('kube_'))
      return json(response, 200, { status: 'success', data: { resultType: 'matrix', result: [] } })
    return (query.includes('by (namespace,pod') ? pods : whole)(asked, response)
  }
}

function pods(...rates: readonly number[]): FakeMesh {
  const all = rates.map((rate, index) => oneWorkload(`web-7c9f4d-x${index}abc`, rate))
  const fragments = Object.keys(all[0] ?? {})
  return Object.fromEntries(fragments.map((fragment) => [fragment, all.flatMap((mesh) => mesh[fragment] ?? [])]))
}

describe('over clusters whose answers are known', () => {
  let east: FakePrometheus
  let west: FakePrometheus
  let goldseam: StartedGoldseam

  beforeEach(async () => {
    east = await startFakePrometheus(withPods(oneWorkload('web', 40), pods(10, 10, 20)))
    west = await startFakePrometheus(answering(oneWorkload('web', 10)))
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
  const get = async <T>(path: string): Promise<T> => (await goldseam.get(`/api/v1${path}`)).body

  test('a heatmap holds every request of each step in its bucket', async () => {
    const heat = HeatmapShape.parse(await get<LatencyHeatmap>('/workloads/east/shop/web/heatmap'))
    expect(heat.boundsSeconds).toEqual([0.01, 0.05, 0.1])
    expect(heat.at).toHaveLength(heat.requestsPerSecond.length)
    for (const column of heat.requestsPerSecond) expect(column).toEqual([0, 40, 0])
  })

  test('the intervals follow each other without overlap, newest first', async () => {
    const { intervals, intervalSeconds } = await get<{
      intervals: { at: string; good: number }[]
      intervalSeconds: number
    }>('/workloads/east/shop/web/intervals')
    expect(intervals).toHaveLength(20)
    const times = intervals.map(({ at }) => Date.parse(at) / 1_000)
    expect(new Set(times.slice(1).map((at, index) => (times[index] ?? 0) - at))).toEqual(new Set([intervalSeconds]))
    expect(intervals[0]).toMatchObject({
      good: 40 * intervalSeconds,
      bad: 0,
      minSeconds: 0.01,
      maxSeconds: 0.05,
      change: '',
    })
  })

  test('pods by name with their version, and how uneven they are', async () => {
    const answer = PodsShape.parse(await get<Pods>('/workloads/east/shop/web/pods'))
    expect(answer.pods.map(({ name, version, now }) => [name, version, now.requestsPerSecond])).toEqual([
      ['web-7c9f4d-x0abc', '7c9f4d', 10],
      ['web-7c9f4d-x1abc', '7c9f4d', 10],
      ['web-7c9f4d-x2abc', '7c9f4d', 20],
    ])
    expect(answer).toMatchObject({ maxOverMedian: 2, rankChangesPerMinute: 0, reason: null })
  })

  test('events say what could not be looked for', async () => {
    expect(await get('/workloads/east/shop/web/events')).toMatchObject({
      events: [],
      missing: ['restarts and replicas: no kube-state-metrics for it here'],
      maxOverMedian: 2,
    })
  })

  test('the queries are those that were asked, with the answer they give now', async () => {
    const { queries } = await get<UsedQueries>('/workloads/east/shop/web/queries')
    expect(queries.map(({ name }) => name)).toEqual(['inbound', 'inboundTime', 'inboundBuckets'])
    for (const { promql, failure, series } of queries) {
      expect(promql).toContain('deployment=~"web"')
      expect({ failure, series: (series ?? 0) > 0 }).toEqual({ failure: null, series: true })
    }
    const { explore, series } = await get<WorkloadDetail>('/workloads/east/shop/web')
    // 40 a second for a minute are enough for p99 and not for p99.9.
    expect([series.percentileSamples?.at(-1), series.enoughFor?.at(-1)]).toEqual([2_400, 3])
    // Over a week each point is of its whole step: there are enough for p99.9, too.
    const { series: week } = await get<WorkloadDetail>('/workloads/east/shop/web?from=now-7d')
    expect(week.percentileSamples?.at(-1)).toBe(40 * week.stepSeconds)
    expect(week.enoughFor?.at(-1)).toBe(4)
    expect(explore).toBe(`histogram_quantile(0.99,${queries[2]?.promql})`)
  })

  test('a workload that is not there has no parts', async () => {
    expect(await goldseam.get('/api/v1/workloads/east/shop/nobody/pods')).toMatchObject({ status: 404 })
  })

  test('cluster against cluster: the same workloads are paired, traffic is more, latency the same', async () => {
    const found = CompareShape.parse(await get<Compare>('/compare?a=west&b=east'))
    expect(found.rows.map(({ key }) => key)).toEqual(['shop/web'])
    expect(found.rows[0]).toMatchObject({
      a: { id: 'west/shop/web', golden: { requestsPerSecond: 10 } },
      b: { id: 'east/shop/web', golden: { requestsPerSecond: 40 } },
      differences: { requestsPerSecond: 'more', successRatio: 'same', p50: 'same', p99: 'same' },
      verdict: 'same',
    })
    expect(found.all.b?.golden.requestsPerSecond).toBe(40)
    expect(found.a.series.requestsPerSecond.every((value) => value === 10)).toBe(true)
  })

  test('one version of a workload against all of it, and a workload against another', async () => {
    const versions = await get<Compare>('/compare?a=east/shop/web@v:7c9f4d&b=east/shop/web')
    expect(versions.rows[0]).toMatchObject({ a: { golden: { requestsPerSecond: 40 } }, verdict: 'same' })
    const none = await get<Compare>('/compare?a=east/shop/web@v:other1&b=west/shop/web')
    expect(none.all.a).toBeNull()
    expect(none.all.verdict).toBeNull()
    expect(none.notes).toContain('nothing was measured on side A')
  })

  test('without B it is compared with the window before; a cluster that is silent makes sums unjudged', async () => {
    const before = await get<Compare>('/compare?a=east')
    expect(Date.parse(before.b.to)).toBe(Date.parse(before.a.from))
    await west.close()
    await eventually(async () => {
      const all = await get<Compare>('/compare?a=*&b=east')
      expect(all.a.missing).toEqual(['west'])
      expect(all.all.verdict).toBeNull()
    })
  })

  test.each(['a=nowhere', 'a=east@now-2h', 'a=east&b=east@now-20h~now-1h'])(
    '%s is refused with its place',
    async (query) => {
      expect(await goldseam.get(`/api/v1/compare?${query}`)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: expect.stringMatching(/^\/query\//) }] },
      })
    },
  )
})

describe.skipIf(binary === '')('over a real Prometheus', () => {
  let prometheus: RealPrometheus
  let mesh: Awaited<ReturnType<typeof startSteadyMesh>>
  let goldseam: StartedGoldseam

  beforeAll(async () => {
    mesh = await startSteadyMesh(['web', 'api'], 0)
    prometheus = await startPrometheus(
      binary,
      `global: { scrape_interval: 1s }
scrape_configs: [{ job_name: mesh, static_configs: [{ targets: ["127.0.0.1:${mesh.port}"] }] }]`,
    )
    goldseam = await startGoldseam(`log: { level: silent }
refresh: 1s
rateWindow: 5s
clusters: [{ name: east, endpoints: [{ url: "${prometheus.url}" }] }]
`)
  })
  afterAll(async () => {
    await goldseam?.close()
    await prometheus?.close()
    await mesh?.close()
  })

  test('pods, heatmap and queries agree with each other on the rate', async () => {
    const part = async <T>(name: string): Promise<T> =>
      (await goldseam.get(`/api/v1/workloads/east/shop/web/${name}?from=now-1m`)).body
    await eventually(async () => {
      const [{ pods: found }, heat] = await Promise.all([part<Pods>('pods'), part<LatencyHeatmap>('heatmap')])
      expect(found.map(({ name }) => name)).toEqual(['web-1'])
      const rate = found[0]?.now.requestsPerSecond ?? 0
      // The mesh counts 20 a second; a window that reaches back before its first scrape tells less.
      expect(rate).toBeGreaterThan(16)
      const last = heat.requestsPerSecond.at(-1) ?? []
      // Of instants some seconds apart, from scrapes that come a little early or late.
      const sum = last.reduce((all, value) => all + value, 0)
      expect(Math.abs(sum / rate - 1), `${sum} and ${rate}`).toBeLessThan(0.1)
    })
    const { queries } = await part<UsedQueries>('queries')
    expect(queries.flatMap(({ failure }) => failure ?? [])).toEqual([])
    expect(queries.every(({ series }) => (series ?? 0) > 0)).toBe(true)
  })
})
