import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import { flowAt, isCounted, type Traffic } from '../../src/domain/traffic.ts'
import { at } from './counted.ts'
import { type RealPages, startRealPages } from './real-pages.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''
const PAGES = {
  linkerd: ['linkerd/2.20.prom', 'linkerd/2.9.prom'],
  istio: ['istio/1.22-sidecars.prom', 'istio/1.24-ambient.prom', 'istio/1.22-gateway.prom'],
  istio_recorded: ['istio/recorded.prom'],
  envoy: ['envoy/1.31.prom'],
  otel: ['otel/servicegraph.prom', 'otel/servicegraph-legacy.prom', 'otel/spanmetrics-ms.prom', 'otel/tempo.prom'],
  hubble: ['hubble/labels-context.prom', 'hubble/workload-context.prom'],
}
const CASES = Object.entries(PAGES).flatMap(([name, pages]) => pages.map((page) => [name, page] as const))

/** What is asked of a workload on screen and of its past. On CI a missing Prometheus fails the run. */
describe.skipIf(binary === '')('questions by name, by a real Prometheus', () => {
  let real: RealPages
  beforeAll(async () => {
    real = await startRealPages(
      binary,
      CASES.map(([, page]) => page),
    )
  })
  afterAll(() => real?.close())

  test.each(CASES)('%s %s: of each workload the same as when all are asked', async (name, page) => {
    const dialect = dialects.find((one) => one.name === name)
    if (dialect === undefined) throw new Error(name)
    const all = await real.observe(dialect, page)
    const seen = (traffic: Traffic | undefined) => {
      const { histogram } = flowAt(traffic as Traffic, 0)
      return { ...at(traffic), histogram }
    }
    const counted = [...all.inbound.values()].filter(({ total }) => isCounted(total))
    expect(counted.length).toBeGreaterThan(0)
    for (const { workload, total } of counted) {
      const named = await real.observeNamed(dialect, page, [workload])
      const id = [...all.inbound].find(([, inbound]) => inbound.workload === workload)?.[0] ?? ''
      expect(seen(named?.inbound.get(id)?.total), id).toEqual(seen(total))
    }
  })
})
