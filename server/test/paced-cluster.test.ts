import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { Clusters, Fleet } from '../src/contract/index.ts'
import { eventually } from './support/eventually.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { json, startFakePrometheus } from './support/fake-prometheus.ts'
import { startGoldseam } from './support/start-goldseam.ts'

const started: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close()
})

test('a cluster that is left alone for its load says how old its rows are, and when it goes that is seen at once', async () => {
  const mesh = answering(oneWorkload('web'))
  let isDown = false
  const east = await startFakePrometheus(async (asked, response) => {
    if (isDown) return json(response, 500, { status: 'error', errorType: 'internal', error: 'out of order' })
    // What it does not tell itself counts by the time that it took.
    await sleep(20)
    return mesh(asked, response)
  })
  started.push(east)
  const goldseam = await startGoldseam(`log: { level: silent }
refresh: 1s
maxLoad: 0.001
clusters:
  - { name: east, endpoints: [{ url: "${east.url}" }] }
`)
  started.push(goldseam)
  const fleet = async (): Promise<Fleet> => (await goldseam.get('/api/v1/fleet')).body
  const pace = async () => {
    await fleet()
    const { clusters }: Clusters = (await goldseam.get('/api/v1/clusters')).body
    return clusters[0]?.load.refreshSeconds ?? 0
  }
  // Drawn out so far that it would not be asked for anything in the time that is looked at.
  await eventually(async () => expect(await pace()).toBeGreaterThan(14))
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
