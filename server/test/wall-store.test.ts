import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WallFrame } from '../src/contract/index.ts'
import { WallHub, type WallHubDeps } from '../src/http/wall-hub.ts'
import { snapshotOf } from './judgement/incident-snapshot.ts'
import { AT, course, SLOW, X } from './judgement/incident-world.ts'

const EVERYTHING = { clusters: null, namespaces: null }
const NOTE = { text: 'on it', by: 'ann', untilSeconds: AT + 3_600 }

let nowSeconds = AT
let hub: WallHub
beforeEach(() => {
  vi.useFakeTimers()
  nowSeconds = AT
})
afterEach(() => {
  hub.close()
  vi.useRealTimers()
})

/** A wall in an incident, with a new picture a second. */
function wallWith(store: Pick<WallHubDeps, 'note' | 'shorten'>): WallFrame[] {
  const taken = snapshotOf(SLOW)
  const snapshot = async () => ({ ...taken, id: `s${nowSeconds}`, atSeconds: nowSeconds })
  hub = new WallHub({ engine: { snapshot, lookedAt() {} }, clock: () => nowSeconds, build: () => 'b', ...store })
  const frames: WallFrame[] = []
  hub.watch({ ...EVERYTHING, limit: EVERYTHING }, ({ frame }) => frames.push(frame))
  return frames
}

async function seconds(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) {
    await vi.advanceTimersByTimeAsync(1_000)
    nowSeconds += 1
  }
}

const never = () => new Promise<never>(() => undefined)

test('pictures do not wait for a store that hangs, and keep the note that they had', async () => {
  let note = async () => NOTE
  const frames = wallWith({ note: () => note(), shorten: never })
  await seconds(2)
  note = never
  const before = frames.length
  await seconds(5)
  expect(frames.length - before).toBeGreaterThanOrEqual(4)
  expect(frames.at(-1)).toMatchObject({ note: { text: 'on it' }, link: { code: null } })
})

test('a link that could not be shortened gets its code when the store is back, and keeps its moment', async () => {
  let shorten = (_path: string): Promise<string> => Promise.reject(new Error('away'))
  const asked: string[] = []
  const frames = wallWith({
    shorten(path) {
      asked.push(path)
      return shorten(path)
    },
  })
  await seconds(3)
  const path = frames[0]?.link?.path
  expect(frames.at(-1)?.link).toEqual({ path, code: null })
  shorten = async () => 'ABCDEF'
  await seconds(2)
  expect(frames.at(-1)?.link).toEqual({ path, code: 'ABCDEF' })
  const count = asked.length
  await seconds(5)
  expect(asked).toHaveLength(count)
  expect(new Set(asked)).toEqual(new Set([path]))
})

test('addresses that name anything have nobody drawn anew, and are not all remembered', async () => {
  const taken = snapshotOf(SLOW)
  hub = new WallHub({
    engine: { snapshot: async () => taken, lookedAt() {} },
    clock: () => nowSeconds,
    build: () => 'b',
  })
  const drawn = vi.fn()
  hub.watch({ ...EVERYTHING, limit: EVERYTHING }, drawn)
  await seconds(2)
  expect(drawn).toHaveBeenCalledTimes(1)
  const part = (name: string) => ({ clusters: null, namespaces: new Set([name]), limit: EVERYTHING })
  for (let index = 0; index < 60; index += 1) {
    const odd = vi.fn()
    const leave = hub.watch(part(`odd${index}`), odd)
    await seconds(1)
    expect(odd).toHaveBeenCalledTimes(1)
    leave()
  }
  expect(drawn).toHaveBeenCalledTimes(1)
  // Who comes back soon finds what stood there; who was left for many others is drawn anew.
  const [soon, late] = [vi.fn(), vi.fn()]
  hub.watch(part('odd59'), soon)
  hub.watch(part('odd0'), late)
  expect([soon, late].map(({ mock }) => mock.calls.length)).toEqual([1, 0])
})

test.each([
  { what: 'the night passed', passedSeconds: 14 * 3_600 },
  { what: 'the clock was set back', passedSeconds: -14 * 3_600 },
])(
  'walls that were off for a while are sent no old picture, and recall no trouble of before: $what',
  async ({ passedSeconds }) => {
    const incident = snapshotOf(SLOW)
    const calm = snapshotOf({ ...SLOW, nodes: { [X]: course(41, 0.1, 0.1) }, calls: [] })
    let taken = incident
    const snapshot = async () => ({ ...taken, id: `s${nowSeconds}`, atSeconds: nowSeconds })
    hub = new WallHub({ engine: { snapshot, lookedAt() {} }, clock: () => nowSeconds, build: () => 'b' })
    const shown = () => {
      const frames: WallFrame[] = []
      const leave = hub.watch({ ...EVERYTHING, limit: EVERYTHING }, ({ frame }) => frames.push(frame))
      return { frames, leave }
    }
    const evening = shown()
    await seconds(3)
    evening.leave()
    expect(evening.frames.at(-1)?.rows.length).toBeGreaterThan(0)

    taken = calm
    nowSeconds += 30
    const reloaded = shown()
    expect(reloaded.frames).toEqual([])
    await seconds(2)
    reloaded.leave()
    expect(reloaded.frames.at(-1)?.lastTroubleAt).not.toBeNull()
    expect(reloaded.frames.at(-1)?.rows.length).toBeGreaterThan(0)

    nowSeconds += passedSeconds
    const backAt = nowSeconds
    const morning = shown()
    await seconds(2)
    const watchingSince = new Date(backAt * 1_000).toISOString()
    expect(morning.frames.at(-1)).toMatchObject({ rows: [], lastTroubleAt: null, watchingSince })
  },
)
