import { afterEach, expect, test } from 'vitest'
import type { Fleet } from '../src/contract/index.ts'
import { remoteWrite } from './engines/remote-write.ts'
import { eventually } from './support/eventually.ts'
import { startGoldseam } from './support/start-goldseam.ts'
import { startPrometheus } from './support/start-prometheus.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''
const WORKLOADS = 20
const STEP_SECONDS = 15
const PAST_SECONDS = 5_400
const AHEAD_SECONDS = 300
const BOUNDS = ['10', '100', '1000', '+Inf']

const started: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close()
})

/** Counters of a mesh that has been steady for one and a half hours, and will be for some minutes. */
function counters(): Parameters<typeof remoteWrite>[1] {
  const from = Math.floor((Date.now() / 1_000 - PAST_SECONDS) / STEP_SECONDS) * STEP_SECONDS
  const steps = (PAST_SECONDS + AHEAD_SECONDS) / STEP_SECONDS
  const counter = (labels: Record<string, string>, perSecond: number) => ({
    labels: { job: 'linkerd-proxy', ...labels },
    samples: Array.from({ length: steps }, (_, step) => ({
      atMs: (from + step * STEP_SECONDS) * 1_000,
      value: step * STEP_SECONDS * perSecond,
    })),
  })
  return Array.from({ length: WORKLOADS }, (_, index) => {
    const name = `svc-${index}`
    const labels = {
      instance: `${name}:4191`,
      namespace: 'shop',
      deployment: name,
      pod: `${name}-1`,
      direction: 'inbound',
    }
    return [
      counter({ ...labels, __name__: 'request_total' }, 10),
      counter({ ...labels, __name__: 'response_total', classification: 'success' }, 10),
      counter({ ...labels, __name__: 'response_latency_ms_count' }, 10),
      counter({ ...labels, __name__: 'response_latency_ms_sum' }, 500),
      ...BOUNDS.map((le) => counter({ ...labels, __name__: 'response_latency_ms_bucket', le }, le === '10' ? 1 : 10)),
    ]
  }).flat()
}

test.skipIf(binary === '')(
  'where a Prometheus loads few samples at once its past is read piece by piece',
  async () => {
    const config = 'global: { scrape_interval: 15s }\nstorage: { tsdb: { out_of_order_time_window: 1d } }\n'
    const real = await startPrometheus(binary, config, '', ['--query.max-samples=3000'])
    started.push(real)
    await remoteWrite(real.url, counters())
    const goldseam = await startGoldseam(`log: { level: silent }
clusters: [{ name: east, dialects: [linkerd], endpoints: [{ url: "${real.url}", scrapeInterval: 15s }] }]`)
    started.push(goldseam)
    await eventually(async () => {
      const { workloads, gaps }: Fleet = (await goldseam.get('/api/v1/fleet')).body
      expect(workloads).toHaveLength(WORKLOADS)
      expect(gaps).toEqual([])
      for (const { usual } of workloads) {
        expect(usual?.requestsPerSecond).toBeCloseTo(10, 6)
        expect(usual?.latencySeconds.p99).toBeGreaterThan(0.01)
      }
    })
  },
  60_000,
)
