import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Histogram, histogramOf, mergeHistograms, quantile } from '../src/domain/histogram.ts'
import type { PrometheusApi } from '../src/prometheus/api.ts'
import { createPrometheus } from '../src/prometheus/create-prometheus.ts'
import { eventually } from './support/eventually.ts'
import { listening } from './support/fake-prometheus.ts'
import { type RealPrometheus, startPrometheus } from './support/start-prometheus.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''
const BOUNDS = [1, 2, 3, 4, 5, 10, 20, 30, 40, 50, 100, 200, 300, 400, 500, 1_000, 2_000, 5_000, 10_000, 50_000]
const QUANTILES = [0, 0.001, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1]
const WORKLOADS = 60

/** mulberry32: small, seeded, good enough to draw worlds from. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A page of counters: pods of one side, with empty buckets, lone spikes, plateaus and observations beyond the last bound. */
function exposition(side: string, seed: number): string {
  const draw = random(seed)
  const lines = ['# TYPE response_latency_ms histogram']
  for (let workload = 0; workload < WORKLOADS; workload += 1) {
    const busy = draw() < 0.9
    for (let pod = 0; pod < 1 + Math.floor(draw() * 3); pod += 1) {
      let cumulative = 0
      const labels = `side="${side}",deployment="w${workload}",pod="${side}-${workload}-${pod}"`
      for (const bound of [...BOUNDS, '+Inf']) {
        if (busy && draw() < 0.4) cumulative += Math.floor(draw() ** 4 * 100_000)
        lines.push(`response_latency_ms_bucket{${labels},le="${bound}"} ${cumulative}`)
      }
      lines.push(`response_latency_ms_count{${labels}} ${cumulative}`, `response_latency_ms_sum{${labels}} 0`)
    }
  }
  return `${lines.join('\n')}\n`
}

// On CI a missing Prometheus fails the run: skipped tests count as failures there.
describe.skipIf(binary === '')('our percentiles against a real Prometheus', () => {
  let pages: Server
  let real: RealPrometheus
  let api: PrometheusApi & { close(): Promise<void> }
  let atSeconds = 0
  /** From when it asks. */
  const signal = () => AbortSignal.timeout(120_000)

  const ask = async (promql: string): Promise<Map<string, number>> => {
    const { data } = await api.query(promql, atSeconds, signal())
    return new Map([...data].map(({ labels, value }) => [labels.deployment ?? '', value]))
  }

  beforeAll(async () => {
    pages = createServer((request, response) => {
      const side = request.url === '/east' ? 'east' : 'west'
      response.setHeader('content-type', 'text/plain; version=0.0.4')
      response.end(exposition(side, side === 'east' ? 11 : 22))
    })
    const port = await listening(pages)
    const job = (side: string) =>
      `  - { job_name: ${side}, metrics_path: /${side}, static_configs: [{ targets: ['127.0.0.1:${port}'] }] }`
    real = await startPrometheus(
      binary,
      `global: { scrape_interval: 1s }\nscrape_configs:\n${job('east')}\n${job('west')}\n`,
    )
    api = createPrometheus(
      {
        name: 'real',
        endpoints: [
          {
            url: real.url,
            headers: {},
            authorization: async () => null,
            timeoutSeconds: 30,
            maxResponseBytes: 50_000_000,
            maxSeries: 100_000,
          },
        ],
      },
      { nowSeconds: () => Date.now() / 1000, observe: () => undefined },
    )
    await eventually(async () => {
      const now = Date.now() / 1000
      const { data } = await api.query('count by (side) (response_latency_ms_count)', now, signal())
      expect(data.length).toBe(2)
      atSeconds = now
    })
  })

  afterAll(async () => {
    await api?.close()
    await real?.close()
    pages?.close()
  })

  async function histograms(matcher: string): Promise<Map<string, Histogram>> {
    const { data } = await api.query(
      `sum by (deployment, le) (response_latency_ms_bucket${matcher})`,
      atSeconds,
      signal(),
    )
    const buckets = new Map<string, Map<number, number>>()
    for (const { labels, apart, value } of data) {
      const { le } = apart
      const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le) / 1000
      const of = buckets.get(labels.deployment ?? '') ?? new Map<number, number>()
      buckets.set(labels.deployment ?? '', of.set(bound, value))
    }
    return new Map([...buckets].map(([deployment, counts]) => [deployment, histogramOf(counts)]))
  }

  function expectSame(ours: Map<string, Histogram>, q: number, theirs: Map<string, number>): void {
    expect(theirs.size).toBe(WORKLOADS)
    for (const [deployment, milliseconds] of theirs) {
      const histogram = ours.get(deployment)
      const found = histogram === undefined ? null : quantile(q, histogram)
      if (Number.isNaN(milliseconds)) {
        expect(found, `${deployment} q=${q}`).toBeNull()
        continue
      }
      const tolerance = 1e-9 * Math.max(milliseconds, 1e-6)
      const error = Math.abs((found?.value ?? Number.NaN) * 1000 - milliseconds)
      expect(error, `${deployment} q=${q}`).toBeLessThanOrEqual(tolerance)
    }
  }

  test.each(QUANTILES)('one cluster, q=%d', async (q) => {
    const theirs = await ask(
      `histogram_quantile(${q}, sum by (deployment, le) (response_latency_ms_bucket{side="east"}))`,
    )
    expectSame(await histograms('{side="east"}'), q, theirs)
  })

  test.each(QUANTILES)('merged over two clusters, q=%d', async (q) => {
    const [east, west] = [await histograms('{side="east"}'), await histograms('{side="west"}')]
    const merged = new Map(
      [...east].map(([deployment, histogram]) => {
        const other = west.get(deployment)
        return [deployment, mergeHistograms(other === undefined ? [histogram] : [histogram, other]).merged]
      }),
    )
    expectSame(merged, q, await ask(`histogram_quantile(${q}, sum by (deployment, le) (response_latency_ms_bucket))`))
  })
})
