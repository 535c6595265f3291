import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fleet, Topology } from '../src/contract/index.ts'
import { type CallingMesh, startCallingMesh } from './support/calling-mesh.ts'
import { eventually } from './support/eventually.ts'
import { type StartedGoldseam, startGoldseam } from './support/start-goldseam.ts'
import { type RealPrometheus, startPrometheus } from './support/start-prometheus.ts'
import { type Watched, watched } from './support/watched-prometheus.ts'

/** `npm test` finds or fetches one and names it here. */
const binary = process.env.PROMETHEUS_BIN ?? ''
const REFRESH_SECONDS = 5
const WINDOW_SECONDS = 15
const CALLS_EVERY_SECONDS = 20
/** Instants are that far apart: of a snapshot a moment late it is the next one. */
const ALIGN_SECONDS = 5

interface Look {
  readonly fleet: Fleet
  readonly topology: Topology
}

/** Both ends are asked at one instant, of two clusters that show the same mesh. */
describe.skipIf(binary === '')('two real clusters with calls', () => {
  let mesh: CallingMesh
  let real: RealPrometheus
  let east: Watched
  let west: Watched
  let goldseam: StartedGoldseam

  beforeAll(async () => {
    mesh = await startCallingMesh()
    const scrape = `  - { job_name: mesh, static_configs: [{ targets: ['127.0.0.1:${mesh.port}'] }] }`
    real = await startPrometheus(binary, `global: { scrape_interval: 1s }\nscrape_configs:\n${scrape}\n`)
    await eventually(async () => {
      // Rates over a whole window, so that nothing moves because it has just begun.
      const response = await fetch(`${real.url}/api/v1/query?query=count(rate(response_total[5s] offset 22s))`)
      expect(((await response.json()) as { data: { result: unknown[] } }).data.result.length).toBe(1)
    })
    east = await watched(real.url)
    west = await watched(real.url)
    goldseam = await start()
  })

  const start = () =>
    startGoldseam(`log: { level: silent }
refresh: ${REFRESH_SECONDS}s
bucketRefresh: ${CALLS_EVERY_SECONDS}s
rateWindow: ${WINDOW_SECONDS}s
maxLoad: 64
limits: { queryTimeout: 30s, softDeadline: 9s }
clusters:
  - { name: east, endpoints: [{ url: "${east.url}" }] }
  - { name: west, endpoints: [{ url: "${west.url}", concurrency: 16 }] }
`)
  afterAll(async () => {
    await goldseam?.close()
    await Promise.all([east?.close(), west?.close()])
    await real?.close()
    await mesh?.close()
  })

  /** Looks as a browser does, and gives each snapshot once: table and map of the same one. */
  async function watch(until: (seen: readonly Look[]) => boolean): Promise<Look[]> {
    const seen: Look[] = []
    for (let round = 0; round < 200 && !until(seen); round += 1) {
      const fleet: Fleet = (await goldseam.get('/api/v1/fleet')).body
      const topology: Topology = (await goldseam.get('/api/v1/topology')).body
      const known = seen.at(-1)?.fleet.snapshot.at === fleet.snapshot.at
      if (!known && topology.snapshot.at === fleet.snapshot.at) seen.push({ fleet, topology })
      await sleep(300)
    }
    expect(until(seen)).toBe(true)
    return seen
  }

  /** Unix seconds of each time that something was asked for, once each. */
  const askedAt = (
    { queries }: Pick<Watched, 'queries'>,
    promql: RegExp,
    counts: (query: Watched['queries'][number]) => boolean = () => true,
  ) => [
    ...new Set(
      queries
        .filter(
          (query) => query.path.endsWith('/query') && promql.test(query.fields.get('query') ?? '') && counts(query),
        )
        .map(({ fields }) => Number(fields.get('time'))),
    ),
  ]
  const CALLS = /response_total\{direction="outbound"/
  const REQUESTS = /response_total\{direction="inbound"/
  const BUCKETS = /response_latency_ms_bucket\{direction="inbound"/
  const seconds = (look: Look) => Date.parse(look.fleet.snapshot.at) / 1_000
  const callsAges = ({ fleet }: Look) => fleet.clusters.map(({ callsAgeSeconds }) => callsAgeSeconds)
  const edgeOf = ({ topology }: Look) =>
    topology.edges.find(({ from, to }) => from === 'east/shop/web' && to === 'east/shop/cart')
  const webOf = ({ fleet }: Look) => fleet.workloads.find(({ id }) => id === 'east/shop/web')

  async function meanAt(labels: string, atSeconds: number): Promise<number> {
    const over = (part: string) => `sum(rate(response_latency_ms_${part}{${labels}}[${WINDOW_SECONDS}s]))`
    const query = new URLSearchParams({ query: `${over('sum')} / ${over('count')} / 1000`, time: `${atSeconds}` })
    const { data } = (await (await fetch(`${real.url}/api/v1/query?${query}`)).json()) as {
      data: { result: { value: [number, string] }[] }
    }
    return Number(data.result[0]?.value[1])
  }

  test('while nothing moves calls stand, for all clusters alike, and their age is told', async () => {
    const looks = await watch((seen) => seen.length >= 7)
    for (const look of looks) expect(new Set(callsAges(look)).size).toBe(1)
    const ages = looks.map((look) => callsAges(look)[0] ?? Number.NaN)
    expect(Math.max(...ages)).toBeGreaterThanOrEqual(CALLS_EVERY_SECONDS / 2)
    expect(Math.max(...ages)).toBeLessThanOrEqual(CALLS_EVERY_SECONDS + ALIGN_SECONDS)
    const [calls, requests] = [askedAt(east, CALLS), askedAt(east, REQUESTS)]
    expect(calls.length).toBeLessThanOrEqual(requests.length / 2)
    expect(askedAt(west, CALLS)).toEqual(calls)
    // Each call is as it was at the instant at which it was asked for; each row as it is.
    for (const look of looks) {
      const [age] = callsAges(look)
      const edge = edgeOf(look)
      expect(calls).toContain(seconds(look) - Number(age))
      expect(edge?.seenFrom).toBe('both')
      const outbound = await meanAt('direction="outbound"', seconds(look) - Number(age))
      expect(edge?.caller?.latencySeconds.mean).toBeCloseTo(outbound, 9)
      const inbound = await meanAt('direction="inbound",deployment="web"', seconds(look))
      expect(webOf(look)?.now.latencySeconds.mean).toBeCloseTo(inbound, 9)
    }
  })

  test('a picture that was drawn before the past came is soon drawn anew', async () => {
    await goldseam.close()
    const [asked, lateMs] = [west.queries.length, 7_000]
    west.delay(lateMs, /query_range$/)
    goldseam = await start()
    const since = () => west.queries.slice(asked)
    // Buckets of what is usual are asked for once the rates of the past are in: with them it is whole.
    const pastAt = () =>
      since().find(({ path, fields }) => path.endsWith('/query_range') && BUCKETS.test(fields.get('query') ?? ''))
    const callsAt = () =>
      since().filter(({ path, fields }) => path.endsWith('/query') && CALLS.test(fields.get('query') ?? ''))
    const cameAtMs = () => (pastAt()?.atMs ?? Number.POSITIVE_INFINITY) + lateMs
    await watch(() => callsAt().some(({ atMs }) => atMs > cameAtMs()))
    const next = callsAt().find(({ atMs }) => atMs > cameAtMs())
    const between = askedAt(
      { queries: since() },
      REQUESTS,
      ({ atMs }) => atMs > cameAtMs() && atMs < Number(next?.atMs),
    )
    // A snapshot may be under way, and the one they come with asks for more. Of themselves calls would stand for five.
    expect(between.length).toBeLessThanOrEqual(2)
    west.delay(0)
  })

  test('what moves is seen with its calls, in the same snapshot', async () => {
    const [before] = await watch((seen) => seen.length >= 1)
    const calm = before === undefined ? null : webOf(before)?.now.latencySeconds.mean
    expect(calm).toBeCloseTo(0.02, 3)
    mesh.slow(400)
    const slowly = (look: Look) => (webOf(look)?.now.latencySeconds.mean ?? 0) > 0.2
    const looks = await watch((seen) => seen.filter(slowly).length >= 2)
    const rising = looks.filter((look) => (webOf(look)?.now.latencySeconds.mean ?? 0) > 0.04)
    expect(rising.length).toBeGreaterThanOrEqual(2)
    for (const look of rising.slice(0, 2)) {
      expect(callsAges(look)).toEqual([0, 0])
      const [row, edge] = [webOf(look)?.now.latencySeconds.mean, edgeOf(look)?.caller?.latencySeconds.mean]
      // The call takes what the request takes, but for the ten milliseconds of the caller itself.
      expect(Number(row) - Number(edge)).toBeCloseTo(0.01, 2)
    }
  })
})
