import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkerd } from '../../src/dialects/linkerd.ts'
import { latencyQuantile, observationsOf } from '../../src/domain/latency-histogram.ts'
import type { Observation, Outbound } from '../../src/domain/observation.ts'
import { emptyTraffic, flowAt, type Traffic } from '../../src/domain/traffic.ts'
import type { TimeSeries } from '../engines/remote-write.ts'
import { at, rounded } from './counted.ts'
import { LOAD_SECONDS } from './exposition.ts'
import { pagesOf, type RealPages, startRealPages, WINDOW_SECONDS } from './real-pages.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''
const PAGES = pagesOf(['linkerd'])
const minorOf = (page: string) => Number(/2\.(\d+)\.prom/.exec(page)?.[1])
const GATEWAY = 'linkerd-gateway.linkerd-multicluster.serviceaccount.identity.linkerd.cluster.local'
const identity = (name: string, namespace = 'shop') =>
  `${name}.${namespace}.serviceaccount.identity.linkerd.cluster.local`

// On CI a missing Prometheus fails the run: skipped tests count as failures there.
describe.skipIf(binary === '')('linkerd, by a real Prometheus', () => {
  let real: RealPages
  const read = new Map<string, Observation>()

  beforeAll(async () => {
    real = await startRealPages(binary, PAGES)
    for (const page of PAGES) read.set(page, await real.observe(linkerd, page, 'east', ['west']))
  })
  afterAll(() => real?.close())

  describe.each(PAGES)('%s', (page) => {
    const minor = minorOf(page)
    const seen = () => read.get(page) as Observation
    const inbound = (id: string) => seen().inbound.get(id)
    const call = (key: string): Outbound | undefined => seen().outbound.get(`east/shop/web ${key}`)
    const callTo = (key: string) => at(call(key)?.traffic)
    /** Behind a call's percentiles. */
    const observations = (key: string) => {
      const histogram = flowAt(call(key)?.traffic ?? emptyTraffic(1), 0).histogram
      return histogram && rounded(observationsOf(histogram) * LOAD_SECONDS)
    }

    test('requests, failures and the mean, without probes and scrapes', () => {
      expect(at(inbound('east/shop/cart')?.total)).toEqual({
        requests: 2_340,
        failures: 13,
        meanMs: 7.384615,
      })
      expect(at(inbound('east/data/job:report')?.total)).toEqual({ requests: 6, failures: 0, meanMs: 100 })
    })

    test('percentiles in the bucket they were counted in', () => {
      const histogram = flowAt((inbound('east/shop/cart') as { total: Traffic }).total, 0).histogram
      expect(histogram).toMatchObject({ upperBounds: { length: 26 } })
      const [p50, p99] = [0.5, 0.99].map((q) => (histogram === null ? null : latencyQuantile(q, histogram)))
      expect([p50?.low, p50?.high, p99?.low, p99?.high]).toEqual([0.004, 0.005, 0.1, 0.2])
    })

    test('gRPC fails by its status, whatever HTTP says', () => {
      expect(at(inbound('east/shop/pay')?.total)).toEqual({ requests: 600, failures: 30, meanMs: 6 })
    })

    test('who asked: the identity of meshed callers, of a meshed ingress; none of an unmeshed one', () => {
      const { byClient, byHost } = inbound('east/shop/cart') as NonNullable<ReturnType<typeof inbound>>
      expect(at(byClient.get(identity('web')))).toMatchObject({ requests: 1_980 })
      expect(at(byClient.get(identity('ingress', 'edge')))).toMatchObject({ requests: 60 })
      expect([...byClient.keys()]).toHaveLength(2)
      expect(at(byHost.get('a.west.example.com'))).toEqual(
        minor <= 17 ? { requests: 300, failures: 3, meanMs: 4 } : undefined,
      )
    })

    test('a call to a workload of the same cluster', () => {
      expect(callTo('workload east/shop/deployment:cart')).toEqual({ requests: 1_980, failures: 10, meanMs: 12 })
      expect(call('workload east/shop/deployment:cart')?.destination).toMatchObject({ service: 'cart' })
      expect(call('workload east/shop/deployment:cart')?.clues.serverIds).toEqual(new Set([identity('cart')]))
      const { traffic } = call('workload east/shop/deployment:cart') as Outbound
      expect(traffic.buckets.size).toBeGreaterThan(3)
      expect(flowAt(traffic, 0).histogram).not.toBeNull()
    })

    test('an ingress that balances on pod addresses names the workload and no service', () => {
      const flow = seen().outbound.get('east/edge/ingress workload east/shop/deployment:cart')
      expect(flow?.destination).toMatchObject({ service: null })
      expect(at(flow?.traffic)).toEqual({ requests: 60, failures: 0, meanMs: 7 })
    })

    test('a service mirrored through a gateway', () => {
      expect(callTo('mirror west/shop/cart')).toEqual({ requests: 300, failures: 0, meanMs: 40 })
      expect(call('mirror west/shop/cart')?.serverId).toBe(GATEWAY)
    })

    if (minor >= 14)
      test('a flat mirror: the pod is of another cluster, told by the service that was asked for', () => {
        const key = 'pod east/shop/deployment:ledger ledger-west 10.60.0.5:8080'
        expect(callTo(key)).toEqual({ requests: 120, failures: 0, meanMs: 30 })
        expect(call(key)?.destination).toMatchObject({ asked: 'ledger-west', service: 'ledger' })
        expect(observations(key)).toBe(120)
        expect(seen().outbound.has('east/shop/web workload east/shop/deployment:ledger')).toBe(false)
      })

    if (minor >= 17)
      test('a federated service: each pod by its address', () => {
        const key = (address: string) => `pod east/shop/deployment:rates rates-federated ${address}`
        expect(callTo(key('10.42.0.30:8080'))).toMatchObject({ requests: 60 })
        expect(callTo(key('10.60.0.9:8080'))).toMatchObject({ requests: 90 })
        expect(['10.42.0.30:8080', '10.60.0.9:8080'].map((address) => observations(key(address)))).toEqual([60, 90])
      })

    test('what lies outside: the host in 2.8, the address since', () => {
      const key = minor === 8 ? 'host a.west.example.com' : 'address 203.0.113.20:80'
      expect(callTo(key)).toEqual({ requests: 500, failures: 6, meanMs: 70 })
    })

    test('egress by host, where hostname labels are on', () => {
      const hosts = ['a', 'b', 'grpc'].map((name) => callTo(`host ${name}.west.example.com`))
      if (minor === 17 || minor === 20) {
        expect(hosts).toEqual([
          { requests: 300, failures: 0, meanMs: 250 },
          { requests: 200, failures: 12, meanMs: 500 },
          { requests: 66, failures: 6, meanMs: 500 },
        ])
        expect(call('host a.west.example.com')).toMatchObject({ measure: 'full', attempts: 'effective' })
      } else expect(hosts.slice(1)).toEqual([undefined, undefined])
    })

    test('bytes and connections; what only speaks TCP has no requests, what never spoke is not there', () => {
      const pg = inbound('east/data/statefulset:pg')
      expect(at(pg?.total)).toMatchObject({ requests: Number.NaN })
      const tcp = pg?.tcp
      expect(tcp && [tcp.bytesIn, tcp.bytesOut, tcp.openConnections].map((column) => rounded(column[0]))).toEqual([
        300_000 / LOAD_SECONDS,
        1_200_000 / LOAD_SECONDS,
        7,
      ])
      // Up to 2.9 nothing tells the admin port's bytes apart; since, they are left out.
      expect(inbound('east/shop/cart')?.tcp?.bytesIn[0]).toBeCloseTo(120_000 / LOAD_SECONDS, 9)
      expect(inbound('east/data/daemonset:idle')).toBeUndefined()
    })

    test('calls that speak no HTTP: bytes and connections, to a workload as to an address', () => {
      const bytes = (key: string) => {
        const tcp = call(key)?.tcp
        return tcp && [tcp.bytesIn, tcp.bytesOut, tcp.openConnections].map((column) => rounded(column[0]))
      }
      expect(bytes('workload east/data/statefulset:pg')).toEqual([300_000 / LOAD_SECONDS, 1_200_000 / LOAD_SECONDS, 5])
      expect(bytes('address 198.51.100.9:3306')).toEqual([3_000 / LOAD_SECONDS, 6_000 / LOAD_SECONDS, 2])
      expect(callTo('workload east/data/statefulset:pg')).toMatchObject({ requests: Number.NaN })
      expect(call('workload east/data/daemonset:idle')).toBeUndefined()
    })

    test('pods, and the addresses they report as their own', () => {
      expect(seen().pods.get('east/shop/cart')?.[0]).toBe(2)
      expect([...(inbound('east/shop/cart')?.addresses ?? [])].sort()).toEqual(
        minor >= 11 ? ['10.42.0.17', '10.42.0.18'] : [],
      )
    })

    test('ServiceProfile routes: after retries, and each attempt', () => {
      const route = seen().routes.get('east/shop/web outbound cart.shop GET /items')
      expect(at(route?.effective)).toEqual({ requests: 606, failures: 6, meanMs: 20 })
      expect(at(route?.actual)).toMatchObject({ requests: 666, failures: 66 })
      const signals = seen().signals.get('east/shop/web workload east/shop/deployment:cart')
      const retries = (signals?.get('retriesPerSecond')?.[0] ?? 0) * LOAD_SECONDS
      expect(retries).toBeCloseTo(minor >= 16 ? 60 + 30 : 60, 6)
      expect((signals?.get('retryOverflowsPerSecond')?.[0] ?? 0) * LOAD_SECONDS).toBeCloseTo(6, 6)
    })

    if (minor >= 16)
      test('HTTPRoute: after retries, and each attempt', () => {
        const route = seen().routes.get('east/shop/web outbound cart.shop cart-items')
        expect(at(route?.effective)).toMatchObject({ requests: 303, failures: 3 })
        expect(at(route?.actual)).toMatchObject({ requests: 333, failures: 33 })
      })

    if (minor >= 13)
      test('endpoints that a balancer left out', () => {
        const signals = seen().signals.get('east/shop/web workload east/shop/deployment:cart')
        expect([signals?.get('endpointsReady')?.[0], signals?.get('endpointsPending')?.[0]]).toEqual([2, 1])
      })

    if (minor >= 11)
      test('requests that policy turned away', () => {
        const signals = seen().signals.get('east/shop/cart')
        expect((signals?.get('deniedPerSecond')?.[0] ?? 0) * LOAD_SECONDS).toBeCloseTo(12, 6)
        if (minor >= 17) expect((signals?.get('rateLimitedPerSecond')?.[0] ?? 0) * LOAD_SECONDS).toBeCloseTo(18, 6)
      })
  })

  test('the first failures of a series count', async () => {
    const labels = {
      namespace: 'shop',
      deployment: 'web',
      pod: 'web-1',
      instance: '10.0.0.1:4191',
      job: 'mesh',
      direction: 'inbound',
    }
    const atSeconds = await real.write((last) => {
      const ages = Array.from({ length: 17 }, (_, step) => 240 - step * 15)
      const made = (
        name: string,
        more: Record<string, string>,
        counterAt: (age: number) => number | null,
      ): TimeSeries => ({
        labels: { ...labels, ...more, __name__: name },
        samples: ages.flatMap((age) => {
          const value = counterAt(age)
          return value === null ? [] : [{ atMs: (last - age) * 1_000, value }]
        }),
      })
      const failing = (instance: string, counterAt: (age: number) => number | null) =>
        made('response_total', { classification: 'failure', instance }, counterAt)
      return [
        made('up', {}, () => 1),
        made('response_total', { classification: 'success' }, (age) => 6_000 - 10 * age),
        // Three failures, all of them before the first sample that shows them.
        failing('10.0.0.1:4191', (age) => (age <= 30 ? 3 : null)),
        // A target that Prometheus has only just begun to scrape: its counters may be days old.
        made('up', { instance: '10.0.0.2:4191' }, (age) => (age <= 30 ? 1 : null)),
        failing('10.0.0.2:4191', (age) => (age <= 30 ? 90_000 : null)),
        // And one that did not answer for a while: its counters are old, and were only not seen.
        made('up', { instance: '10.0.0.3:4191' }, (age) => (age <= 30 ? 1 : 0)),
        failing('10.0.0.3:4191', (age) => (age <= 30 ? 50_000 : null)),
      ]
    })
    const { inbound } = await real.observeAt(linkerd, atSeconds)
    const flow = flowAt((inbound.get('east/shop/web') as { total: Traffic }).total, 0)
    expect((flow.failuresPerSecond ?? 0) * WINDOW_SECONDS).toBeCloseTo(3, 9)
    expect(flow.requestsPerSecond).toBeCloseTo(10 + 3 / WINDOW_SECONDS, 9)
  })
})
