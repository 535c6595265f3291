import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { type CollectBetween, createCollectBetween } from './collect-between.ts'

let collecting: CollectBetween | null = null
afterEach(() => collecting?.close())

const gone = vi.fn()
/** Not a weak reference: asking one whether it is still there keeps what it stands for. */
const registry = new FinalizationRegistry(gone)

/** What a snapshot leaves: objects that were held long enough to be among the old ones. */
async function leaveGarbage(): Promise<void> {
  let held: object[] | null = Array.from({ length: 400_000 }, (_, index) => ({ index, beside: [index] }))
  registry.register(held, null)
  await pause(1)
  held = null
}

test('what a snapshot left is collected once the server rests', async () => {
  collecting = createCollectBetween({ pauseMs: 0, fromBytes: 0 })
  await leaveGarbage()
  expect(gone).not.toHaveBeenCalled()
  collecting.taken()
  await expect.poll(() => gone.mock.calls.length).toBeGreaterThan(0)
})

test('nothing is collected while the server is busy, and one time for snapshots that come at once', async () => {
  const collect = vi.fn()
  collecting = createCollectBetween({ pauseMs: 0, fromBytes: 0, collect })
  await leaveGarbage()
  collecting.taken()
  collecting.taken()
  const until = performance.now() + 700
  while (performance.now() < until) {
    const busy = performance.now() + 50
    while (performance.now() < busy);
    await pause(0)
  }
  expect(collect).not.toHaveBeenCalled()
  await expect.poll(() => collect.mock.calls.length).toBe(1)
})

test('a small heap is left to V8', async () => {
  const collect = vi.fn()
  collecting = createCollectBetween({ pauseMs: 0, fromBytes: 2 ** 40, collect })
  const rested = vi.fn()
  const beside = createCollectBetween({ pauseMs: 0, fromBytes: 0, collect: rested })
  collecting.taken()
  beside.taken()
  await expect.poll(() => rested.mock.calls.length).toBe(1)
  beside.taken()
  expect(collect).not.toHaveBeenCalled()
  beside.close()
})
