import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DECLARATION } from '../src/dialects/recording.ts'
import { dialects } from '../src/dialects/registry.ts'
import { Detection } from '../src/federation/detection.ts'
import { leftWith } from '../src/federation/left-with.fixture.ts'
import type { PrometheusApi } from '../src/prometheus/api.ts'
import type { ClusterPrometheus } from '../src/prometheus/create-prometheus.ts'
import { UpstreamError } from '../src/prometheus/upstream-error.ts'
import { clientOf } from './engines/ours.ts'
import { remoteWrite } from './engines/remote-write.ts'
import { eventually } from './support/eventually.ts'
import { type RealPrometheus, startPrometheus } from './support/start-prometheus.ts'
import { startSteadyMesh } from './support/steady-mesh.ts'
import { type Watched, watched } from './support/watched-prometheus.ts'

/** `npm test` finds or fetches one and names it here. */
const binary = process.env.PROMETHEUS_BIN ?? ''

describe.skipIf(binary === '')('what a real cluster speaks', () => {
  let mesh: Awaited<ReturnType<typeof startSteadyMesh>>
  let real: RealPrometheus
  let east: Watched
  let client: ClusterPrometheus
  /** From when it asks. */
  const signal = () => AbortSignal.timeout(120_000)

  beforeAll(async () => {
    mesh = await startSteadyMesh(['web', 'cart'])
    const scrape = `  - { job_name: mesh, static_configs: [{ targets: ['127.0.0.1:${mesh.port}'] }] }`
    real = await startPrometheus(binary, `global: { scrape_interval: 1s }\nscrape_configs:\n${scrape}\n`)
    await eventually(async () => {
      const response = await fetch(`${real.url}/api/v1/query?query=count(response_latency_ms_bucket)`)
      expect(((await response.json()) as { data: { result: unknown[] } }).data.result.length).toBe(1)
    })
    east = await watched(real.url)
    client = clientOf('east', [east.url])
  })
  afterAll(async () => {
    await client?.close()
    await east?.close()
    await real?.close()
    await mesh?.close()
  })

  /** What was asked since there were so many queries. */
  const askedSince = (before: number) => {
    const asked = east.queries.slice(before)
    return {
      names: asked.filter(({ path }) => path.endsWith('/__name__/values')).length,
      layouts: asked.filter(({ fields }) => fields.get('query')?.includes('count by (le)')).length,
    }
  }
  /** What was asked while this ran. */
  const during = async (work: () => unknown) => {
    const before = east.queries.length
    await work()
    return askedSince(before)
  }
  /**
   * Asked behind what is called, for which nobody waits: again and again, as snapshots do. What was asked before it may
   * not be answered yet, and then nothing is due.
   */
  const behind = async (expected: ReturnType<typeof askedSince>, work: () => void) => {
    const before = east.queries.length
    await eventually(() => {
      work()
      expect(askedSince(before)).toEqual(expected)
    })
  }

  test('is waited for once, and again only when nobody has looked for long', async () => {
    const detection = new Detection(client, dialects, false)
    const at = Math.ceil(Date.now() / 1_000) + 1
    expect(await during(() => detection.prepare(at, signal()))).toEqual({ names: 1, layouts: 0 })
    expect(detection.dialects.map(({ name }) => name)).toEqual(['linkerd'])
    expect(await during(() => detection.prepare(at + 10, signal()))).toEqual({ names: 0, layouts: 0 })
    // Five minutes later it is due, but no snapshot waits for it.
    expect(await during(() => detection.prepare(at + 310, signal()))).toEqual({ names: 0, layouts: 0 })
    expect(await during(() => detection.prepare(at + 1_000, signal()))).toEqual({ names: 1, layouts: 0 })
  })

  test('is looked at again behind the snapshots, and its buckets some seconds after that', async () => {
    const detection = new Detection(client, dialects, false)
    const at = Math.ceil(Date.now() / 1_000) + 1
    // Before anything was found there is nothing to look at again.
    expect(await during(() => detection.lookAgain(at, signal()))).toEqual({ names: 0, layouts: 0 })
    await detection.prepare(at, signal())
    expect(await during(() => detection.lookAgain(at + 1, signal()))).toEqual({ names: 0, layouts: 0 })
    await behind({ names: 0, layouts: 1 }, () => detection.lookAgain(at + 10, signal()))
    await behind({ names: 1, layouts: 0 }, () => detection.lookAgain(at + 310, signal()))
    await behind({ names: 0, layouts: 1 }, () => detection.lookAgain(at + 320, signal()))
  })

  test('leaves nothing with the signal that ends it, which lives as long as the process', async () => {
    const detection = new Detection(client, dialects, false)
    const at = Math.ceil(Date.now() / 1_000) + 1
    await detection.prepare(at, signal())
    const leaving = new AbortController()
    await behind({ names: 0, layouts: 1 }, () => detection.lookAgain(at + 10, leaving.signal))
    await eventually(() => expect(leftWith(leaving.signal)).toBe(0))
  })

  test('goes on for the others when who began it leaves', async () => {
    const detection = new Detection(client, dialects, false)
    const at = Math.ceil(Date.now() / 1_000) + 1
    const leaving = new AbortController()
    const first = detection.prepare(at, leaving.signal)
    const second = detection.prepare(at, signal())
    leaving.abort()
    await expect(first).rejects.toThrow()
    await second
    expect(detection.dialects.map(({ name }) => name)).toEqual(['linkerd'])
  })

  test('is given up when all have left, and begun anew by who comes next', async () => {
    const at = Math.ceil(Date.now() / 1_000) + 1
    const hung: AbortSignal[] = []
    let hangs = true
    const slow: PrometheusApi = {
      ...client,
      labelValues: async (...asked) => {
        const told = await client.labelValues(...asked)
        return { ...told, data: [...told.data, 'kube_pod_info'] }
      },
      query: (promql, atSeconds, patience, question) => {
        if (!hangs) return client.query(promql, atSeconds, patience, question)
        hung.push(patience)
        return new Promise((_, reject) => {
          patience.addEventListener('abort', () => reject(new UpstreamError('aborted', 'nobody waits')))
        })
      },
    }
    const detection = new Detection(slow, dialects, false)
    const [one, other] = [new AbortController(), new AbortController()]
    const waiting = [one, other].map((viewer) => detection.prepare(at, viewer.signal))
    await eventually(() => expect(hung).toHaveLength(1))
    const [patience] = hung
    one.abort()
    await expect(waiting[0]).rejects.toThrow()
    expect(patience?.aborted).toBe(false)
    other.abort()
    await expect(waiting[1]).rejects.toThrow()
    expect(patience?.aborted).toBe(true)
    hangs = false
    // What was given up has ended by then.
    await new Promise((resolve) => setImmediate(resolve))
    expect(await during(() => detection.prepare(at + 1, signal()))).toEqual({ names: 1, layouts: 0 })
  })

  test('is looked at again at once where the clock was set back', async () => {
    const detection = new Detection(client, dialects, false)
    const at = Math.ceil(Date.now() / 1_000) + 1
    await detection.prepare(at, signal())
    expect(await during(() => detection.prepare(at - 600, signal()))).toEqual({ names: 1, layouts: 0 })
  })

  test('what a later look cannot find out stands as it was found', async () => {
    const at = Math.ceil(Date.now() / 1_000) + 1
    // Under a histogram's own name there are native ones only; and what the shipped rules say of themselves.
    const declared = { __name__: DECLARATION, dialect: 'linkerd', lane: 'fast', window_seconds: '60' }
    const written = [{ __name__: 'response_latency_ms' }, declared]
    const samples = [{ atMs: (at - 2) * 1_000, value: 15 }]
    await remoteWrite(
      real.url,
      written.map((labels) => ({ labels, samples })),
    )
    let refused = false
    const unless = <T>(ask: () => Promise<T>) =>
      refused ? Promise.reject(new UpstreamError('unreachable', 'nobody listens')) : ask()
    const failing: PrometheusApi = {
      query: (...asked) => client.query(...asked),
      queryRange: (...asked) => unless(() => client.queryRange(...asked)),
      labelValues: (...asked) => unless(() => client.labelValues(...asked)),
      forward: (...asked) => client.forward(...asked),
      scrapeIntervalSeconds: (...asked) => client.scrapeIntervalSeconds(...asked),
      status: () => client.status(),
    }
    const detection = new Detection(failing, dialects, true)
    const isNative = () => detection.dialects[0]?.questions(60).some(({ promql }) => promql.includes('histogram_sum'))
    await detection.prepare(at, signal())
    const found = detection.recordedUse
    expect(isNative()).toBe(true)
    expect(found).not.toBeNull()
    refused = true
    await detection.prepare(at + 1_000, signal())
    expect(isNative()).toBe(true)
    expect(detection.recordedUse).toEqual(found)
  })

  test('a scrape interval stands while none can be told, as where all samples are gone for a while', async () => {
    const at = Math.ceil(Date.now() / 1_000) + 1
    let told: number | null = 30
    const silent: PrometheusApi = { ...client, scrapeIntervalSeconds: async () => told }
    const detection = new Detection(silent, dialects, false)
    const intervalAt = async (seconds: number) => {
      await detection.prepare(seconds, signal())
      return detection.scrapeIntervalSeconds
    }
    expect(await intervalAt(at)).toBe(30)
    told = null
    expect(await intervalAt(at + 1_000)).toBe(30)
    told = 15
    expect(await intervalAt(at + 2_000)).toBe(15)
  })
})
