import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { istio, istioRecorded } from '../../src/dialects/istio.ts'
import { latencyQuantile } from '../../src/domain/latency-histogram.ts'
import type { Observation } from '../../src/domain/observation.ts'
import { flowAt, type Traffic } from '../../src/domain/traffic.ts'
import type { TimeSeries } from '../engines/remote-write.ts'
import { at, rounded } from './counted.ts'
import { LOAD_SECONDS } from './exposition.ts'
import { pagesOf, type RealPages, startRealPages, WINDOW_SECONDS } from './real-pages.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''
const PAGES = pagesOf(['istio'])
const WITH_SIDECARS = ['1.22-sidecars', '1.7-sidecars', 'default-cluster-name', 'recorded']
const FROM_WEB = 'east/shop/web'

// On CI a missing Prometheus fails the run: skipped tests count as failures there.
describe.skipIf(binary === '')('istio, by a real Prometheus', () => {
  let real: RealPages
  const read = new Map<string, Observation>()

  beforeAll(async () => {
    real = await startRealPages(binary, PAGES)
    for (const page of PAGES) {
      const dialect = page.includes('recorded') ? istioRecorded : istio
      read.set(page.replace(/^istio\/(.*)\.prom$/, '$1'), await real.observe(dialect, page))
    }
  })
  afterAll(() => real?.close())

  const of = (page: string) => read.get(page) as Observation
  const called = (page: string, key: string) => at(of(page).outbound.get(`${FROM_WEB} ${key}`)?.traffic)
  const signal = (
    page: string,
    key: string,
    name: Parameters<NonNullable<ReturnType<Observation['signals']['get']>>['get']>[0],
  ) => rounded((of(page).signals.get(key)?.get(name)?.[0] ?? Number.NaN) * LOAD_SECONDS)

  describe.each(WITH_SIDECARS)('%s', (page) => {
    const clusters = page !== '1.7-sidecars'
    const west = page === 'default-cluster-name' ? 'Kubernetes-west' : 'west'

    test('callees by their own sidecar, callers by theirs; never the sum', () => {
      const peer = clusters ? 150 : 0
      const cart = of(page).inbound.get('east/shop/cart')
      expect(at(cart?.total)).toMatchObject({ requests: 1_260 + 60 + peer, failures: 66 })
      expect(cart).toMatchObject({ measure: 'full', attempts: 'each' })
      expect(called(page, 'workload east/shop/deployment:cart')).toEqual({ requests: 1_200, failures: 6, meanMs: 20 })
      expect(of(page).outbound.get(`${FROM_WEB} workload east/shop/deployment:cart`)).toMatchObject({
        measure: 'full',
        attempts: 'effective',
      })
    })

    test('who called, as the callee tells it; whom nobody names stays a node', () => {
      const callers = of(page).inbound.get('east/shop/cart')?.byCaller
      expect(at(callers?.get(FROM_WEB))).toEqual({ requests: 1_260, failures: 66, meanMs: 12 })
      expect(at(callers?.get('outside/east/unknown'))).toEqual({ requests: 60, failures: 0, meanMs: 2 })
      expect(at(callers?.get(`${west}/shop/front`))?.requests).toBe(clusters ? 150 : undefined)
    })

    test('failures without a callee stay with the service; 0 is no answer', () => {
      expect(called(page, 'service east/shop/cart')).toEqual({ requests: 18, failures: 18, meanMs: 1 })
      expect(signal(page, `${FROM_WEB} service east/shop/cart`, 'connectFailuresPerSecond')).toBe(12)
    })

    test('gRPC fails by its status, whatever HTTP says', () => {
      expect(at(of(page).inbound.get('east/shop/pay')?.total)).toEqual({ requests: 300, failures: 15, meanMs: 25 })
      expect(called(page, 'workload east/shop/deployment:pay')).toEqual({ requests: 300, failures: 15, meanMs: 30 })
    })

    test('hosts outside by name, what is let through by nobody', () => {
      expect(called(page, 'host api.example.com')).toEqual({ requests: 96, failures: 6, meanMs: 80 })
      expect(signal(page, `${FROM_WEB} host api.example.com`, 'timeoutsPerSecond')).toBe(6)
      expect(called(page, 'unknown PassthroughCluster')).toEqual({ requests: 30, failures: 0, meanMs: 50 })
    })

    if (clusters)
      test('a call into another cluster is named at both ends', () => {
        const key = `workload ${west}/shop/deployment:api`
        expect(called(page, key)).toEqual({ requests: 300, failures: 6, meanMs: 60 })
        expect(signal(page, `${FROM_WEB} ${key}`, 'overflowsPerSecond')).toBe(6)
        expect([...of(page).inbound.keys()].every((id) => id.startsWith('east/'))).toBe(true)
      })

    test('pods, where the series keep them', () => {
      expect(of(page).pods.get('east/shop/cart')?.[0]).toBe(page === 'recorded' ? undefined : 2)
    })
  })

  test('what Istio calls a cluster that nobody named', () => {
    expect([...of('default-cluster-name').aliases]).toEqual(['Kubernetes'])
    expect([...of('1.22-sidecars').aliases]).toEqual([])
  })

  test('percentiles, on Istio’s buckets and on one’s own', () => {
    const bucket = (id: string) => {
      const { histogram } = flowAt((of('custom-buckets').inbound.get(id) as { total: Traffic }).total, 0)
      const p99 = histogram === null ? null : latencyQuantile(0.99, histogram)
      return [p99?.low, p99?.high]
    }
    expect(bucket('east/shop/cart')).toEqual([0.05, 0.1])
    expect(bucket('east/shop/slow')).toEqual([3.2, 6.4])
    const call = of('1.22-sidecars').outbound.get(`${FROM_WEB} workload east/shop/deployment:cart`)
    const { histogram } = flowAt((call as { traffic: Traffic }).traffic, 0)
    expect(histogram).toMatchObject({ upperBounds: { length: 20 } })
  })

  test('connections and bytes of what speaks no HTTP, seen by one end only', () => {
    const pg = of('1.22-sidecars').inbound.get('east/data/pg')
    expect(at(pg?.total)?.requests).toBeNaN()
    expect([pg?.tcp?.bytesIn[0], pg?.tcp?.bytesOut[0]].map(rounded)).toEqual([10, 20])
    expect(pg?.tcp?.openConnections[0]).toBe(2)
  })

  test('ambient: requests from the waypoint, bytes from the ztunnels', () => {
    const cart = of('1.24-ambient').inbound.get('east/shop/cart')
    expect(at(cart?.total)).toEqual({ requests: 600, failures: 12, meanMs: 18 })
    expect([cart?.tcp?.bytesIn[0], cart?.tcp?.openConnections[0]].map(rounded)).toEqual([100, 3])
    expect(called('1.24-ambient', 'workload east/shop/deployment:cart')).toEqual({
      requests: 600,
      failures: 12,
      meanMs: 18,
    })
    const pg = of('1.24-ambient').inbound.get('east/data/pg')
    expect(at(pg?.total)?.requests).toBeNaN()
    expect([pg?.tcp?.bytesIn[0], pg?.tcp?.bytesOut[0], pg?.tcp?.openConnections[0]].map(rounded)).toEqual([11, 41, 5])
  })

  test('ztunnels alone: edges without requests, never 0 per second', () => {
    const calls = of('1.24-ztunnel').outbound.get(`${FROM_WEB} workload east/data/deployment:pg`)
    expect(at(calls?.traffic)?.requests).toBeNaN()
    expect(calls?.tcp?.openConnections[0]).toBe(5)
  })

  test('proxies of another cluster in the same Prometheus are left to that cluster', () => {
    expect(at(of('federated-twice').inbound.get('east/shop/cart')?.total)).toMatchObject({ requests: 600, meanMs: 12 })
    expect([...of('federated-twice').outbound.keys()]).toEqual([`${FROM_WEB} workload east/shop/deployment:cart`])
  })

  test('the first failures of a series count', async () => {
    const labels = {
      job: 'mesh',
      instance: '10.0.0.1:15020',
      reporter: 'destination',
      destination_workload: 'cart',
      destination_workload_namespace: 'shop',
      request_protocol: 'http',
    }
    const atSeconds = await real.write((last) => {
      const made = (
        name: string,
        more: Record<string, string>,
        counter: (age: number) => number | null,
      ): TimeSeries => ({
        labels: { ...labels, ...more, __name__: name },
        samples: Array.from({ length: 17 }, (_, step) => 240 - step * 15).flatMap((age) => {
          const value = counter(age)
          return value === null ? [] : [{ atMs: (last - age) * 1_000, value }]
        }),
      })
      return [
        made('up', {}, () => 1),
        made('istio_requests_total', { response_code: '200' }, (age) => 6_000 - 10 * age),
        made('istio_requests_total', { response_code: '503' }, (age) => (age <= 30 ? 3 : null)),
      ]
    })
    const { inbound } = await real.observeAt(istio, atSeconds)
    const flow = flowAt((inbound.get('east/shop/cart') as { total: Traffic }).total, 0)
    expect((flow.failuresPerSecond ?? 0) * WINDOW_SECONDS).toBeCloseTo(3, 9)
  })

  test("Envoy's own stats in sidecars, where somebody asked for them: on the call they are about", () => {
    const call = `${FROM_WEB} workload east/shop/deployment:cart`
    const fact = (key: string, name: Parameters<typeof signal>[2]) => signal('1.22-proxy-stats', key, name)
    expect(fact(call, 'timeoutsPerSecond')).toBe(24)
    expect(fact(call, 'resetsPerSecond')).toBe(12)
    expect(fact(call, 'overflowsPerSecond')).toBe(30)
    expect([fact(call, 'retriesPerSecond'), fact(call, 'retrySuccessesPerSecond')]).toEqual([48, 36])
    expect(fact(call, 'connectFailuresPerSecond')).toBe(12)
    const gauges = of('1.22-proxy-stats').signals.get(call)
    expect([gauges?.get('breakersOpen')?.[0], gauges?.get('hostsEjected')?.[0]]).toEqual([1, 2])
    // Of a service that it is not seen to call, and nothing of what arrives.
    expect(fact(FROM_WEB, 'timeoutsPerSecond')).toBe(12)
    expect([...of('1.22-proxy-stats').inbound.keys()]).toEqual(['east/shop/cart'])
  })

  test('an ingress gateway has a row: what it passes on; a job that calls has none', () => {
    const { inbound } = of('1.22-gateway')
    const gateway = inbound.get('east/istio-system/istio-ingressgateway')
    expect(at(gateway?.total)).toEqual({ requests: 600, failures: 12, meanMs: 50 })
    expect(gateway).toMatchObject({ passesOn: true, measure: 'full' })
    expect(inbound.has('east/shop/nightly')).toBe(false)
    expect(at(inbound.get('east/shop/cart')?.total)).toMatchObject({ requests: 588 })
  })
})
