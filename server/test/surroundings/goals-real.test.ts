import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GoalRow, WorkloadDetail } from '../../src/contract/index.ts'
import { remoteWrite } from '../engines/remote-write.ts'
import { eventually } from '../support/eventually.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'
import { type RealPrometheus, startPrometheus } from '../support/start-prometheus.ts'
import { shopSeries } from './shop.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''
const HOURS = 2.1

// On CI a missing Prometheus fails the run: skipped tests count as failures there.
describe.skipIf(binary === '')('goals against a real Prometheus', () => {
  let real: RealPrometheus
  let goldseam: StartedGoldseam

  beforeAll(async () => {
    real = await startPrometheus(binary, 'global: { scrape_interval: 15s }\n')
    // Beyond the end of the tests: whenever they look, something was counted just now.
    const until = Date.now() / 1_000 + 300
    await remoteWrite(real.url, [
      ...shopSeries('cart', { perSecond: 20, failedShare: 0.02, slowShare: 0.05 }, HOURS, until),
      ...shopSeries('tax', { perSecond: 20, failedShare: 0, slowShare: 0 }, HOURS, until),
    ])
    goldseam = await startGoldseam(`log: { level: silent }
refresh: 1s
maxLoad: 64
clusters: [{ name: east, endpoints: [{ url: "${real.url}" }] }]
goals:
  - { workload: "*/shop/*", success: 99.9%, latency: { p99: 500ms } }
  - { workload: east/shop/cart, minimumRate: 100 }
`)
  })
  afterAll(() => Promise.all([goldseam.close(), real.close()]))

  const goalsOf = async (name: string, query = ''): Promise<GoalRow[]> => {
    const { body } = await goldseam.get(`/api/v1/workloads/east/shop/${name}${query}`)
    return (body as WorkloadDetail).goals
  }
  const burnsOf = (rows: readonly GoalRow[], measure: GoalRow['measure']) =>
    rows.find((row) => row.measure === measure)?.budget?.burns ?? []

  test('burn rates of every window are what was counted, and fire', async () => {
    const rows = await eventually(async () => {
      const found = await goalsOf('cart')
      const burns = found.flatMap(({ budget }) => budget?.burns ?? [])
      expect(burns.length > 0 && burns.every(({ firing }) => firing !== null)).toBe(true)
      expect(found[0]?.budget?.spentRatio).not.toBeNull()
      return found
    })
    expect(rows.map(({ measure, verdict }) => `${measure} ${verdict}`)).toEqual([
      'successRatio missed',
      'p99 missed',
      'requestsPerSecond missed',
    ])
    // 2 % of 0.1 % that may fail, 5 % of 1 % that may be slow: in each window the same.
    for (const { longRate, shortRate, firing } of burnsOf(rows, 'successRatio')) {
      expect([longRate, shortRate]).toEqual([expect.closeTo(20, 6), expect.closeTo(20, 6)])
      expect(firing).toBe(true)
    }
    const latency = burnsOf(rows, 'p99')
    for (const { longRate } of latency) expect(longRate).toBeCloseTo(5, 6)
    expect(latency.map(({ firing }) => firing)).toEqual([false, false, true])
    // Whatever is known of the period burnt at twenty times the pace.
    const budget = rows[0]?.budget
    expect(budget?.spentRatio).toBeCloseTo((20 * (budget?.knownSeconds ?? 0)) / 2_592_000, 6)
    const { body } = await goldseam.get('/api/v1/fleet')
    const health = (body as { workloads: { id: string; health: string; notes: string[] }[] }).workloads
    expect(health.map(({ id, health: how }) => [id, how])).toEqual([
      ['east/shop/cart', 'crit'],
      ['east/shop/tax', 'ok'],
    ])
    expect(health[0]?.notes[0]).toBe('success 98 % (goal 99.9 %); its error budget burns 20 times too fast')
  })

  test('a link into the past has the burn rates of then, without the budget', async () => {
    const rows = await goalsOf('cart', `?from=now-90m&to=${new Date(Date.now() - 3_600_000).toISOString()}`)
    const [burn] = burnsOf(rows, 'successRatio')
    expect(burn).toMatchObject({ longRate: expect.closeTo(20, 6), firing: true })
    expect(rows[0]?.budget?.spentRatio).toBeNull()
  })
})
