import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkerd } from '../../src/dialects/linkerd.ts'
import { ClusterPast } from '../../src/federation/cluster-past.ts'
import { SuspectReader } from '../../src/federation/suspect-reader.ts'
import { createPrometheus } from '../../src/prometheus/create-prometheus.ts'
import { remoteWrite, STALE, type TimeSeries } from '../engines/remote-write.ts'
import { type RealPrometheus, startPrometheus } from '../support/start-prometheus.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''
const STEP_SECONDS = 15
const MINUTES = 50
/** Before now. */
const CHANGED_MINUTES = 10

// On CI a missing Prometheus fails the run: skipped tests count as failures there.
describe.skipIf(binary === '')("a suspect's events, read from a real Prometheus", () => {
  let real: RealPrometheus
  let api: ReturnType<typeof createPrometheus>
  const nowSeconds = Math.floor(Date.now() / 1_000 / STEP_SECONDS) * STEP_SECONDS
  const changedSeconds = nowSeconds - CHANGED_MINUTES * 60

  /** Every 15 s; null before or after it is scraped. */
  const series = (labels: Record<string, string>, value: (atSeconds: number) => number | null): TimeSeries => {
    const steps = (MINUTES * 60) / STEP_SECONDS
    const samples = Array.from({ length: steps + 1 }, (_, step) => nowSeconds - (steps - step) * STEP_SECONDS).flatMap(
      (at) => {
        const now = value(at)
        return now === null ? [] : [{ atMs: at * 1_000, value: now as number | typeof STALE }]
      },
    )
    const last = samples.at(-1)?.atMs ?? 0
    const ended = last < nowSeconds * 1_000 ? [{ atMs: last + STEP_SECONDS * 1_000, value: STALE } as const] : []
    return { labels, samples: [...samples, ...ended] }
  }
  const since = (at: number, value: number) => (at >= changedSeconds ? value : null)
  const until = (at: number, value: number) => (at < changedSeconds ? value : null)
  const counted = (pod: string) => ({
    __name__: 'response_total',
    job: 'linkerd-proxy',
    namespace: 'shop',
    deployment: 'cart',
    direction: 'inbound',
    classification: 'success',
    pod,
  })
  const kube = (name: string, more: Record<string, string>) => ({ __name__: name, namespace: 'shop', ...more })

  beforeAll(async () => {
    real = await startPrometheus(binary, 'global: { scrape_interval: 15s }\n')
    const [old, young] = ['cart-7c9f4d6b-aaaaa', 'cart-5d8f9c2a-bbbbb']
    const image = (pod: string, tag: string) =>
      kube('kube_pod_container_info', { pod, container: 'app', image: `shop/cart:${tag}` })
    await remoteWrite(real.url, [
      series(counted(old), (at) => until(at, at * 10)),
      series(counted(young), (at) => since(at, at * 10)),
      series(counted('cart-5d8f9c2a-ccccc'), (at) => since(at, at * 40)),
      series(image(old, '1.0'), (at) => until(at, 1)),
      series(image(young, '1.1'), (at) => since(at, 1)),
      series(kube('kube_pod_container_status_restarts_total', { pod: young, container: 'app' }), (at) =>
        since(at, at > changedSeconds + 120 ? 1 : 0),
      ),
      series(kube('kube_deployment_spec_replicas', { deployment: 'cart' }), (at) => (at < changedSeconds ? 1 : 2)),
    ])
    api = createPrometheus(
      {
        name: 'east',
        endpoints: [
          {
            url: real.url,
            headers: {},
            authorization: async () => null,
            timeoutSeconds: 10,
            maxResponseBytes: 50_000_000,
            maxSeries: 100_000,
          },
        ],
      },
      { nowSeconds: () => Date.now() / 1_000, observe: () => undefined },
    )
  })
  afterAll(() => Promise.all([api.close(), real.close()]))

  test('rollout by template hash and image, restart, scaling, and uneven pods', async () => {
    const past = new ClusterPast('east', api, () => [linkerd])
    const reader = new SuspectReader({ name: 'east', past })
    const known = await reader.at(['east/shop/cart', 'west/shop/cart'], nowSeconds, AbortSignal.timeout(20_000))
    expect([...known.keys()]).toEqual(['east/shop/cart'])
    const facts = known.get('east/shop/cart')
    expect(facts?.kubeTold).toBe(true)
    const texts = facts?.events.map(({ text }) => text) ?? []
    expect(texts).toContain('pods of 5d8f9c2a began to report (before: 7c9f4d6b)')
    expect(texts).toContain('app runs shop/cart:1.1 (before: shop/cart:1.0)')
    expect(texts).toContain('scaled from 1 to 2 replicas')
    expect(texts.join('\n')).toContain('cart-5d8f9c2a-bbbbb restarted its container app')
    // Half a rate window and a step of blur.
    for (const { atSeconds } of facts?.events ?? []) expect(Math.abs(atSeconds - changedSeconds)).toBeLessThan(240)
    expect(facts?.pods?.map(({ requestsPerSecond }) => Math.round(requestsPerSecond))).toEqual([10, 40])
  })
})
