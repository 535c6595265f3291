import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { envoy } from '../../src/dialects/envoy.ts'
import type { Observation } from '../../src/domain/observation.ts'
import type { SignalName } from '../../src/domain/signals.ts'
import { flowAt, type Traffic } from '../../src/domain/traffic.ts'
import { at, rounded } from './counted.ts'
import { LOAD_SECONDS } from './exposition.ts'
import { pagesOf, type RealPages, startRealPages } from './real-pages.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''
const PAGES = pagesOf(['envoy'])
const OTHERS = ['istio/1.22-proxy-stats.prom']
const GATEWAY = 'east/edge/gateway'
const CART = `${GATEWAY} service east/shop/cart`

// Two proxies show the same page: counters add up, limits are those of one process.
// On CI a missing Prometheus fails the run: skipped tests count as failures there.
describe.skipIf(binary === '')('envoy, by a real Prometheus', () => {
  let real: RealPages
  const read = new Map<string, Observation>()
  beforeAll(async () => {
    real = await startRealPages(binary, [...PAGES, ...OTHERS])
    for (const page of PAGES) read.set(page, await real.observe(envoy, page))
  })
  afterAll(() => real?.close())

  describe.each(PAGES)('%s', (page) => {
    const seen = () => read.get(page) as Observation
    const gauge = (key: string, name: SignalName) => rounded(seen().signals.get(key)?.get(name)?.[0])
    const count = (key: string, name: SignalName) => rounded(gauge(key, name) * LOAD_SECONDS)
    const tracked = page.includes('1.31')

    test('what arrives, a connection manager each, without scrapes', () => {
      expect(at(seen().inbound.get(GATEWAY)?.total)).toEqual({ requests: 1_800, failures: 24, meanMs: 60 })
      const listener = (name: string) => at(seen().routes.get(`${GATEWAY} inbound ${name} listener`)?.effective)
      expect(listener('ingress_http')).toEqual({ requests: 1_200, failures: 24, meanMs: 80 })
      expect(listener('internal')).toEqual({ requests: 600, failures: 0, meanMs: 20 })
      expect(seen().pods.get(GATEWAY)?.[0]).toBe(2)
    })

    test('what is sent, a cluster each: what came of all attempts, and every attempt', () => {
      const calls = [...seen().outbound].map(([key, { traffic }]) => [key.slice(GATEWAY.length + 1), at(traffic)])
      expect(Object.fromEntries(calls)).toEqual({
        'service east/shop/cart': { requests: 1_152, failures: 12, meanMs: 60 },
        'host api.example.com': { requests: 240, failures: 0, meanMs: 200 },
        'unknown payments': { requests: 120, failures: 0, meanMs: 40 },
      })
      const route = seen().routes.get(`${GATEWAY} outbound shop/cart/8080 cluster`)
      expect(at(route?.effective)).toMatchObject({ requests: 1_152, failures: 12 })
      expect(at(route?.actual)).toMatchObject({ requests: 1_200, failures: 60 })
      expect(seen().outbound.get(CART)).toMatchObject({ measure: 'full', attempts: 'effective' })
      expect(flowAt((seen().outbound.get(CART) as { traffic: Traffic }).traffic, 0).histogram).toMatchObject({
        upperBounds: { length: 20 },
      })
    })

    test('what no latency shows', () => {
      expect(count(CART, 'timeoutsPerSecond')).toBe(36)
      expect(count(CART, 'resetsPerSecond')).toBe(18)
      expect(count(CART, 'untimedPerSecond')).toBe(54)
      expect(count(GATEWAY, 'untimedPerSecond')).toBe(18)
      expect(count(CART, 'connectFailuresPerSecond')).toBe(12)
      expect([count(CART, 'retriesPerSecond'), count(CART, 'retrySuccessesPerSecond')]).toEqual([48, 36])
      expect(count(CART, 'retryOverflowsPerSecond')).toBe(12)
    })

    test('circuit breakers: open, how much is left, what was turned away', () => {
      expect(gauge(CART, 'breakersOpen')).toBe(1)
      expect(gauge(CART, 'breakerHeadroom')).toBe(tracked ? 64 / 320 : 0.75)
      expect(count(CART, 'overflowsPerSecond')).toBe(30)
    })

    test('members, ejections, panic, uneven endpoints where they are counted', () => {
      expect([gauge(CART, 'endpointsReady'), gauge(CART, 'endpointsPending')]).toEqual([3, 2])
      expect(gauge(CART, 'hostsEjected')).toBe(2)
      expect(count(CART, 'panicsPerSecond')).toBe(12)
      expect(gauge(CART, 'endpointUnevenness')).toEqual(tracked ? 2 : Number.NaN)
    })

    test('connections of each worker, by whichever name; a quiet listener is not uneven', () => {
      expect(gauge(GATEWAY, 'workerUnevenness')).toBe(rounded(300 / 140))
    })
  })

  test("the Envoys of Istio's sidecars, which have other labels, are nobody's proxies here", async () => {
    const seen = await real.observe(envoy, 'istio/1.22-proxy-stats.prom')
    expect([seen.inbound.size, seen.outbound.size, seen.signals.size]).toEqual([0, 0, 0])
  })
})
