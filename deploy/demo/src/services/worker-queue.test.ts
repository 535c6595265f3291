import { expect, test } from 'vitest'
import { loopback } from '../transport/loopback.ts'
import type { Transport } from '../transport/transport.ts'
import { createWorkerQueue } from './worker-queue.ts'

/** Wakes sleepers `lateMs` after their time, as a busy machine does. */
function fakeClock(lateMs: number) {
  let now = 0
  const wakes: { atMs: number; resolve: () => void }[] = []
  const clock: Pick<Transport, 'nowMs' | 'after'> = {
    nowMs: () => now,
    after(delayMs, resolve) {
      wakes.push({ atMs: now + delayMs + lateMs, resolve })
      return () => {}
    },
  }
  return {
    clock,
    pass(ms: number) {
      now += ms
      for (const wake of wakes.splice(0)) {
        if (wake.atMs <= now) wake.resolve()
        else wakes.push(wake)
      }
      return new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test.each([
  { workers: 1, jobMs: 20, perSecond: 50, why: 'one worker, 20 ms each' },
  { workers: 1, jobMs: 16, perSecond: 62, why: 'a lock of 16 ms' },
  { workers: 3, jobMs: 20, perSecond: 150, why: 'three workers side by side' },
])('does $perSecond jobs per second ($why), however late the timers are', async ({ workers, jobMs, perSecond }) => {
  const { clock, pass } = fakeClock(3)
  const queue = createWorkerQueue(workers, clock)
  let done = 0
  for (let i = 0; i < 500; i++) {
    void queue.run(jobMs).then(() => {
      done++
    })
  }
  for (let ms = 0; ms < 1003; ms++) await pass(1)
  expect(done).toBe(perSecond)
})

test('an idle worker begins at once', async () => {
  const { clock, pass } = fakeClock(0)
  const queue = createWorkerQueue(1, clock)
  await pass(1000)
  let done = false
  void queue.run(20).then(() => {
    done = true
  })
  await pass(19)
  expect(done).toBe(false)
  await pass(1)
  expect(done).toBe(true)
})

test('real timers keep the pace too', async () => {
  const queue = createWorkerQueue(1, loopback)
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: 20 }, () => queue.run(20)))
  const tookMs = performance.now() - startedAt
  expect(tookMs).toBeGreaterThan(398)
  // Nor hangs; how late a timer fires is the machine's.
  expect(tookMs).toBeLessThan(5_000)
})
