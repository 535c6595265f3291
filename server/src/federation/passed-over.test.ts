import { expect, test } from 'vitest'
import { asksForRequests, readerOver } from './reader-over.fixture.ts'

/** How often the past of requests was asked for with each of twelve snapshots that lie so far apart. */
async function askedBy(apartSeconds: number, bucketsWithRates = false): Promise<number[]> {
  let ranges = 0
  const answers = {
    requestsPerSecond: 10,
    to(promql: string, isRange: boolean) {
      if (isRange && asksForRequests(promql)) ranges += 1
      return 0.01
    },
  }
  const bucketRefreshSeconds = 3 * apartSeconds
  const { read, clock } = readerOver(answers, { refreshSeconds: apartSeconds, bucketRefreshSeconds, bucketsWithRates })
  await (await read(60)).past?.ask()
  expect(ranges).toBeGreaterThan(0)
  const asked: number[] = []
  for (let snapshot = 0; snapshot < 12; snapshot += 1) {
    clock.seconds += apartSeconds
    ranges = 0
    await (await read(60)).past?.ask()
    asked.push(ranges)
  }
  return asked
}

test('snapshots that see each step ask for no past', async () => {
  expect(await askedBy(15)).toEqual(new Array(12).fill(0))
})

test('those that pass over steps ask for eight of them together', async () => {
  expect(await askedBy(30)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])
  expect(await askedBy(45)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1])
})

test('where there are so few buckets that they come with each snapshot the past does too', async () => {
  expect(await askedBy(30, true)).toEqual(new Array(12).fill(1))
})

test('those so far apart that a deviation might end in between ask for what they missed', async () => {
  expect(await askedBy(60)).toEqual(new Array(12).fill(1))
})
