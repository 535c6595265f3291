import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { freePorts } from '../../../scripts/free-ports.mjs'
import type { Fleet, Topology, WorkloadDetail } from '../../src/contract/index.ts'
import { eventually } from '../support/eventually.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'
import { type RealPrometheus, startPrometheus } from '../support/start-prometheus.ts'
import { bootstrap } from './envoy-config.ts'
import { type App, ask, type Counted, load, startApp } from './load.ts'
import { findEnvoy, type RealEnvoy, startEnvoy } from './start-envoy.ts'

const prometheusBinary = process.env.PROMETHEUS_BIN ?? ''
const envoyBinary = findEnvoy(process.env)
/** Where set-up has run, an Envoy that is missing is a failure. */
const expected = process.env.CI === 'true' && process.env.GOLDSEAM_EXPECT_ENGINES === '1'
const WINDOW_SECONDS = 60
const SCRAPE_SECONDS = 1
/** Instants that are shown are whole multiples of it. */
const ALIGN_SECONDS = 5
const DOWNSTREAM = 'envoy_http_downstream_rq_xx'
const GATEWAY = 'east/edge/gateway'
const CART = 'east/shop/cart'
const KINDS = ['/ok', '/fails', '/flaky', '/slow', '/narrow', '/pool'] as const
type Kind = (typeof KINDS)[number]
/** The least that a request of each kind takes: what its servers wait, as often as it is tried. */
const LEAST_MS: Record<Kind, number> = {
  '/ok': 30,
  '/fails': 30,
  '/flaky': 60,
  '/slow': 2_050,
  '/narrow': 0,
  '/pool': 0,
}
/** A timer may fire this much too soon. */
const TIMER_MS = 2
/** Counts of the two sides may differ by so much of all. */
const RANK_OFF = 0.04

// Not skipped but not there: a skipped test is a failure on CI, and not every machine has Python.
test('an Envoy is here where it is expected', () => {
  if (envoyBinary === null) process.stderr.write('not run: a real Envoy (npm run setup:engines)\n')
  if (expected) expect(envoyBinary).not.toBeNull()
})

/**
 * The edge sends to a sidecar before the cart, and to two clusters of its own; the cart calls the stock through its
 * sidecar, which is told to keep names with dots whole. Everything is a real process or a real server; what is asked for is counted by whoever asks.
 */
describe.skipIf(prometheusBinary === '').each(envoyBinary === null ? [] : [envoyBinary])(
  '%s, as edge and as sidecar',
  (envoyBinary) => {
    const closing: (() => unknown)[] = []
    const counted = new Map<Kind, Counted>()
    let cart: App
    let stock: App
    let before: ReturnType<typeof tally>
    let fleet: Fleet
    let topology: Topology
    let gateway: WorkloadDetail
    const extrapolated = new Map<string, number>()

    const tally = () => ({
      answered: new Map(cart.answered),
      failed: new Map(cart.failed),
      stock: sum(stock.answered.values()),
    })

    beforeAll(async () => {
      const [edgePort = 0, edgeAdmin = 0, inPort = 0, outPort = 0, sideAdmin = 0] = await freePorts(5)
      const seen = new Set<string>()
      stock = await startApp(async () => 200)
      cart = await startApp(async (path, id) => {
        if (path === '/ok') await ask(outPort, '/stock')
        await sleep(path === '/slow' ? 5_000 : 30)
        if (path === '/fails') return 500
        if (path !== '/flaky' || seen.has(id)) return 200
        seen.add(id)
        return 503
      })
      const narrow = await startApp(async () => {
        await sleep(30)
        return 200
      })
      const [good, bad] = [await startApp(async () => 200), await startApp(async () => 500)]
      closing.push(...[stock, cart, narrow, good, bad].map((app) => app.close))

      const name = (service: string) => `shop/${service}/8080`
      const edge = bootstrap({
        adminPort: edgeAdmin,
        listeners: [
          {
            port: edgePort,
            statPrefix: 'ingress_http',
            routes: [
              { prefix: '/flaky', cluster: name('cart'), retries: true },
              { prefix: '/slow', cluster: name('cart'), timeoutSeconds: 2.05 },
              { prefix: '/narrow', cluster: name('narrow') },
              { prefix: '/pool', cluster: name('pool') },
              { prefix: '/', cluster: name('cart') },
            ],
          },
        ],
        clusters: [
          { name: name('cart'), ports: [inPort] },
          { name: name('narrow'), ports: [narrow.port], maxRequests: 1 },
          { name: name('pool'), ports: [good.port, bad.port], ejectAfter: 4 },
        ],
      })
      const dotted = 'stock.shop.svc.cluster.local'
      const sidecar = bootstrap({
        more: parse(readFileSync(new URL('../../../deploy/envoy/stats.yaml', import.meta.url), 'utf8')),
        adminPort: sideAdmin,
        listeners: [
          { port: inPort, statPrefix: 'ingress_http', routes: [{ prefix: '/', cluster: 'local_app' }] },
          { port: outPort, statPrefix: 'egress_http', routes: [{ prefix: '/', cluster: dotted }] },
        ],
        clusters: [
          { name: 'local_app', ports: [cart.port] },
          { name: dotted, ports: [stock.port] },
        ],
      })
      const envoys: RealEnvoy[] = await Promise.all([
        startEnvoy(envoyBinary, edgeAdmin, edge),
        startEnvoy(envoyBinary, sideAdmin, sidecar),
      ])
      closing.push(...envoys.map(({ close }) => close))
      // Every series there will be exists before the first scrape: of one that is born later the first increase is lost.
      for (const kind of KINDS) await Promise.all([ask(edgePort, kind), ask(edgePort, kind), ask(edgePort, kind)])
      // Times are flushed by a page of the admin, which may still be without them: these would count as new later.
      await eventually(async () => {
        const page = await (await fetch(`http://127.0.0.1:${edgeAdmin}/stats/prometheus`)).text()
        const timed = /^envoy_http_downstream_rq_time_count\{envoy_http_conn_manager_prefix="ingress_http"\} (\d+)/m
        expect(Number(timed.exec(page)?.[1])).toBe(3 * KINDS.length)
      })

      const prometheus: RealPrometheus = await startPrometheus(prometheusBinary, scrapes(edgeAdmin, sideAdmin))
      closing.push(prometheus.close)
      const total = `sum by (app) (${DOWNSTREAM}{envoy_http_conn_manager_prefix="ingress_http"})`
      const first = await until(prometheus.url, total, (values) => values.size === 2)
      before = tally()
      const amounts: Record<Kind, [requests: number, atOnce: number]> = {
        '/ok': [120, 4],
        '/fails': [12, 1],
        '/flaky': [20, 1],
        '/slow': [6, 2],
        '/narrow': [24, 3],
        '/pool': [24, 1],
      }
      await Promise.all(KINDS.map(async (kind) => counted.set(kind, await load(edgePort, kind, ...amounts[kind]))))
      const asked = sum([...counted.values()].map(({ requests }) => requests))
      const timed = total.replace(DOWNSTREAM, 'envoy_http_downstream_rq_time_count')
      for (const count of [total, timed]) {
        await until(prometheus.url, count, (values) => values.get('gateway') === (first.get('gateway') ?? 0) + asked)
      }
      const atSeconds = await scrapedInstant(prometheus.url)

      for (const app of ['gateway', 'cart']) {
        const matrix = `${DOWNSTREAM}{app="${app}"}[${WINDOW_SECONDS}s]`
        extrapolated.set(app, await extrapolation(prometheus.url, matrix, atSeconds))
      }

      const url = JSON.stringify(prometheus.url)
      const goldseam: StartedGoldseam = await startGoldseam(
        `clusters: [{ name: east, endpoints: [{ url: ${url} }] }]\nlog: { level: silent }\n`,
      )
      closing.push(goldseam.close)
      const get = async <T>(path: string): Promise<T> =>
        (await goldseam.get(`/api/v1/${path}?to=${atSeconds}&window=${WINDOW_SECONDS}s`)).body
      fleet = await get<Fleet>('fleet')
      topology = await get<Topology>('topology')
      gateway = await get<WorkloadDetail>(`workloads/${GATEWAY}`)
    })
    afterAll(async () => {
      for (const close of closing.reverse()) await close()
    })

    const of = (kind: Kind) => counted.get(kind) as Counted
    const row = (id: string) => fleet.workloads.find((one) => one.id === id)
    const edgeTo = (from: string, to: string) => topology.edges.find((one) => one.from === from && one.to === to)
    const signalsOf = (edge: Topology['edges'][number] | undefined) =>
      new Map(edge?.signals.map(({ name, value }) => [name as string, value]))
    /** A rate over the window, as the number of requests that were counted. */
    const closeTo = (perSecond: number | null | undefined, count: number, app = 'gateway') => {
      const requests = ((perSecond ?? Number.NaN) * WINDOW_SECONDS) / (extrapolated.get(app) ?? Number.NaN)
      expect(requests).toBeGreaterThan(count * 0.95)
      expect(requests).toBeLessThan(count * 1.05)
    }
    const all = () => [...counted.values()]

    test('what arrives at the edge: requests, failures, and how long they took', () => {
      const seen = row(GATEWAY)
      expect(seen).toMatchObject({ seenBy: ['envoy'] })
      const [requests, failures] = [sum(all().map((one) => one.requests)), sum(all().map((one) => one.failures))]
      closeTo(seen?.now.requestsPerSecond, requests)
      expect(seen?.now.successRatio).toBeCloseTo(1 - failures / requests, 2)
      const took = all()
        .flatMap(({ tookMs }) => tookMs)
        .sort((a, b) => a - b)
      const meanMs = sum(took) / took.length
      const latency = seen?.now.latencySeconds
      // The generator's clock runs longer than the proxy's, which runs longer than its servers wait.
      const least = KINDS.flatMap((kind) =>
        Array<number>(of(kind).requests).fill(Math.max(0, LEAST_MS[kind] - TIMER_MS)),
      )
      least.sort((a, b) => a - b)
      expect((latency?.mean ?? 0) * 1_000).toBeGreaterThan(sum(least) / least.length)
      // Envoy adds up the middles of its bins, up to a tenth wide (two digits), and counts may differ by a twentieth.
      expect((latency?.mean ?? 0) * 1_000).toBeLessThan(1.1 * meanMs)
      for (const [name, part] of [
        ['p50', 0.5],
        ['p95', 0.95],
      ] as const) {
        const [low, high] = seen?.bounds?.[name] ?? [Number.NaN, Number.NaN]
        // Kinds lie far apart, and counts may differ by a twentieth: so may the place where one kind ends.
        const theirs = (took[Math.floor((part + RANK_OFF) * took.length)] ?? Number.NaN) / 1_000
        expect(theirs, name).toBeGreaterThan(low)
        const shortest = (least[Math.floor((part - RANK_OFF) * least.length)] ?? Number.NaN) / 1_000
        expect(shortest, name).toBeLessThan(high ?? Number.POSITIVE_INFINITY)
      }
    })

    test('what comes of all attempts, and every attempt', () => {
      const route = gateway.routes.find(
        ({ service, direction }) => service === 'shop/cart/8080' && direction === 'outbound',
      )
      const kinds = (['/ok', '/fails', '/flaky', '/slow'] as const).map(of)
      closeTo(route?.effective.requestsPerSecond, sum(kinds.map((one) => one.requests)))
      closeTo(route?.effective.failuresPerSecond, of('/fails').failures + of('/slow').failures)
      // Each flaky one failed once, unseen by who asked.
      expect(of('/flaky').failures).toBe(0)
      closeTo(route?.actual?.failuresPerSecond, of('/fails').failures + of('/slow').failures + of('/flaky').requests)
      const signals = signalsOf(edgeTo(GATEWAY, CART))
      closeTo(signals.get('retriesPerSecond'), of('/flaky').requests)
      closeTo(signals.get('retrySuccessesPerSecond'), of('/flaky').requests)
    })

    test('timeouts stand beside a latency that has none of them', () => {
      const edge = edgeTo(GATEWAY, CART)
      closeTo(signalsOf(edge).get('timeoutsPerSecond'), of('/slow').requests)
      closeTo(signalsOf(edge).get('untimedPerSecond'), of('/slow').requests)
      expect(edge?.notes).toContainEqual(expect.stringMatching(/^[345] % of these calls timed out or were reset/))
      const p99 = edge?.caller?.latencySeconds.p99 ?? 0
      expect(Math.max(...of('/slow').tookMs)).toBeGreaterThan(1_900)
      expect(p99).toBeLessThan(1.9)
    })

    test('a breaker that turned requests away, and what is left of it now', () => {
      const { overloaded, failures } = of('/narrow')
      expect(overloaded).toBeGreaterThan(0)
      expect(failures).toBe(overloaded)
      const signals = signalsOf(edgeTo(GATEWAY, 'outside/east/shop/narrow'))
      closeTo(signals.get('overflowsPerSecond'), overloaded)
      expect(signals.get('breakerHeadroom')).toBe(1)
      expect(signals.get('breakersOpen') ?? 0).toBe(0)
    })

    test('members: one of two is ejected', () => {
      expect(of('/pool').failures).toBeGreaterThan(0)
      const signals = signalsOf(edgeTo(GATEWAY, 'outside/east/shop/pool'))
      expect(['endpointsReady', 'endpointsPending', 'hostsEjected'].map((name) => signals.get(name))).toEqual([1, 1, 1])
    })

    test('beside an application: what it answers is its own, what it sends are its calls', () => {
      const answers = sum(cart.answered.values()) - sum(before.answered.values())
      const failures = sum(cart.failed.values()) - sum(before.failed.values())
      const seen = row(CART)
      closeTo(seen?.now.requestsPerSecond, answers, 'cart')
      expect(seen?.now.successRatio).toBeCloseTo(1 - failures / answers, 2)
      const calls = topology.edges.filter(({ from }) => from === CART)
      expect(calls.map(({ to }) => to)).toEqual(['outside/east/shop/stock'])
      closeTo(calls[0]?.caller?.requestsPerSecond, sum(stock.answered.values()) - before.stock, 'cart')
    })
  },
)

/**
 * By how much Prometheus' rate() enlarges what was counted: a window that begins before the first sample is taken to
 * reach half a scrape before it, and one that ends soon after the last to reach its end (promql/functions.go).
 */
async function extrapolation(url: string, matrix: string, atSeconds: number): Promise<number> {
  const query = new URLSearchParams({ query: matrix, time: `${atSeconds}` })
  const answer = (await (await fetch(`${url}/api/v1/query?${query}`)).json()) as {
    data: { result: { values: [number, string][] }[] }
  }
  const instants = (answer.data.result[0]?.values ?? []).map(([at]) => at)
  const [first = Number.NaN, last = Number.NaN] = [instants[0], instants.at(-1)]
  const scrapeSeconds = (last - first) / (instants.length - 1)
  const after = atSeconds - last
  const ahead = after < 1.1 * scrapeSeconds ? after : scrapeSeconds / 2
  return (last - first + scrapeSeconds / 2 + ahead) / (last - first)
}

function scrapes(edgeAdmin: number, sideAdmin: number): string {
  const target = (port: number, namespace: string, app: string) =>
    `      - { targets: ["127.0.0.1:${port}"], labels: { namespace: ${namespace}, app: ${app}, pod: ${app}-0 } }\n`
  return `scrape_configs:
  - job_name: envoy
    metrics_path: /stats/prometheus
    scrape_interval: ${SCRAPE_SECONDS}s
    scrape_timeout: ${SCRAPE_SECONDS}s
    static_configs:
${target(edgeAdmin, 'edge', 'gateway')}${target(sideAdmin, 'shop', 'cart')}`
}

/**
 * The next instant that can be shown and has a scrape of both just before it. Of a target whose last scrape was not
 * over in time there is nothing at such an instant: then the one after it.
 */
async function scrapedInstant(url: string): Promise<number> {
  for (let atSeconds = Math.ceil(Date.now() / 1_000 / ALIGN_SECONDS) * ALIGN_SECONDS; ; atSeconds += ALIGN_SECONDS) {
    // By then every scrape that began before it is over.
    await sleep(Math.max(0, (atSeconds + SCRAPE_SECONDS) * 1_000 - Date.now() + 300))
    const up = await byApp(url, { query: 'up', time: `${atSeconds}` })
    if (up.size === 2 && [...up.values()].every((value) => value === 1)) return atSeconds
  }
}

/** Asks until the answer, by `app`, is what it is waited for. */
async function until(
  url: string,
  promql: string,
  holds: (values: ReadonlyMap<string, number>) => boolean,
): Promise<ReadonlyMap<string, number>> {
  for (;;) {
    const values = await byApp(url, { query: promql })
    if (holds(values)) return values
    await sleep(100)
  }
}

async function byApp(url: string, asked: Record<string, string>): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${url}/api/v1/query?${new URLSearchParams(asked)}`)
  const { data } = (await response.json()) as {
    data: { result: { metric: { app: string }; value: [number, string] }[] }
  }
  return new Map(data.result.map(({ metric, value }) => [metric.app, Number(value[1])]))
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((a, b) => a + b, 0)
}
