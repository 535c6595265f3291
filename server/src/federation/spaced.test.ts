import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Spaced } from './spaced.ts'

let nowMs = 0
beforeEach(() => {
  nowMs = 0
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

function pass(milliseconds: number): void {
  nowMs += milliseconds
  vi.advanceTimersByTime(milliseconds)
}

/** Work that takes so long. */
function spaced(takesMs: number) {
  const runs: number[] = []
  const work = new Spaced(
    () => {
      runs.push(nowMs)
      nowMs += takesMs
    },
    () => nowMs,
  )
  return { runs, work }
}

test('runs at once, and then once for all who ask while it rests', () => {
  const { runs, work } = spaced(100)
  for (let asked = 0; asked < 10; asked += 1) work.ask()
  expect(runs).toEqual([0])
  pass(299)
  expect(runs).toHaveLength(1)
  pass(1)
  expect(runs).toEqual([0, 400])
  pass(10_000)
  expect(runs).toHaveLength(2)
})

test('work that takes no time is never put off', () => {
  const { runs, work } = spaced(0)
  for (let asked = 0; asked < 5; asked += 1) work.ask()
  expect(runs).toHaveLength(5)
})

test('after its rest it runs at once again', () => {
  const { runs, work } = spaced(10)
  work.ask()
  pass(30)
  work.ask()
  expect(runs).toEqual([0, 40])
})

test('what was cancelled does not run', () => {
  const { runs, work } = spaced(10)
  work.ask()
  work.ask()
  work.cancel()
  pass(1_000)
  expect(runs).toEqual([0])
})
