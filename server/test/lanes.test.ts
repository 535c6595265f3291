import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Clusters, Fleet, WorkloadDetail } from '../src/contract/index.ts'
import { eventually } from './support/eventually.ts'
import { type StartedGoldseam, startGoldseam } from './support/start-goldseam.ts'
import { type RealPrometheus, startPrometheus } from './support/start-prometheus.ts'
import { startSteadyMesh } from './support/steady-mesh.ts'
import { type Watched, type WatchedQuery, watched } from './support/watched-prometheus.ts'

/** `npm test` finds or fetches one and names it here. */
const binary = process.env.PROMETHEUS_BIN ?? ''
const WINDOW = '15s'

describe.skipIf(binary === '')('two real clusters', () => {
  let mesh: Awaited<ReturnType<typeof startSteadyMesh>>
  let real: RealPrometheus
  let east: Watched
  let west: Watched
  let goldseam: StartedGoldseam | null = null

  beforeAll(async () => {
    mesh = await startSteadyMesh(['web', 'cart', 'stock'])
    const scrape = `  - { job_name: mesh, static_configs: [{ targets: ['127.0.0.1:${mesh.port}'] }] }`
    real = await startPrometheus(binary, `global: { scrape_interval: 1s }\nscrape_configs:\n${scrape}\n`)
    await eventually(async () => {
      // A snapshot's instant lies up to 7 s back: an empty first answer would be asked for again.
      const response = await fetch(`${real.url}/api/v1/query?query=count(rate(response_total[5s] offset 8s))`)
      expect(((await response.json()) as { data: { result: unknown[] } }).data.result.length).toBe(1)
    })
  })
  afterAll(async () => {
    await real?.close()
    await mesh?.close()
  })
  afterEach(async () => {
    await goldseam?.close()
    goldseam = null
    await Promise.all([east?.close(), west?.close()])
  })

  async function start(settings: string): Promise<void> {
    east = await watched(real.url)
    west = await watched(real.url)
    goldseam = await startGoldseam(`log: { level: silent }
rateWindow: ${WINDOW}
clusters:
  - { name: east, endpoints: [{ url: "${east.url}" }] }
  - { name: west, endpoints: [{ url: "${west.url}" }] }
${settings}`)
  }

  const get = async <T>(path: string, signal?: AbortSignal): Promise<T> => {
    if (goldseam === null) throw new Error('not started')
    return (await goldseam.get(path, signal)).body
  }
  /** Looks as a browser does, until the time is over. */
  const watch = async (seconds: number, path = '/api/v1/fleet'): Promise<Fleet[]> => {
    const seen: Fleet[] = []
    const untilMs = Date.now() + seconds * 1_000
    while (Date.now() < untilMs) {
      seen.push(await get<Fleet>(path))
      await sleep(250)
    }
    return seen
  }
  const promqlOf = ({ fields }: WatchedQuery) => fields.get('query') ?? ''
  const instants = (queries: readonly WatchedQuery[], fragment: string) =>
    queries.filter((query) => query.path.endsWith('/query') && promqlOf(query).includes(fragment))
  const EVERYBODYS_BUCKETS =
    /sum by \([^)]*\ble\) \(rate\(response_latency_ms_bucket\{direction="inbound"(?!.*deployment=~)/
  const bucketQuestions = ({ queries }: Watched) =>
    queries.filter((query) => query.path.endsWith('/query') && EVERYBODYS_BUCKETS.test(promqlOf(query)))

  test('buckets are asked for more seldom, at times of their own, and tell their age and their instant', async () => {
    await start('refresh: 1s\nbucketRefresh: 6s\nmaxLoad: 64')
    const beganMs = Date.now()
    // The first look asks everybody at once; from then on each cluster has its own time.
    const later = (cluster: Watched) =>
      bucketQuestions(cluster)
        .slice(1)
        .map(({ atMs }) => atMs)
    let old: Fleet | undefined
    // A machine that stalls makes both late, and then they may meet: watched until they did not, twice in a row.
    await eventually(async () => {
      const fleet = await get<Fleet>('/api/v1/fleet')
      if ((fleet.workloads[0]?.now.percentiles?.ageSeconds ?? 0) >= 5) old = fleet
      expect(old).toBeDefined()
      const eastern = bucketQuestions(east).length
      expect(instants(east.queries, 'response_total').length).toBeGreaterThan(2 * eastern)
      const [last, others] = [later(east).slice(-2), later(west)]
      expect([last.length, others.length]).toEqual([2, expect.toSatisfy((count: number) => count >= 2)])
      // They are to be three seconds apart.
      for (const atMs of last) for (const other of others) expect(Math.abs(atMs - other)).toBeGreaterThan(1_000)
    })
    expect(bucketQuestions(east).length).toBeLessThanOrEqual(2 + (Date.now() - beganMs) / 6_000)
    const row = old?.workloads[0]
    expect(row?.truths.requestsPerSecond).toBe('value')
    const ageSeconds = row?.now.percentiles?.ageSeconds ?? Number.NaN
    expect(old?.clusters.find(({ name }) => name === row?.cluster)?.percentilesAgeSeconds).toBe(ageSeconds)
    const thenSeconds = Date.parse(old?.snapshot.at ?? '') / 1_000 - ageSeconds
    const those = `response_latency_ms_bucket{deployment="${row?.name}"`
    const p99 = await atThatTime(`histogram_quantile(0.99, sum by (le) (rate(${those}}[${WINDOW}])))`, thenSeconds)
    expect(row?.now.latencySeconds.p99).toBeCloseTo(p99 / 1_000, 9)
    const count = await atThatTime(`sum(rate(${those},le="+Inf"}[${WINDOW}])) * 15`, thenSeconds)
    expect(row?.now.percentiles?.sampleCount).toBeCloseTo(count, 2)
  })

  async function atThatTime(promql: string, atSeconds: number): Promise<number> {
    const response = await fetch(
      `${real.url}/api/v1/query?${new URLSearchParams({ query: promql, time: `${atSeconds}` })}`,
    )
    const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } }
    return Number(data.result[0]?.value[1])
  }

  test('nobody watching: the slow lane rests too', async () => {
    await start('refresh: 1s\nbucketRefresh: 1s\nmaxLoad: 64')
    await watch(2)
    await eventually(() => expect(Date.now() - (east.queries.at(-1)?.atMs ?? 0)).toBeGreaterThan(2_000))
    const before = east.queries.length
    await sleep(2_500)
    expect(east.queries.length).toBe(before)
  })

  test('a workload on screen has its percentiles with each refresh, asked for by name', async () => {
    await start('refresh: 1s\nbucketRefresh: 1h\nmaxLoad: 64')
    await get<WorkloadDetail>('/api/v1/workloads/east/shop/cart')
    const cartOf = ({ workloads }: Fleet) => workloads.find(({ id }) => id === 'east/shop/cart')
    const fleet = await eventually(async () => {
      await get<WorkloadDetail>('/api/v1/workloads/east/shop/cart')
      const answer = await get<Fleet>('/api/v1/fleet')
      expect(answer.workloads.find(({ id }) => id === 'east/shop/web')?.now.percentiles?.ageSeconds).toBeGreaterThan(0)
      expect(cartOf(answer)?.now.percentiles?.ageSeconds).toBe(0)
      return answer
    })
    const cart = cartOf(fleet)
    const p99 = await atThatTime(
      `histogram_quantile(0.99, sum by (le) (rate(response_latency_ms_bucket{deployment="cart"}[${WINDOW}])))`,
      Date.parse(fleet.snapshot.at) / 1_000,
    )
    expect(cart?.now.latencySeconds.p99).toBeCloseTo(p99 / 1_000, 9)
    const named = instants(east.queries, 'deployment=~"cart"')
    expect(named.length).toBeGreaterThan(0)
    expect(instants(west.queries, 'deployment=~').length).toBe(0)
    expect(bucketQuestions(east).length).toBe(1)
    // Its charts too: fine steps, of it alone.
    const charted = east.queries.filter(
      (query) => query.path.endsWith('/query_range') && promqlOf(query).includes('cart'),
    )
    expect(charted.length).toBeGreaterThan(0)
  })

  test('no question for the past of all buckets has many steps', async () => {
    await start('refresh: 1s\nmaxLoad: 64')
    const fleet = await get<Fleet>('/api/v1/fleet')
    expect(fleet.workloads.length).toBe(6)
    const steps = ({ fields }: WatchedQuery) =>
      (Number(fields.get('end')) - Number(fields.get('start'))) / Number(fields.get('step')) + 1
    // What takes longer than the first snapshot waits comes behind it.
    const ofBuckets = await eventually(() => {
      const ranges = east.queries.filter(({ path }) => path.endsWith('/query_range'))
      const buckets = ranges.filter((query) => promqlOf(query).includes('_bucket'))
      expect(Math.max(...ranges.map(steps))).toBeGreaterThan(250)
      expect(buckets.length).toBeGreaterThan(0)
      return buckets
    })
    for (const query of ofBuckets) expect(steps(query)).toBeLessThanOrEqual(90)
  })

  test('the load is told, and past its cap the cluster is asked more seldom', async () => {
    await start('refresh: 1s\nbucketRefresh: 2s\nmaxLoad: 0.005')
    east.keepSilent()
    east.delay(60)
    await get<Fleet>('/api/v1/fleet')
    const stretched = await eventually(async () => {
      const cluster = (await get<Clusters>('/api/v1/clusters')).clusters.find(({ name }) => name === 'east')
      expect(cluster?.load.stretched).toContain('maxLoad')
      expect(cluster?.ageSeconds).toBeGreaterThanOrEqual(5)
      return cluster
    })
    expect(stretched?.state).toBe('ok')
    expect(stretched?.load.maxLoad).toBe(0.005)
    expect(stretched?.load.refreshSeconds).toBeGreaterThanOrEqual(5)
    expect(stretched?.load.querySecondsPerSecond).toBeGreaterThan(0)
    expect(stretched?.endpoints[0]?.querySecondsPerSecond).toBeGreaterThan(0)
    // One a refresh; a look at what several jobs scrape speaks of the same counter, and calls come with some of them.
    const asked = () => instants(east.queries, 'response_total{direction="inbound"').length
    const before = asked()
    expect(before).toBeGreaterThan(0)
    await watch(4)
    // Three or four without the cap. The load of the last minute gets less while nobody asks, so that one may be due again.
    expect(asked() - before).toBeLessThanOrEqual(1)
  })

  test('what a server waits for on the way is no load on it, where it tells what its queries took', async () => {
    await start('refresh: 1s\nbucketRefresh: 2s\nmaxLoad: 64\nlimits: { queryTimeout: 30s, softDeadline: 30s }')
    west.keepSilent()
    for (const cluster of [east, west]) cluster.delay(800)
    await get<Fleet>('/api/v1/fleet')
    const { clusters } = await get<Clusters>('/api/v1/clusters')
    const spent = (name: string) => clusters.find((one) => one.name === name)?.load.querySecondsPerSecond ?? 0
    expect(spent('east')).toBeGreaterThan(0)
    // Ten questions and more, each held up for 0.8 s, told by the minute.
    expect(spent('west')).toBeGreaterThan((10 * 0.8) / 60)
    expect(spent('east')).toBeLessThan(spent('west') / 4)
  })

  test('a cluster that was late is in the picture as soon as it answers, not a refresh later', async () => {
    await start('refresh: 1m\nmaxLoad: 64\nlimits: { softDeadline: 3s }')
    // What it speaks is known by then.
    await get<Fleet>(`/api/v1/fleet?to=${Date.now() / 1_000 - 5}`)
    west.delay(3_600)
    const first = await get<Fleet>('/api/v1/fleet')
    west.delay(0)
    expect(first.clusters.find(({ name }) => name === 'west')?.state).not.toBe('ok')
    const amended = await eventually(async () => {
      const fleet = await get<Fleet>('/api/v1/fleet')
      expect(fleet.clusters.find(({ name }) => name === 'west')?.state).toBe('ok')
      return fleet
    })
    expect(amended.snapshot.at).toBe(first.snapshot.at)
    expect(amended.snapshot.id).not.toBe(first.snapshot.id)
    expect(amended.workloads.filter(({ cluster }) => cluster === 'west').length).toBe(3)
  })

  test('closing the tab on a view of the past stops what only it waited for, all the way', async () => {
    await start('refresh: 1s\nmaxLoad: 64')
    const at = (await get<Fleet>('/api/v1/fleet')).snapshot.at
    const before = east.queries.length
    east.delay(60_000)
    const tab = new AbortController()
    const looking = get<Fleet>(`/api/v1/fleet?to=${at}`, tab.signal)
    await expect.poll(() => east.queries.length).toBeGreaterThan(before)
    tab.abort()
    await expect(looking).rejects.toThrow()
    await Promise.all(east.queries.slice(before).map(({ left }) => left))
  })

  test('views of the past are kept within their memory, and asked for anew beyond it', async () => {
    await start('refresh: 1m\nmaxLoad: 64\nlimits: { pastSnapshots: 1MiB }')
    const at = (await get<Fleet>('/api/v1/fleet')).snapshot.at
    const then = (secondsAgo: number) => Date.parse(at) / 1_000 - secondsAgo
    const past = (secondsAgo: number) => `/api/v1/fleet?to=${then(secondsAgo)}`
    // Of that instant alone: what is looked up now and then in the background may come at any time.
    const asked = () => east.queries.filter(({ fields }) => Number(fields.get('time')) === then(5)).length
    await get(past(5))
    const once = asked()
    expect(once).toBeGreaterThan(0)
    await get(past(5))
    expect(asked()).toBe(once)
    // Each holds six workloads over 300 steps.
    for (let secondsAgo = 10; secondsAgo <= 45; secondsAgo += 5) await get(past(secondsAgo))
    expect(asked()).toBe(once)
    await get(past(5))
    expect(asked()).toBe(2 * once)
  })
})
