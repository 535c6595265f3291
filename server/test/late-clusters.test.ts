import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { Fleet } from '../src/contract/index.ts'
import { eventually } from './support/eventually.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { startFakePrometheus } from './support/fake-prometheus.ts'
import { startGoldseam } from './support/start-goldseam.ts'

const started: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close()
})

/** A cluster whose instants take so long; its past is worth waiting for, and takes longer than another one is late. */
async function startLate(name: string, takesMs: number): Promise<string> {
  const mesh = answering(oneWorkload('web'))
  const one = await startFakePrometheus(async (asked, response) => {
    if (asked.path.endsWith('/query')) await sleep(takesMs)
    if (asked.path.endsWith('/query_range')) await sleep(600)
    return mesh(asked, response)
  })
  started.push(one)
  return `  - { name: ${name}, endpoints: [{ url: "${one.url}" }] }`
}

test('clusters that come in late, one while the past of the other is asked for, are all shown before the next refresh', async () => {
  const clusters = [await startLate('east', 450), await startLate('west', 480), await startLate('north', 0)]
  const settings = 'log: { level: silent }\nrefresh: 60s\nlimits: { softDeadline: 300ms }'
  const goldseam = await startGoldseam(`${settings}\nclusters:\n${clusters.join('\n')}\n`)
  started.push(goldseam)
  const fleet = async (): Promise<Fleet> => (await goldseam.get('/api/v1/fleet')).body
  const first = await fleet()
  await eventually(async () => {
    const { clusters: told, snapshot } = await fleet()
    expect(snapshot.at).toBe(first.snapshot.at)
    expect(told.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok'])
  })
}, 300_000)
