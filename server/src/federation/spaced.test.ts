import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Spaced } from './spaced.ts'

let nowMs = 0
beforeEach(() => {
  nowMs = 0
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

async function pass(milliseconds: number): Promise<void> {
  nowMs += milliseconds
  await vi.advanceTimersByTimeAsync(milliseconds)
}

/** Work that takes so long. */
function spaced(takesMs: number) {
  const runs: number[] = []
  const work = new Spaced(
    async () => {
      runs.push(nowMs)
      nowMs += takesMs
    },
    () => nowMs,
  )
  return { runs, work }
}

/** Work that goes on until it is told to end. */
function endless() {
  const signals: AbortSignal[] = []
  const ends: (() => void)[] = []
  const work = new Spaced(
    (signal) => {
      signals.push(signal)
      return new Promise((resolve, reject) => {
        ends.push(resolve)
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    },
    () => nowMs,
  )
  return { signals, ends, work }
}

test('runs at once, and then once for all who ask while it rests', async () => {
  const { runs, work } = spaced(100)
  for (let asked = 0; asked < 10; asked += 1) {
    work.ask()
    await pass(0)
  }
  expect(runs).toEqual([0])
  await pass(299)
  expect(runs).toHaveLength(1)
  await pass(1)
  expect(runs).toEqual([0, 400])
  await pass(10_000)
  expect(runs).toHaveLength(2)
})

test('work that takes no time is never put off', async () => {
  const { runs, work } = spaced(0)
  for (let asked = 0; asked < 5; asked += 1) {
    work.ask()
    await pass(0)
  }
  expect(runs).toHaveLength(5)
})

test('after its rest it runs at once again', async () => {
  const { runs, work } = spaced(10)
  work.ask()
  await pass(0)
  await pass(30)
  work.ask()
  expect(runs).toEqual([0, 40])
})

test('who asks while it runs has it run once more, after its rest', async () => {
  const { signals, ends, work } = endless()
  for (let asked = 0; asked < 3; asked += 1) work.ask()
  expect(signals).toHaveLength(1)
  await pass(100)
  ends[0]?.()
  await pass(0)
  await pass(299)
  expect(signals).toHaveLength(1)
  await pass(1)
  expect(signals).toHaveLength(2)
  ends[1]?.()
  await pass(10_000)
  expect(signals).toHaveLength(2)
})

test('what was cancelled does not run, and what runs is told to end', async () => {
  const { runs, work } = spaced(10)
  work.ask()
  await pass(0)
  work.ask()
  work.cancel()
  await pass(1_000)
  work.ask()
  await pass(1_000)
  expect(runs).toEqual([0])

  const long = endless()
  long.work.ask()
  long.work.ask()
  long.work.cancel()
  await pass(1_000)
  expect(long.signals).toHaveLength(1)
  expect(long.signals[0]?.aborted).toBe(true)
})
