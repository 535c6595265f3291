import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { Clusters, Fleet } from '../src/contract/index.ts'
import { eventually } from './support/eventually.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { type Answering, json, startFakePrometheus } from './support/fake-prometheus.ts'
import { startGoldseam } from './support/start-goldseam.ts'

const started: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close()
})

async function startOver(answers: Answering, settings: readonly string[]) {
  const east = await startFakePrometheus(answers)
  started.push(east)
  const cluster = `clusters: [{ name: east, endpoints: [{ url: "${east.url}" }] }]`
  const goldseam = await startGoldseam(['log: { level: silent }', ...settings, cluster].join('\n'))
  started.push(goldseam)
  const fleet = async (query = ''): Promise<Fleet> => (await goldseam.get(`/api/v1/fleet${query}`)).body
  const load = async () => ((await goldseam.get('/api/v1/clusters')).body as Clusters).clusters[0]?.load
  return { fleet, load }
}

const REFUSED = { status: 'error', errorType: 'execution', error: 'query processing would load too many samples' }
/** It refuses this question each time. */
const refusing =
  (fragment: string, mesh: Answering): Answering =>
  (asked, response) =>
    asked.path.endsWith('/query') && asked.fields.get('query')?.includes(fragment)
      ? json(response, 422, REFUSED)
      : mesh(asked, response)

test('a cluster that refuses one question each time is left alone for its load, and says all along what it refuses', async () => {
  const asked = new Set<string>()
  const mesh = refusing('response_latency_ms_sum{direction="inbound"', answering(oneWorkload('web')))
  const { fleet, load } = await startOver(
    async (question, response) => {
      if (question.path.endsWith('/query')) asked.add(question.fields.get('time') ?? '')
      await sleep(20)
      return mesh(question, response)
    },
    ['refresh: 1s', 'maxLoad: 0.001'],
  )
  await eventually(async () => {
    await fleet()
    expect((await load())?.refreshSeconds).toBeGreaterThan(14)
  })
  await eventually(async () => {
    const { clusters, workloads, gaps } = await fleet()
    expect(clusters[0]).toMatchObject({ state: 'partial' })
    expect(clusters[0]?.ageSeconds).toBeGreaterThanOrEqual(10)
    expect(workloads[0]?.ageSeconds).toBe(clusters[0]?.ageSeconds)
    expect(gaps).toContainEqual(expect.objectContaining({ cluster: 'east', why: 'rejected' }))
  })
}, 300_000)

test('a cluster that refused one question each time and then falls silent is shown as it was', async () => {
  const mesh = refusing('response_latency_ms_sum{direction="inbound"', answering(oneWorkload('web')))
  let isDown = false
  const { fleet } = await startOver(
    (asked, response) => (isDown ? void response.destroy() : mesh(asked, response)),
    ['refresh: 1s'],
  )
  const before = new Set<string>()
  await eventually(async () => {
    const { snapshot, workloads } = await fleet()
    expect(workloads[0]?.now.requestsPerSecond).toBe(10)
    before.add(snapshot.id)
    expect(before.size).toBeGreaterThan(2)
  })
  isDown = true
  await eventually(async () => {
    const { clusters, workloads } = await fleet()
    expect(clusters[0]).toMatchObject({ state: 'stale' })
    expect(workloads[0]?.now.requestsPerSecond).toBe(10)
  })
}, 300_000)

test('who looks at another rate window does not take the load cap or the last good values from others', async () => {
  const mesh = answering(oneWorkload('web'))
  let isDown = false
  const { fleet, load } = await startOver(
    async (asked, response) => {
      if (isDown) return void response.destroy()
      await sleep(20)
      return mesh(asked, response)
    },
    ['refresh: 1s', 'maxLoad: 0.001'],
  )
  const windows = ['', '?window=5m']
  await eventually(async () => {
    for (const window of windows) await fleet(window)
    expect((await load())?.refreshSeconds).toBeGreaterThan(14)
  })
  for (const window of windows) {
    await eventually(async () => {
      const { clusters } = await fleet(window)
      for (const other of windows) await fleet(other)
      expect(clusters[0]?.ageSeconds).toBeGreaterThanOrEqual(10)
    })
  }
  isDown = true
  for (const window of windows) {
    await eventually(async () => {
      const { clusters, workloads } = await fleet(window)
      expect(clusters[0]).toMatchObject({ state: 'stale' })
      expect(workloads[0]?.now.requestsPerSecond).toBe(10)
    })
  }
}, 300_000)
