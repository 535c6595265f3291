import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Clusters, Fleet, Topology, WorkloadDetail } from '../../src/contract/index.ts'
import { remoteWrite } from '../engines/remote-write.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'
import { type RealPrometheus, startPrometheus } from '../support/start-prometheus.ts'
import { LOAD_SECONDS, parseExposition, underLoad } from './exposition.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''
const page = (name: string) =>
  parseExposition(readFileSync(new URL(`../../src/dialects/fixtures/${name}.prom`, import.meta.url), 'utf8'))

// On CI a missing Prometheus fails the run: skipped tests count as failures there.
describe.skipIf(binary === '')('whole answers over several meshes, by real Prometheus servers', () => {
  const started: RealPrometheus[] = []
  let goldseam: StartedGoldseam
  const atSeconds = Math.floor(Date.now() / 5_000) * 5 - 30
  const get = async <T>(path: string): Promise<T> => {
    const { status, body } = await goldseam.get(`/api/v1/${path}?to=${atSeconds}&from=${atSeconds - 60}&window=1m`)
    expect(status, path).toBe(200)
    return body
  }

  beforeAll(async () => {
    const clusters = {
      mixed: ['linkerd/2.20', 'otel/spanmetrics-ms', 'envoy/1.31'],
      east: ['istio/1.22-sidecars'],
    }
    const lines: string[] = []
    for (const [name, pages] of Object.entries(clusters)) {
      const prometheus = await startPrometheus(binary, 'global: {}\n')
      started.push(prometheus)
      await remoteWrite(prometheus.url, underLoad(pages.flatMap(page), atSeconds))
      lines.push(`  - { name: ${name}, endpoints: [{ url: "${prometheus.url}" }] }`)
    }
    goldseam = await startGoldseam(`clusters:\n${lines.join('\n')}\nlog: { level: silent }\n`)
  })
  afterAll(async () => {
    await goldseam?.close()
    await Promise.all(started.map((prometheus) => prometheus.close()))
  })

  test('the dialects of each cluster, how many workloads each shows, and what it cannot tell', async () => {
    const { clusters } = await get<Clusters>('clusters')
    const shown = Object.fromEntries(
      clusters.map(({ name, meshes }) => [name, meshes.map((mesh) => [mesh.name, mesh.workloads, mesh.alsoSeen])]),
    )
    expect(shown).toEqual({
      // Traces know cart too; linkerd, the richer one, is shown. Mail only they know.
      mixed: [
        ['linkerd', 5, 0],
        ['envoy', 1, 0],
        ['otel', 1, 1],
      ],
      // Four workloads, and the gateway.
      east: [['istio', 5, 0]],
    })
    for (const { meshes } of clusters) for (const { limits } of meshes) expect(limits.length).toBeGreaterThan(0)
  })

  test('a workload that two dialects see counts once; samples are lower bounds, TCP is no 0 per second', async () => {
    const { workloads } = await get<Fleet>('fleet')
    const row = (id: string) => workloads.find((one) => one.id === id)
    expect(workloads.filter(({ cluster, name }) => cluster === 'mixed' && name === 'cart')).toHaveLength(1)
    expect(row('mixed/shop/cart')).toMatchObject({ seenBy: ['linkerd', 'otel'], rateIs: 'exact', successIs: 'exact' })
    expect(row('mixed/shop/cart')?.now.requestsPerSecond).toBeCloseTo(2_340 / LOAD_SECONDS, 9)
    expect(row('mixed/shop/mail')).toMatchObject({ seenBy: ['otel'], rateIs: 'atLeast', successIs: 'atLeast' })
    expect(row('mixed/edge/gateway')).toMatchObject({ seenBy: ['envoy'], successIs: 'atLeast' })
    const pg = row('mixed/data/statefulset:pg')
    expect(pg).toMatchObject({ truths: { requestsPerSecond: 'neverSeen' }, now: { requestsPerSecond: null } })
    expect(pg?.tcp).toEqual({
      bytesPerSecondIn: expect.closeTo(500, 6),
      bytesPerSecondOut: expect.closeTo(2_000, 6),
      openConnections: 7,
    })
    expect(pg?.notes).toContain('no requests are counted, only bytes and connections')
  })

  test('calls in which no requests are seen are told by bytes and connections, and who answers them by labels alone', async () => {
    const { edges, unresolved } = await get<Topology>('topology')
    const tcp = edges.filter(({ from, caller }) => from === 'mixed/shop/web' && caller === null)
    expect(tcp.map(({ to, confidence, tcp: bytes }) => [to, confidence, bytes])).toEqual([
      [
        'mixed/data/statefulset:pg',
        'solid',
        {
          bytesPerSecondIn: expect.closeTo(500, 6),
          bytesPerSecondOut: expect.closeTo(2_000, 6),
          openConnections: 5,
        },
      ],
      ['outside/mixed/198.51.100.9:3306', 'solid', expect.objectContaining({ openConnections: 2 })],
    ])
    expect(unresolved.find(({ destination }) => destination === '198.51.100.9:3306')).toMatchObject({
      requestsPerSecond: null,
    })
  })

  test('calls of a mesh of several primaries cross as solid seams; whom nobody names is a node', async () => {
    const { edges, nodes } = await get<Topology>('topology')
    const edge = (from: string, to: string) => edges.find((one) => one.from === from && one.to === to)
    expect(edge('east/shop/web', 'west/shop/api')).toMatchObject({ seam: true, confidence: 'solid', rule: 'labels' })
    expect(edge('west/shop/front', 'east/shop/cart')).toMatchObject({ seam: true, seenFrom: 'callee', caller: null })
    expect(edge('outside/east/unknown', 'east/shop/cart')?.callee?.requestsPerSecond).toBeCloseTo(60 / LOAD_SECONDS, 9)
    expect(nodes.find(({ id }) => id === 'outside/east/PassthroughCluster')).toMatchObject({ kind: 'outside' })
    const inside = edge('east/shop/web', 'east/shop/cart')
    // After retries at the caller, each attempt at the callee: told, and told what that does to the time in between.
    expect(inside).toMatchObject({
      caller: { attempts: 'effective' },
      callee: { attempts: 'each' },
      calleeMean: 'caller',
    })
    expect(inside?.notes.join()).toContain('upper bound')
  })

  test('a workload’s page: its mesh’s limits, its routes after retries and by attempt, what else is counted', async () => {
    const { limits, routes, workload } = await get<WorkloadDetail>('workloads/mixed/edge/gateway')
    expect(limits.map(({ about }) => about)).toContain('latency')
    const cart = routes.find(({ service, direction }) => service === 'shop/cart/8080' && direction === 'outbound')
    expect(cart?.effective.failuresPerSecond).toBeCloseTo(12 / LOAD_SECONDS, 9)
    expect(cart?.actual?.failuresPerSecond).toBeCloseTo(60 / LOAD_SECONDS, 9)
    expect(workload.signals.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['untimedPerSecond', 'workerUnevenness']),
    )
  })
})
