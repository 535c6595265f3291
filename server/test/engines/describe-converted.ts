import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fleet } from '../../src/contract/index.ts'
import { eventually } from '../support/eventually.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'
import { type RealPrometheus, startPrometheus } from '../support/start-prometheus.ts'
import type { Engines } from './find-engines.ts'
import { type Page, startPage } from './page.ts'

const WINDOW_SECONDS = 15
const SCRAPE_SECONDS = 0.5

/** The whole way: one page, scraped as it is in `east`, converted to native histograms in `west`. */
export function describeConverted(engines: Engines): void {
  describe('a scrape that converts classic histograms', () => {
    let page: Page
    let servers: RealPrometheus[] = []
    let goldseam: StartedGoldseam
    let fleet: Fleet

    beforeAll(async () => {
      page = await startPage()
      const config = (
        convert: boolean,
      ) => `global: { scrape_interval: ${SCRAPE_SECONDS * 1_000}ms, scrape_timeout: ${SCRAPE_SECONDS * 1_000}ms }
scrape_configs:
${page.scrapes.replace('job_name', `convert_classic_histograms_to_nhcb: ${convert}, job_name`)}
`
      const start = (convert: boolean) => startPrometheus(engines.prometheus3, config(convert))
      servers = await Promise.all([start(false), start(true)])
      const scraped = async ({ url }: RealPrometheus) => {
        const found = await (await fetch(`${url}/api/v1/query?query=count_over_time(response_total[30s]) > 4`)).json()
        expect((found as { data: { result: unknown[] } }).data.result).toHaveLength(1)
      }
      await eventually(() => Promise.all(servers.map(scraped)))
      goldseam = await startGoldseam(`log: { level: silent }
clusters:
  - { name: east, endpoints: [{ url: "${servers[0]?.url}" }] }
  - { name: west, endpoints: [{ url: "${servers[1]?.url}" }] }
`)
      // The lag: the instant that is shown has to be one with samples before it.
      await eventually(async () => {
        fleet = (await goldseam.get(`/api/v1/fleet?window=${WINDOW_SECONDS}s&group=name`)).body
        expect(fleet.workloads.map(({ now }) => now.latencySeconds.p999)).toEqual([
          expect.any(Number),
          expect.any(Number),
        ])
        // Rates of two windows that are not full are drawn out each in its own way.
        const time = String(Date.parse(fleet.snapshot.at) / 1_000)
        for (const { url } of servers) {
          const query = new URLSearchParams({ query: `count_over_time(response_total[${WINDOW_SECONDS}s])`, time })
          const answer = (await (await fetch(`${url}/api/v1/query?${query}`)).json()) as {
            data: { result: { value: [number, string] }[] }
          }
          expect(Number(answer.data.result[0]?.value[1])).toBeGreaterThan((0.95 * WINDOW_SECONDS) / SCRAPE_SECONDS)
        }
      })
    })
    afterAll(async () => {
      await goldseam?.close()
      for (const server of servers) await server.close()
      page?.close()
    })

    const workload = (cluster: string) => fleet.workloads.find((one) => one.cluster === cluster)

    test('holds no classic buckets, and Goldseam reads the same percentiles', async () => {
      const classic = await fetch(`${servers[1]?.url}/api/v1/query?query=response_latency_ms_bucket`)
      expect(((await classic.json()) as { data: { result: unknown[] } }).data.result).toEqual([])
      const [east, west] = [workload('east'), workload('west')]
      expect(west?.bounds).toEqual(east?.bounds)
      expect(west?.truths).toEqual(east?.truths)
      for (const name of ['mean', 'p50', 'p95', 'p99', 'p999'] as const) {
        const [classically, natively] = [east?.now.latencySeconds[name] ?? 0, west?.now.latencySeconds[name] ?? 0]
        expect(natively / classically, name).toBeCloseTo(1, 1)
      }
      expect(fleet.gaps).toEqual([])
    })

    test('its past is read as well', () => {
      expect(workload('west')?.trend.p99Seconds.some((value) => value !== null)).toBe(true)
    })

    test('both as one workload: counts are added, percentiles merged without loss', () => {
      const [east, west] = [workload('east'), workload('west')]
      const [group, ...more] = fleet.groups ?? []
      expect(more).toEqual([])
      expect(group).toMatchObject({
        name: 'page',
        clusters: ['east', 'west'],
        lostBoundsSeconds: [],
        bounds: east?.bounds,
      })
      const sum = (east?.now.requestsPerSecond ?? 0) + (west?.now.requestsPerSecond ?? 0)
      // Answers are written with twelve significant digits.
      expect((group?.now.requestsPerSecond ?? 0) / sum).toBeCloseTo(1, 9)
      const p99s = [east, west].map((one) => one?.now.latencySeconds.p99 ?? 0)
      expect(group?.now.latencySeconds.p99).toBeGreaterThanOrEqual(Math.min(...p99s))
      expect(group?.now.latencySeconds.p99).toBeLessThanOrEqual(Math.max(...p99s))
    })
  })
}
