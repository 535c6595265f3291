import { expect, test } from 'vitest'
import { observationsOf } from '../domain/latency-histogram.ts'
import { flowNow, requestsAt } from '../domain/traffic.ts'
import { asksForBuckets, asksForRequests, READER_AT, readerOver } from './reader-over.fixture.ts'

/** A cluster that the load cap leaves alone for so many seconds at least. */
async function resting(atLeastSeconds: number) {
  const answers = { requestsPerSecond: 10, to: (promql: string) => (asksForBuckets(promql) ? 0 : 20) }
  const over = readerOver(answers)
  await over.read(60)
  for (let refresh = 0; (over.reader.lanes.cap.restsForSeconds ?? 0) < atLeastSeconds; refresh += 1) {
    if (refresh > 20) throw new Error('it is asked all along')
    // Soon enough that the fast lane is asked by itself.
    over.clock.seconds += over.reader.lanes.pace.refreshSeconds
    await over.read(60)
  }
  return { ...over, answers }
}

test('percentiles that come while a cluster is left alone are shown, with their own age', async () => {
  const { reader, read, readingOf, clock, answers, signal } = await resting(40)
  const readAt = clock.seconds
  clock.seconds = readAt + 10
  const before = await read(60)
  expect(before.summary).toMatchObject({ ageSeconds: 10 })
  expect(before.summary.percentilesAgeSeconds).toBeGreaterThan(10)
  answers.requestsPerSecond = 7
  clock.seconds = readAt + 15
  await reader.lanes.refreshSlow(readingOf(60), signal)
  clock.seconds = readAt + 20
  const { summary, view } = await read(60)
  expect(summary).toMatchObject({ ageSeconds: 20, percentilesAgeSeconds: 5 })
  const totals = Array.from(view.now?.inbound.values() ?? [], ({ total }) => total)
  expect(totals.map((total) => requestsAt(total, 0))).toEqual([10])
  expect(totals.map((total) => observationsOf(flowNow(total).histogram ?? expect.fail('none')))).toEqual([7])
})

test('a clock that is set back does not leave a cluster alone until it has caught up', async () => {
  const { read, clock, answers } = await resting(20)
  clock.seconds += 5
  expect((await read(60)).summary.ageSeconds).toBe(5)
  clock.seconds -= 3_600
  answers.requestsPerSecond = 7
  const { summary, view } = await read(60)
  expect(summary.ageSeconds).toBe(0)
  expect([...(view.now?.inbound.values() ?? [])].map(({ total }) => requestsAt(total, 0))).toEqual([7])
})

test('a rest that is hardly longer than a refresh is taken too', async () => {
  const over = readerOver({ requestsPerSecond: 10, to: (promql) => (asksForRequests(promql) ? 12 : 0) })
  const told = new Set<number>()
  for (let refresh = 0; refresh <= 60; refresh += 1) {
    over.clock.seconds = READER_AT + 10 * refresh
    const { summary } = await over.read(60)
    told.add(over.clock.seconds - (summary.ageSeconds ?? Number.NaN))
  }
  expect(over.reader.lanes.cap.restsForSeconds).toBe(12)
  // The first two tell what it costs; from then on 12 s of 12 s each.
  expect(told.size).toBe(2 + Math.floor(590 / 12))
})
