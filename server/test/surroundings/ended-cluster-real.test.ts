import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fleet } from '../../src/contract/index.ts'
import { findEngines } from '../engines/find-engines.ts'
import { remoteWrite, type TimeSeries } from '../engines/remote-write.ts'
import { startVictoria, writeInto } from '../engines/start-victoria.ts'
import { eventually } from '../support/eventually.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'
import { startPrometheus } from '../support/start-prometheus.ts'

const prometheus = process.env.PROMETHEUS_BIN ?? ''
const found = findEngines(process.env)
const victoria = 'missing' in found ? null : found.victoriaMetrics
const STEP_SECONDS = 15
const PER_SECOND = 20
const AT_MOST_MS = 120_000

/** Counters of one workload of a cluster, from half an hour ago until so many seconds from now. */
function counted(cluster: string, nowSeconds: number, untilSeconds: number, isScraped: boolean): TimeSeries[] {
  const steps = Array.from({ length: Math.floor((1_800 + untilSeconds) / STEP_SECONDS) + 1 }, (_, step) => step)
  const series = (name: string, labels: Record<string, string>, value: (step: number) => number): TimeSeries => ({
    labels: { __name__: name, cluster, job: 'linkerd-proxy', instance: '10.0.0.1:4191', ...labels },
    samples: steps.map((step) => ({
      atMs: (nowSeconds - 1_800 + step * STEP_SECONDS) * 1_000,
      value: value(step),
    })),
  })
  const inbound = { direction: 'inbound', namespace: 'shop', deployment: 'web', pod: 'web-5d8f9c7b6-x2x4q' }
  const requests = (step: number) => step * STEP_SECONDS * PER_SECOND
  return [
    series('response_total', { ...inbound, classification: 'success' }, requests),
    series('response_latency_ms_count', inbound, requests),
    series('response_latency_ms_sum', inbound, (step) => requests(step) * 12),
    ...(isScraped ? [series('up', {}, () => 1)] : []),
  ]
}

const engines = [
  ...(prometheus === ''
    ? []
    : [
        {
          name: 'Prometheus',
          start: () => startPrometheus(prometheus, 'global: { scrape_interval: 15s }\n'),
          write: remoteWrite,
        },
      ]),
  ...(victoria === null ? [] : [{ name: 'VictoriaMetrics', start: () => startVictoria(victoria), write: writeInto }]),
]

// On CI a missing Prometheus fails the run: skipped tests count as failures there.
describe.skipIf(engines.length === 0)('clusters that write into one store', () => {
  describe.each(engines)('a real $name', { timeout: AT_MOST_MS }, ({ start, write }) => {
    const now = Math.floor(Date.now() / 1_000)
    let server: { readonly url: string; close(): Promise<void> }
    let goldseam: StartedGoldseam
    const fleet = async (query = '') => (await goldseam.get(`/api/v1/fleet${query}`)).body as Fleet
    const stateOf = ({ clusters }: Fleet, name: string) => clusters.find((cluster) => cluster.name === name)

    beforeAll(async () => {
      server = await start()
      // Longer ago than anybody finds a series by an instant.
      const ended = -400
      await write(server.url, [
        ...counted('east', now, 300, true),
        ...counted('west', now, ended, true),
        ...counted('pushed', now, ended, false),
      ])
      goldseam = await startGoldseam(`log: { level: silent }
refresh: 1s
maxLoad: 64
discover: [{ url: "${server.url}" }]`)
    }, AT_MOST_MS)
    afterAll(async () => {
      await goldseam?.close()
      await server?.close()
    })

    test('one that ended is down though its label is still there, and nothing is quiet', async () => {
      const reason = expect.stringMatching(/no longer holds cluster="west": no target of it is scraped any more/)
      await eventually(async () => {
        const answer = await fleet()
        expect(stateOf(answer, 'west')).toMatchObject({ state: 'down', reason })
        expect(stateOf(answer, 'east')).toMatchObject({ state: 'ok', workloads: 1 })
        expect(answer.verdict.form).not.toBe('quiet')
      })
    })

    test('one that never had targets is quiet, as far as anybody can tell', async () => {
      await eventually(async () => expect(stateOf(await fleet(), 'pushed')).toMatchObject({ state: 'ok' }))
    })

    test('what it was before can still be looked at', async () => {
      await eventually(async () => {
        const answer = await fleet(`?to=${now - 900}&from=${now - 960}`)
        expect(stateOf(answer, 'west')).toMatchObject({ state: 'ok', workloads: 1 })
        const row = answer.workloads.find(({ cluster }) => cluster === 'west')
        expect(row?.now.requestsPerSecond).toBeCloseTo(PER_SECOND, 1)
      })
    })
  })
})
