import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fleet } from '../../src/contract/index.ts'
import { remoteWrite } from '../engines/remote-write.ts'
import { eventually } from '../support/eventually.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'
import { type RealPrometheus, startPrometheus } from '../support/start-prometheus.ts'
import { shopSeries } from './shop.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''

// On CI a missing Prometheus fails the run: skipped tests count as failures there.
describe.skipIf(binary === '')('pods that two jobs scrape', () => {
  const started: RealPrometheus[] = []
  let goldseam: StartedGoldseam

  beforeAll(async () => {
    const east = await startPrometheus(binary, 'global: { scrape_interval: 15s }\n')
    const west = await startPrometheus(binary, 'global: { scrape_interval: 15s }\n')
    started.push(east, west)
    const pace = { perSecond: 20, failedShare: 0, slowShare: 0 }
    // Beyond the end of the test: whenever it looks, something was counted just now.
    const until = Date.now() / 1_000 + 300
    const cart = shopSeries('cart', pace, 0.6, until)
    const web = shopSeries('web', pace, 0.6, until)
    const again = (series: typeof cart, labels: Record<string, string>) =>
      series.map((one) => ({ ...one, labels: { ...one.labels, ...labels } }))
    await remoteWrite(east.url, [...cart, ...web, ...again(cart, { job: 'kubernetes-pods' })])
    // Two pods, each of a job of its own, and a pod that came back under another address.
    const other = { job: 'kubernetes-pods', pod: 'cart-5d8f9c7b6-99999', instance: '10.0.0.2:4191' }
    await remoteWrite(west.url, [...cart, ...again(cart, other), ...again(cart, { instance: '10.0.0.3:4191' })])
    goldseam = await startGoldseam(`log: { level: silent }
refresh: 1s
clusters:
  - { name: east, endpoints: [{ url: "${east.url}" }] }
  - { name: west, endpoints: [{ url: "${west.url}" }] }
`)
  })
  afterAll(async () => {
    await goldseam.close()
    await Promise.all(started.map((one) => one.close()))
  })

  test('are named with their jobs, and nobody else is', async () => {
    await eventually(async () => {
      const { body } = await goldseam.get('/api/v1/fleet')
      const { gaps, clusters, workloads } = body as Fleet
      expect(gaps.map(({ cluster, what, why, detail }) => ({ cluster, what, why, detail }))).toEqual([
        {
          cluster: 'east',
          what: 'pods as one',
          why: 'counted more than once',
          detail:
            'a pod is scraped by several jobs (kubernetes-pods, linkerd-proxy), each of which counts their requests (linkerd); let only one of them keep response_total',
        },
      ])
      // Nothing is missing there: what is told is too much.
      expect(clusters.map(({ state }) => state)).toEqual(['ok', 'ok'])
      expect(
        workloads.find(({ name, cluster }) => name === 'cart' && cluster === 'east')?.now.requestsPerSecond,
      ).toBeCloseTo(40, 0)
    })
  })
})
