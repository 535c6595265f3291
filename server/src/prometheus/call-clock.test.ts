import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PrometheusApi } from './api.ts'
import { holdCallClock } from './call-clock.ts'
import { withTimeout } from './with-timeout.ts'

const answer = { data: [], warnings: [] }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A call of at most 1.5 s that is sent, comes in, and is read by us for as long as told. */
async function outcome({ sentMs, readMs, againMs = 0 }: { sentMs: number; readMs: number; againMs?: number }) {
  const api = {
    async query(_promql: string, _at: number, signal: AbortSignal) {
      const passing = (ms: number) =>
        new Promise((resolve, reject) => {
          setTimeout(resolve, ms)
          signal.addEventListener('abort', () => reject(signal.reason))
        })
      await passing(sentMs)
      const goOn = holdCallClock(signal)
      const inner = holdCallClock(signal)
      inner()
      inner()
      await passing(readMs).finally(goOn)
      await passing(againMs)
      return answer
    },
  } as unknown as PrometheusApi
  const asked = withTimeout(api, 1).query('up', 0, new AbortController().signal)
  const settled = asked.then(
    () => 'answered',
    (error: { kind: string }) => error.kind,
  )
  await vi.advanceTimersByTimeAsync(60_000)
  return settled
}

test.each([
  ['reading is no time of the endpoint', { sentMs: 1_000, readMs: 50_000 }, 'answered'],
  ['an answer that does not come is', { sentMs: 2_000, readMs: 0 }, 'timeout'],
  ['asked again after reading it has what was left', { sentMs: 1_000, readMs: 5_000, againMs: 400 }, 'answered'],
  ['and no more', { sentMs: 1_000, readMs: 5_000, againMs: 600 }, 'timeout'],
])('%s', async (_, took, want) => {
  expect(await outcome(took)).toBe(want)
})

test('a signal without a clock holds nothing', () => {
  expect(() => holdCallClock(new AbortController().signal)()).not.toThrow()
})
