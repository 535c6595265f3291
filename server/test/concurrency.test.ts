import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { Fleet } from '../src/contract/index.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { type Answering, startFakePrometheus } from './support/fake-prometheus.ts'
import { startGoldseam } from './support/start-goldseam.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const WAITS_FOR_OTHERS_MS = 1_000
const NAMES = ['east', 'west', 'north', 'south']

/** The most questions that were under way at once, at each of four clusters and at all of them. */
async function mostAtOnce(
  limits: string,
  expected: { readonly each?: number; readonly all?: number },
): Promise<{ each: number[]; all: number; fleet: Fleet }> {
  const under = NAMES.map(() => ({ now: 0, most: 0 }))
  const all = { now: 0, most: 0 }
  const fakes = await Promise.all(
    under.map((cluster, index) => {
      const answer = answering(oneWorkload(`web-${index}`, 10))
      const counted: Answering = async (asked, response) => {
        // Its configuration and its version are one question, asked once.
        if (!/\/query(_range)?$/.test(asked.path)) return answer(asked, response)
        for (const count of [cluster, all]) count.most = Math.max(count.most, ++count.now)
        // Until those have come that are to, though not for ever, and a little longer, in which one too many would.
        const untilMs = performance.now() + WAITS_FOR_OTHERS_MS
        const isFull = () => cluster.most >= (expected.each ?? 1) && all.most >= (expected.all ?? 1)
        while (!isFull() && performance.now() < untilMs) await sleep(5)
        await sleep(20)
        for (const count of [cluster, all]) count.now -= 1
        await answer(asked, response)
      }
      return startFakePrometheus(counted)
    }),
  )
  const clusters = NAMES.map((name, index) => `  - { name: ${name}, endpoints: [{ url: "${fakes[index]?.url}" }] }`)
  const goldseam = await startGoldseam(`log: { level: silent }\nlimits: ${limits}\nclusters:\n${clusters.join('\n')}\n`)
  closing.push(goldseam.close, ...fakes.map((fake) => fake.close))
  const { body } = await goldseam.get('/api/v1/fleet')
  return { each: under.map(({ most }) => most), all: all.most, fleet: body as Fleet }
}

test('limits.concurrency bounds what is asked of all clusters together', async () => {
  const { all, each, fleet } = await mostAtOnce('{ concurrency: 3 }', { all: 3 })
  expect(all).toBe(3)
  expect(Math.max(...each)).toBeLessThanOrEqual(3)
  expect(fleet.clusters.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok'])
})

test('where it is wide each cluster is asked as many questions at once as its endpoint takes', async () => {
  const { all, each } = await mostAtOnce('{ concurrency: 100 }', { each: 4 })
  expect(each).toEqual([4, 4, 4, 4])
  expect(all).toBeGreaterThan(4)
})
