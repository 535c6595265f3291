import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hubble } from '../../src/dialects/hubble.ts'
import { otel } from '../../src/dialects/otel.ts'
import { latencyQuantile } from '../../src/domain/latency-histogram.ts'
import type { Observation } from '../../src/domain/observation.ts'
import { flowAt, type Traffic } from '../../src/domain/traffic.ts'
import { at } from './counted.ts'
import { pagesOf, type RealPages, startRealPages } from './real-pages.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''
const PAGES = pagesOf(['otel', 'hubble'])

// On CI a missing Prometheus fails the run: skipped tests count as failures there.
describe.skipIf(binary === '')('otel and hubble, by a real Prometheus', () => {
  let real: RealPages
  const read = new Map<string, Observation>()
  beforeAll(async () => {
    real = await startRealPages(binary, PAGES)
    for (const page of PAGES) {
      read.set(page.replace('.prom', ''), await real.observe(page.startsWith('otel') ? otel : hubble, page))
    }
  })
  afterAll(() => real?.close())

  const of = (page: string) => read.get(page) as Observation
  const inbound = (page: string, id: string) => at(of(page).inbound.get(id)?.total)
  const calls = (page: string) =>
    Object.fromEntries([...of(page).outbound].map(([key, { traffic }]) => [key, at(traffic)]))
  const bucketOf = (page: string, id: string) => {
    const { histogram } = flowAt((of(page).inbound.get(id) as { total: Traffic }).total, 0)
    const p50 = histogram === null ? null : latencyQuantile(0.5, histogram)
    return [p50?.low, p50?.high]
  }

  describe.each(['otel/servicegraph', 'otel/servicegraph-legacy', 'otel/tempo'])('%s', (page) => {
    test('who calls whom, in seconds whatever unit was written', () => {
      expect(calls(page)).toEqual({
        'east/-/web workload east/-/deployment:cart': { requests: 600, failures: 12, meanMs: 30 },
        'east/-/cart unknown postgres': { requests: 900, failures: expect.any(Number), meanMs: 5 },
        'east/-/web unknown queue': { requests: 60, failures: expect.any(Number), meanMs: 10 },
      })
      expect(inbound(page, 'east/-/cart')).toEqual({ requests: 600, failures: 12, meanMs: 20 })
      expect(at(of(page).inbound.get('east/-/web')?.byCaller.get('outside/east/unknown'))).toMatchObject({
        requests: 300,
      })
      expect(of(page).inbound.has('east/-/postgres')).toBe(false)
    })
  })

  test('percentiles in the bucket they were counted in, in seconds', () => {
    expect(bucketOf('otel/servicegraph', 'east/-/cart')).toEqual([0.01, 0.05])
    expect(bucketOf('otel/servicegraph-legacy', 'east/-/cart')).toEqual([0.01, 0.05])
    expect(bucketOf('otel/spanmetrics-ms', 'east/shop/cart')).toEqual([0.01, 0.05])
    expect(bucketOf('otel/spanmetrics-s', 'east/-/cart')).toEqual([0.01, 0.05])
  })

  test('requests of servers by their spans, not those of clients; never twice', () => {
    for (const id of ['east/shop/cart', 'east/shop/mail']) expect(of('otel/spanmetrics-ms').inbound.has(id)).toBe(true)
    expect(inbound('otel/spanmetrics-ms', 'east/shop/cart')).toEqual({ requests: 600, failures: 12, meanMs: 20 })
    expect(inbound('otel/spanmetrics-s', 'east/-/cart')).toEqual({ requests: 600, failures: 12, meanMs: 20 })
    expect(inbound('otel/tempo', 'east/-/mail')).toMatchObject({ requests: 60, meanMs: 500 })
  })

  describe.each(['hubble/labels-context', 'hubble/workload-context'])('%s', (page) => {
    test('servers about what they answer, clients about what they call', () => {
      expect(inbound(page, 'east/shop/cart')).toEqual({
        requests: 660,
        failures: 6,
        meanMs: expect.closeTo(19.090909, 5),
      })
      expect(calls(page)['east/shop/web workload east/shop/deployment:cart']).toEqual({
        requests: 600,
        failures: 12,
        meanMs: 30,
      })
      expect(bucketOf(page, 'east/shop/cart')).toEqual([0.025, 0.05])
    })

    test('whom nobody names is a node', () => {
      const callers = of(page).inbound.get('east/shop/cart')?.byCaller
      expect(at(callers?.get('outside/east/unknown'))).toMatchObject({ requests: 60 })
      const outside = page.endsWith('workload-context') ? 'host api.example.com' : 'unknown unknown'
      expect(calls(page)[`east/shop/web ${outside}`]).toMatchObject({ requests: 120, meanMs: 200 })
    })
  })
})
