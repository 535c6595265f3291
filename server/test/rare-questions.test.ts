import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkerd } from '../src/dialects/linkerd.ts'
import { ClusterLanes } from '../src/federation/cluster-lanes.ts'
import { ClusterPast } from '../src/federation/cluster-past.ts'
import { axisTo } from '../src/federation/instants.ts'
import type { ClusterPrometheus } from '../src/prometheus/create-prometheus.ts'
import { clientOf } from './engines/ours.ts'
import { eventually } from './support/eventually.ts'
import { type RealPrometheus, startPrometheus } from './support/start-prometheus.ts'
import { startSteadyMesh } from './support/steady-mesh.ts'
import { type Watched, watched } from './support/watched-prometheus.ts'

/** `npm test` finds or fetches one and names it here. */
const binary = process.env.PROMETHEUS_BIN ?? ''
const WINDOW_SECONDS = 15

describe.skipIf(binary === '')('the bytes of calls of a real cluster', () => {
  let mesh: Awaited<ReturnType<typeof startSteadyMesh>>
  let real: RealPrometheus
  let east: Watched
  let client: ClusterPrometheus
  let lanes: ClusterLanes
  let nowSeconds = 0

  beforeAll(async () => {
    mesh = await startSteadyMesh(['web', 'cart'])
    const scrape = `  - { job_name: mesh, static_configs: [{ targets: ['127.0.0.1:${mesh.port}'] }] }`
    real = await startPrometheus(binary, `global: { scrape_interval: 1s }\nscrape_configs:\n${scrape}\n`)
    await eventually(async () => {
      const response = await fetch(`${real.url}/api/v1/query?query=count(rate(response_total[5s]))`)
      expect(((await response.json()) as { data: { result: unknown[] } }).data.result.length).toBe(1)
    })
    east = await watched(real.url)
    client = clientOf('east', [east.url])
    lanes = lanesWith({ bucketRefreshSeconds: 30 })
    nowSeconds = Math.floor(Date.now() / 1_000)
  })
  afterAll(async () => {
    await client?.close()
    await east?.close()
    await real?.close()
    await mesh?.close()
  })

  const lanesWith = ({ bucketRefreshSeconds }: { bucketRefreshSeconds: number }) => {
    const dialects = () => [linkerd]
    const past = new ClusterPast('east', client, dialects)
    const pace = { refreshSeconds: 10, bucketRefreshSeconds, maxLoad: 1 }
    return new ClusterLanes({ ...pace, name: 'east', api: client, dialects, past, clock: () => nowSeconds })
  }
  const readingAt = (atSeconds: number) => ({
    atSeconds,
    windowSeconds: WINDOW_SECONDS,
    axis: axisTo(atSeconds, WINDOW_SECONDS),
    live: true,
  })
  /** How often bytes of calls, and buckets of everybody, were asked for while this ran. */
  const during = async (work: () => Promise<unknown>) => {
    const before = east.queries.length
    await work()
    const asked = east.queries.slice(before).map(({ fields }) => fields.get('query') ?? '')
    const count = (part: RegExp) => asked.filter((promql) => part.test(promql)).length
    return {
      calls: count(/tcp_(read|write)_bytes_total\{[^}]*direction="outbound"/),
      buckets: count(/response_latency_ms_bucket\{direction="inbound"/),
    }
  }
  /** From when it asks. */
  const signal = () => AbortSignal.timeout(120_000)

  test('are waited for by the first snapshot only, and asked behind the others every two minutes', async () => {
    const first = readingAt(nowSeconds - 320)
    expect(await during(() => lanes.askSlowBeside(first, signal()))).toEqual({ calls: 1, buckets: 1 })
    expect(await during(() => lanes.refreshRare(first, signal()))).toEqual({ calls: 0, buckets: 0 })
    const next = readingAt(nowSeconds - 190)
    expect(await during(() => lanes.askSlowBeside(next, signal()))).toEqual({ calls: 0, buckets: 1 })
    expect(await during(() => lanes.refreshRare(next, signal()))).toEqual({ calls: 1, buckets: 0 })
    expect(await during(() => lanes.refreshRare(next, signal()))).toEqual({ calls: 0, buckets: 0 })
    // Between snapshots, where nobody waits, they come with the slow lane.
    expect(await during(() => lanes.refreshSlow(readingAt(nowSeconds - 130), signal()))).toMatchObject({ calls: 0 })
    expect(await during(() => lanes.refreshSlow(readingAt(nowSeconds - 60), signal()))).toMatchObject({ calls: 1 })
  })

  test('are asked with each refresh where percentiles are to be', async () => {
    const all = lanesWith({ bucketRefreshSeconds: 10 })
    for (const ago of [60, 50, 40]) {
      const slow = () => all.refreshSlow(readingAt(nowSeconds - ago), signal())
      expect(await during(slow)).toMatchObject({ calls: 1 })
    }
  })

  test('are waited for again when nobody has looked for long', async () => {
    const later = readingAt(nowSeconds + 250)
    expect(await during(() => lanes.askSlowBeside(later, signal()))).toEqual({ calls: 1, buckets: 1 })
  })
})
