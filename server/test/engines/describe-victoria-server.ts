import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Clusters, Fleet } from '../../src/contract/index.ts'
import { eventually } from '../support/eventually.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'
import { type RealPrometheus, startPrometheus } from '../support/start-prometheus.ts'
import { startSteadyMesh } from '../support/steady-mesh.ts'
import { clientOf } from './ours.ts'
import { startVictoria, type Victoria, writeInto } from './start-victoria.ts'
import { askDirectly } from './theirs.ts'

const AT_MOST_MS = 220_000
/** Of the pages' first and second workload. */
const RATES = { 'east/shop/web': 20, 'east/shop/api': 27, 'west/shop/pay': 20, 'south/shop/stock': 20 }

/** The whole server over a VictoriaMetrics that holds two clusters, one of a third, and a Prometheus of a fourth. */
export function describeVictoriaServer(binary: string, prometheusBinary: string): void {
  describe('clusters in a real VictoriaMetrics', { timeout: AT_MOST_MS }, () => {
    const closing: (() => Promise<unknown>)[] = []
    let many: Victoria
    let own: Victoria
    let goldseam: StartedGoldseam
    const kept = <T extends { close(): Promise<unknown> }>(one: T): T => {
      closing.unshift(() => one.close())
      return one
    }
    const fleet = async () => (await goldseam.get('/api/v1/fleet')).body as Fleet
    const states = ({ clusters }: Fleet) => Object.fromEntries(clusters.map(({ name, state }) => [name, state]))
    const ALL_OK = { east: 'ok', west: 'ok', north: 'ok', south: 'ok' }

    beforeAll(async () => {
      const page = async (workloads: readonly string[]) => kept(await startSteadyMesh(workloads)).port
      const ports = { east: await page(['web', 'api']), west: await page(['pay']) }
      const scrape = (port: number, labels: string) =>
        `  - { job_name: m${port}, scrape_interval: 1s, static_configs: [{ targets: ['127.0.0.1:${port}'], labels: ${labels} }] }`
      const both = Object.entries(ports).map(([cluster, port]) => scrape(port, `{ cluster: ${cluster} }`))
      const [south, north] = [scrape(await page(['stock']), '{}'), scrape(await page(['books']), '{}')]
      many = kept(await startVictoria(binary, { scrapes: both.join('\n') }))
      // Left to itself it hides the last hour: whatever is seen of it was asked for as it has to be.
      own = kept(await startVictoria(binary, { scrapes: south, flags: ['-search.latencyOffset=1h'] }))
      const prometheus: RealPrometheus = kept(await startPrometheus(prometheusBinary, `scrape_configs:\n${north}\n`))
      const listed = { north: prometheus.url, south: own.url }
      const clusters = Object.entries(listed).map(([name, url]) => `{ name: ${name}, endpoints: [{ url: "${url}" }] }`)
      goldseam = kept(
        await startGoldseam(`refresh: 1s
maxLoad: 64
log: { level: silent }
limits: { lastGoodFor: 30s }
clusters: [${clusters.join(', ')}]
discover: [{ url: "${many.url}" }]`),
      )
    })
    afterAll(async () => {
      for (const close of closing) await close()
    })

    test('are found by their label, with rates, success and percentiles; so is one in a server of its own', async () => {
      await eventually(async () => {
        const answer = await fleet()
        expect(states(answer)).toEqual(ALL_OK)
        expect(answer.gaps).toEqual([])
        for (const [id, rate] of Object.entries(RATES)) {
          const { now } = answer.workloads.find((row) => row.id === id) ?? expect.fail(id)
          expect(Math.abs((now.requestsPerSecond ?? 0) - rate), id).toBeLessThan(rate / 10)
          expect(now.successRatio, id).toBe(1)
          expect(now.latencySeconds.mean, id).toBeCloseTo(0.012, 3)
          expect(now.latencySeconds.p50, id).toBeGreaterThan(0.001)
          expect(now.latencySeconds.p99, id).toBeLessThanOrEqual(0.1)
        }
      })
      const { clusters } = (await goldseam.get('/api/v1/clusters')).body as Clusters
      const told = clusters.map(({ name, discoveredAt, scrapeIntervalSeconds }) => [
        name,
        discoveredAt,
        scrapeIntervalSeconds,
      ])
      expect(told).toContainEqual(['east', many.url, 1])
      expect(told).toContainEqual(['south', null, 1])
    })

    test('the instants asked for are those answered, from the first question on', async () => {
      const now = Math.floor(Date.now() / 1_000)
      const samples = [1, 2].map((value) => ({ atMs: (now - 41 + 20 * value) * 1_000, value }))
      await writeInto(own.url, [{ labels: { __name__: 'fresh' }, samples }])
      expect(await askDirectly(own.url, 'fresh', now)).toEqual([])
      const asked = async <T>(ask: (client: ReturnType<typeof clientOf>, signal: AbortSignal) => Promise<T>) => {
        const client = clientOf('south', [own.url])
        return ask(client, AbortSignal.timeout(AT_MOST_MS)).finally(() => client.close())
      }
      const instant = await asked((client, signal) => client.query('fresh', now, signal))
      expect([...instant.data].map(({ value }) => value)).toEqual([2])
      expect(instant.evalSeconds).toBeGreaterThanOrEqual(0)
      const fields = [['query', 'fresh'] as const, ['time', `${now}`] as const]
      const question = { path: '/api/v1/query', method: 'POST', fields, timeoutSeconds: null } as const
      const forwarded = await asked((client, signal) => client.forward(question, signal))
      expect(forwarded).toMatchObject({ state: 'answered', data: { result: [{ value: [now, '2'] }] } })
      // As many steps as it would move to multiples of seven seconds, the newest of which it would fill with older ones.
      const range = { fromSeconds: now - 700 - 0.5, toSeconds: now - 0.5, stepSeconds: 7 }
      const { data } = await asked((client, signal) => client.queryRange('fresh or vector(0)', range, signal))
      // Of one name or none: it makes one series of both.
      const [series] = data
      expect([...(series?.values ?? [])].filter((value) => !Number.isNaN(value))).toHaveLength(101)
      expect(series?.values.at(-1)).toBe(2)
      const overTime = [
        ['query', 'fresh or vector(0)'],
        ['start', `${range.fromSeconds}`],
        ['end', `${range.toSeconds}`],
        ['step', '7'],
      ] as const
      const asItCame = await asked((client, signal) =>
        client.forward({ ...question, path: '/api/v1/query_range', fields: overTime }, signal),
      )
      const { result } = JSON.parse(JSON.stringify('data' in asItCame ? asItCame.data : null))
      expect(result[0].values.map(([at]: [number, string]) => at)).toEqual(
        Array.from({ length: 101 }, (_, step) => range.fromSeconds + 7 * step),
      )
    })

    test('the read API answers of each, whole where one server has all, and refuses in words of Prometheus', async () => {
      const read = async (query: string) =>
        goldseam.get(`/prometheus/api/v1/query?${new URLSearchParams({ query, time: `${Date.now() / 1_000}` })}`)
      const rows = (await read('count by (cluster) (response_total)')) as {
        body: { data: { result: { metric: { cluster: string }; value: [number, string] }[] } }
      }
      const counts = rows.body.data.result.map(({ metric, value }) => [metric.cluster, value[1]])
      expect(Object.fromEntries(counts)).toEqual({ east: '2', west: '1', south: '1', north: '1' })
      const whole = await read('sum(count_over_time(up{cluster=~"east|west"}[1h])) > bool 0')
      expect(whole.body).toMatchObject({ data: { result: [{ metric: {}, value: [expect.any(Number), '1'] }] } })
      const refusal = await read('label_replace(up{cluster="south"}, "a", "$1", "job", "(")')
      expect(refusal).toMatchObject({
        status: 422,
        body: { status: 'error', errorType: 'execution', error: expect.stringContaining('cannot compile regex') },
      })
    })

    test('replicas that it was left to add up are told, by cluster', async () => {
      const now = Date.now()
      const target = (cluster: string, replica: string) => ({
        labels: { __name__: 'up', job: 'replicated', instance: 'one', cluster, replica },
        samples: [{ atMs: now, value: 1 }],
      })
      await writeInto(many.url, [target('east', 'a'), target('east', 'b'), target('west', 'a')])
      const one = await startGoldseam(
        `refresh: 1s\nlog: { level: silent }\ndiscover: [{ url: "${many.url}", replicaLabels: [replica] }]`,
      )
      try {
        const { gaps } = (await one.get('/api/v1/fleet')).body as Fleet
        const told = gaps.filter(({ why }) => why === 'counted more than once')
        expect(told.map(({ cluster, detail }) => [cluster, detail])).toEqual([
          [new URL(many.url).host, expect.stringContaining('counts each replica of east;')],
        ])
      } finally {
        await one.close()
      }
    })

    test('it is killed: a gap for each of its clusters with the cause, the others stay; back, with all of them', async () => {
      const host = new URL(many.url).host
      await many.kill()
      await eventually(async () => {
        const answer = await fleet()
        expect(states(answer)).toEqual({ ...ALL_OK, east: 'stale', west: 'stale' })
        for (const cluster of ['east', 'west'])
          expect(answer.gaps).toContainEqual(
            expect.objectContaining({ cluster, why: 'unreachable', detail: expect.stringContaining(host) }),
          )
        expect(answer.workloads.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(RATES)))
        expect(answer.gaps.filter(({ cluster }) => ['north', 'south'].includes(cluster))).toEqual([])
      })
      await many.restart()
      await eventually(async () => {
        const answer = await fleet()
        expect(states(answer)).toEqual(ALL_OK)
        expect(answer.gaps).toEqual([])
      })
    })
  })
}
