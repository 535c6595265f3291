import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { Clusters, Fleet } from '../src/contract/index.ts'
import { eventually } from './support/eventually.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { type FakePrometheus, json, startFakePrometheus } from './support/fake-prometheus.ts'
import { type StartedGoldseam, startGoldseam } from './support/start-goldseam.ts'

const started: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close()
})

async function startOver(east: FakePrometheus, settings: readonly string[]): Promise<StartedGoldseam> {
  started.push(east)
  const cluster = `clusters: [{ name: east, endpoints: [{ url: "${east.url}" }] }]`
  const goldseam = await startGoldseam(['log: { level: silent }', ...settings, cluster].join('\n'))
  started.push(goldseam)
  return goldseam
}

/** Looks once, and gives how often the cluster may be asked since. */
async function lookFor(goldseam: StartedGoldseam): Promise<Clusters['clusters'][number]['load']> {
  await goldseam.get('/api/v1/fleet')
  const { clusters }: Clusters = (await goldseam.get('/api/v1/clusters')).body
  return clusters[0]?.load ?? expect.fail('no cluster')
}

test('a cluster that is left alone for its load says how old its rows are, and when it goes that is seen at once', async () => {
  const mesh = answering(oneWorkload('web'))
  let isDown = false
  const east = await startFakePrometheus(async (asked, response) => {
    if (isDown) return json(response, 500, { status: 'error', errorType: 'internal', error: 'out of order' })
    // What it does not tell itself counts by the time that it took.
    await sleep(20)
    return mesh(asked, response)
  })
  const goldseam = await startOver(east, ['refresh: 1s', 'maxLoad: 0.001'])
  const fleet = async (): Promise<Fleet> => (await goldseam.get('/api/v1/fleet')).body
  // Drawn out so far that it would not be asked for anything in the time that is looked at.
  await eventually(async () => expect((await lookFor(goldseam)).refreshSeconds).toBeGreaterThan(14))
  await eventually(async () => {
    const { clusters, workloads } = await fleet()
    expect(clusters[0]?.state).toBe('ok')
    expect(clusters[0]?.ageSeconds).toBeGreaterThanOrEqual(5)
    expect(workloads[0]?.truth).toBe('lowSample')
    expect(workloads[0]?.ageSeconds).toBe(clusters[0]?.ageSeconds)
  })
  isDown = true
  const untold = new Set<string>()
  await eventually(async () => {
    const { snapshot, clusters, gaps } = await fleet()
    if (clusters[0]?.state === 'ok') untold.add(snapshot.id)
    expect(clusters[0]?.state).toBe('stale')
    expect(gaps).toContainEqual(
      expect.objectContaining({ what: 'everything', detail: expect.stringContaining('out of order') }),
    )
  })
  // The one there was, and one that was under way.
  expect(untold.size).toBeLessThanOrEqual(2)
}, 150_000)

test('where snapshots take longer than a refresh percentiles come with every third of them at most, and it is told', async () => {
  const mesh = answering(oneWorkload('web'))
  let takesMs = 1_500
  const east = await startFakePrometheus(async (asked, response) => {
    await sleep(takesMs)
    return mesh(asked, response)
  })
  const limits = 'limits: { queryTimeout: 30s, softDeadline: 30s }'
  const goldseam = await startOver(east, ['refresh: 1s', 'bucketRefresh: 2s', 'maxLoad: 64', limits])
  await eventually(async () => {
    const { stretched, refreshSeconds, bucketRefreshSeconds } = await lookFor(goldseam)
    expect(stretched).toMatch(
      /^percentiles every \d s \(bucketRefresh: 2 s\), because snapshots take \d s \(refresh: 1 s\)$/,
    )
    expect(refreshSeconds).toBe(1)
    expect(bucketRefreshSeconds).toBeGreaterThan(2)
  })
  takesMs = 0
  await eventually(async () => expect((await lookFor(goldseam)).stretched).toBeNull())
}, 60_000)

test('a spell of slow answers is over with the first quick one, also for who looks now and then', async () => {
  const mesh = answering(oneWorkload('web'))
  let takesMs = 600
  const east = await startFakePrometheus(async (asked, response) => {
    await sleep(takesMs)
    return mesh(asked, response)
  })
  const goldseam = await startOver(east, ['refresh: 1s', 'bucketRefresh: 2s', 'maxLoad: 0.2'])
  const slow = await eventually(async () => {
    const told = await lookFor(goldseam)
    expect(told.refreshSeconds).toBeGreaterThan(12)
    return told
  })
  takesMs = 0
  // So far apart that both lanes are asked with each look.
  const intervalMs = 1_000 * (3 * slow.bucketRefreshSeconds + 2)
  await eventually(async () => expect((await lookFor(goldseam)).refreshSeconds).toBeLessThan(8), {
    intervalMs,
    timeoutMs: 3 * intervalMs,
  })
}, 300_000)

test('the past is read once, and draws nothing out', async () => {
  const mesh = answering(oneWorkload('web'))
  let [begun, ended] = [0, 0]
  const east = await startFakePrometheus(async (asked, response) => {
    const lengthSeconds = Number(asked.fields.get('end')) - Number(asked.fields.get('start'))
    if (!asked.path.endsWith('/query_range') || lengthSeconds < 600) return mesh(asked, response)
    begun += 1
    await sleep(3_000)
    ended += 1
    return mesh(asked, response)
  })
  const goldseam = await startOver(east, ['refresh: 1s', 'maxLoad: 8'])
  const paces: number[] = []
  let looksSince = 0
  await eventually(async () => {
    paces.push((await lookFor(goldseam)).refreshSeconds)
    looksSince = ended > 3 && ended === begun ? looksSince + 1 : 0
    // Long enough that what is asked one after the other is over, and two refreshes with it.
    expect(looksSince).toBeGreaterThan(12)
  })
  expect(new Set(paces)).toEqual(new Set([1]))
}, 150_000)
