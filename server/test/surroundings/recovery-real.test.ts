import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fleet } from '../../src/contract/index.ts'
import { remoteWrite, type TimeSeries } from '../engines/remote-write.ts'
import { eventually } from '../support/eventually.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'
import { type RealPrometheus, startPrometheus } from '../support/start-prometheus.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''
const STEP_SECONDS = 15
const PER_SECOND = 20

/** Minutes of calm, of an incident, and of calm again, up to now. */
const MINUTES = [60, 10, 3] as const
const [, SLOW, AFTER] = MINUTES

/** Counters of one place, where each request takes `usual` seconds, and `slow` seconds more during the incident. */
function counted(labels: Record<string, string>, usual: number, slow: number, nowSeconds: number): TimeSeries[] {
  const steps = MINUTES.flatMap((minutes, part) =>
    Array.from({ length: (minutes * 60) / STEP_SECONDS }, () => (part === 1 ? usual + slow : usual)),
  )
  const counter = (name: string, perRequest: (seconds: number) => number): TimeSeries => {
    let value = 0
    const samples = steps.map((seconds, step) => {
      value += perRequest(seconds) * PER_SECOND * STEP_SECONDS
      return { atMs: Math.round((nowSeconds - (steps.length - 1 - step) * STEP_SECONDS) * 1_000), value }
    })
    const pod = `${labels.deployment}-5d8f9c7b6-x2x4q`
    return { labels: { job: 'linkerd-proxy', instance: '10.0.0.1:4191', pod, ...labels, __name__: name }, samples }
  }
  const answered = counter('response_total', () => 1)
  return [
    { ...answered, labels: { ...answered.labels, classification: 'success' } },
    counter('response_latency_ms_count', () => 1),
    counter('response_latency_ms_sum', (seconds) => seconds * 1_000),
  ]
}

// On CI a missing Prometheus fails the run: skipped tests count as failures there.
describe.skipIf(binary === '')('an incident that is over, in a real Prometheus', () => {
  let server: RealPrometheus
  let goldseam: StartedGoldseam
  const now = Math.floor(Date.now() / 1_000)
  /** Eight minutes into it. */
  const during = now - (AFTER + SLOW - 8) * 60

  beforeAll(async () => {
    server = await startPrometheus(binary, 'global: { scrape_interval: 15s }\n')
    const shop = { namespace: 'shop' }
    await remoteWrite(server.url, [
      ...counted({ ...shop, deployment: 'x', direction: 'inbound' }, 0.1, 2, now),
      ...counted({ ...shop, deployment: 'd', direction: 'inbound' }, 0.02, 2, now),
      ...counted(
        { ...shop, deployment: 'x', direction: 'outbound', dst_deployment: 'd', dst_namespace: 'shop' },
        0.021,
        2,
        now,
      ),
    ])
    goldseam = await startGoldseam(`log: { level: silent }
clusters:
  - { name: west, endpoints: [{ url: "${server.url}" }] }
`)
  })
  afterAll(() => Promise.all([goldseam.close(), server.close()]))

  const at = async (seconds: number): Promise<Fleet> => (await goldseam.get(`/api/v1/fleet?to=${seconds}`)).body
  /** A busy machine may answer in part at first. */
  const toldAt = (seconds: number, expected: object) =>
    eventually(async () => {
      const { verdict, workloads } = await at(seconds)
      const { form, suspect, text } = verdict
      const told = { form, suspect, text, notes: workloads.find(({ id }) => id === 'west/shop/d')?.notes }
      expect(told).toMatchObject(expected)
      return told
    })

  test('its link still names who it was, while by now the row only says since when it recovers', async () => {
    const before = await toldAt(during, {
      form: 'suspect',
      suspect: 'west/shop/d',
      notes: [],
      text: expect.stringContaining('shop/x (west) is slow because of shop/d (west)'),
    })
    const since = expect.stringMatching(/^recovering since \d\d:\d\d UTC$/)
    await toldAt(now, { form: 'quiet', suspect: null, notes: [since] })
    await toldAt(during, before)
  })
})
