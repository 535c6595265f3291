import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GettingReady, type Preparing } from './getting-ready.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const signal = new AbortController().signal
/** Takes so many seconds each time. */
function taking(seconds: () => number): Preparing {
  return { prepare: () => new Promise((resolve) => setTimeout(resolve, seconds() * 1_000)) }
}
/** How long a snapshot waited, in seconds; the next one begins ten seconds later. */
async function waited(ready: GettingReady, all: readonly Preparing[]): Promise<number> {
  const from = performance.now()
  let tookMs = Number.NaN
  void ready.wait(all, 0, signal).then(() => {
    tookMs = performance.now() - from
  })
  await vi.advanceTimersByTimeAsync(10_000)
  return tookMs / 1_000
}

test('everybody is waited for, for two seconds at most', async () => {
  expect(await waited(new GettingReady(), [taking(() => 0.5), taking(() => 1)])).toBe(1)
  expect(await waited(new GettingReady(), [taking(() => 0.5), taking(() => 7)])).toBe(2)
})

test('who was late holds up one snapshot, and is waited for again once it is in time', async () => {
  let seconds = 9
  const ready = new GettingReady()
  const all = [taking(() => 0.5), taking(() => seconds)]
  expect(await waited(ready, all)).toBe(2)
  expect(await waited(ready, all)).toBe(0.5)
  expect(await waited(ready, all)).toBe(0.5)
  seconds = 1
  expect(await waited(ready, all)).toBe(0.5)
  expect(await waited(ready, all)).toBe(1)
})

test('what is joined while it hangs is not in time for ending soon after', async () => {
  // One and the same look, 12 seconds long: the second snapshot sees its last two.
  let under: Promise<void> | null = null
  const hanging: Preparing = {
    prepare: () => {
      under ??= new Promise<void>((resolve) => setTimeout(resolve, 11_500)).finally(() => {
        under = null
      })
      return under
    },
  }
  const ready = new GettingReady()
  expect(await waited(ready, [hanging])).toBe(2)
  expect(await waited(ready, [hanging])).toBe(0)
  expect(await waited(ready, [hanging])).toBe(0)
})

test('a cluster that cannot be asked holds nobody up, and is waited for the next time', async () => {
  const prepare = vi.fn(() => Promise.reject(new Error('refused')))
  const ready = new GettingReady()
  expect(await waited(ready, [{ prepare }])).toBe(0)
  expect(await waited(ready, [{ prepare }, taking(() => 1)])).toBe(1)
  expect(prepare).toHaveBeenCalledTimes(2)
})
