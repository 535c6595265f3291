import { afterEach, expect, test, vi } from 'vitest'
import type { ClusterLanes } from './cluster-lanes.ts'
import type { ClusterPast } from './cluster-past.ts'
import { PastKeeper } from './past-keeper.ts'
import type { Reading } from './reading.ts'

const READING: Reading = {
  atSeconds: 4_500,
  windowSeconds: 60,
  axis: { fromSeconds: 0, stepSeconds: 15, steps: 300 },
  live: true,
}

afterEach(() => void vi.useRealTimers())

/** Of a past of which so much is missing, and which takes so long to be read. */
function keeperOf(missing: {
  seconds: number | null
  passedOverSeconds?: number
  takesSeconds: number
  fails?: boolean
}) {
  let spentSeconds = 0
  const rates = async () => {
    spentSeconds += missing.takesSeconds
    await vi.advanceTimersByTimeAsync(missing.takesSeconds * 1_000)
    return missing.fails ? { error: new Error('broken') } : { observation: null }
  }
  const past = {
    ratesLack: () => ({ passedOverSeconds: 0, ...missing }),
    rates,
    metered() {
      const before = spentSeconds
      return { querySeconds: () => spentSeconds - before }
    },
  } as unknown as ClusterPast
  const lanes = { usual: () => ({}) } as unknown as ClusterLanes
  const keeper = new PastKeeper(past, lanes)
  const lack = (tookSeconds = 0) =>
    keeper.lack(READING, null, { seriesCount: 100, tookSeconds }, new AbortController().signal)
  return Object.assign(lack, { keeper })
}

test('how long the past takes at least is told by how long it took before', async () => {
  vi.useFakeTimers()
  const missing = { seconds: 120 as number | null, takesSeconds: 4 }
  const lack = keeperOf(missing)
  expect(lack()).toMatchObject({ much: true, atLeastSeconds: 0 })
  await lack()?.ask()
  expect(lack()?.atLeastSeconds).toBeCloseTo(4, 3)
  missing.seconds = 30
  expect(lack()).toMatchObject({ much: false })
  expect(lack()?.atLeastSeconds).toBeCloseTo(1, 3)
  // All of it: no less than a part.
  missing.seconds = null
  expect(lack()?.atLeastSeconds).toBeCloseTo(4, 3)
})

test('the past takes no less than the present did', async () => {
  vi.useFakeTimers()
  const lack = keeperOf({ seconds: 120, takesSeconds: 4 })
  expect(lack(2.5)?.atLeastSeconds).toBe(2.5)
  await lack()?.ask()
  expect(lack(2.5)?.atLeastSeconds).toBeCloseTo(4, 3)
})

test('what failed tells nothing of how long it takes', async () => {
  vi.useFakeTimers()
  const lack = keeperOf({ seconds: 120, takesSeconds: 4, fails: true })
  await lack()?.ask()
  expect(lack()?.atLeastSeconds).toBe(0)
})

test('what the past costs once is no cost of a refresh; what its newest steps cost is', async () => {
  vi.useFakeTimers()
  const missing = { seconds: null as number | null, takesSeconds: 400 }
  const lack = keeperOf(missing)
  await lack()?.ask()
  expect(lack.keeper.costSeconds(60)).toBe(0)
  missing.seconds = 15
  missing.takesSeconds = 2
  await lack()?.ask()
  expect(lack.keeper.costSeconds(60)).toBe(2)
})

test('steps that snapshots passed over are asked for when there are many of them, or when the last asking failed', async () => {
  vi.useFakeTimers()
  const missing = { seconds: 0, passedOverSeconds: 105, takesSeconds: 2, fails: false }
  const lack = keeperOf(missing)
  expect(lack()).toBeNull()
  missing.passedOverSeconds = 120
  missing.fails = true
  await lack()?.ask()
  missing.passedOverSeconds = 30
  missing.fails = false
  expect(lack()).toMatchObject({ much: false })
  await lack()?.ask()
  expect(lack()).toBeNull()
})

test('what they cost is shared out among the snapshots in between', async () => {
  vi.useFakeTimers()
  const missing = { seconds: 0, passedOverSeconds: 30, takesSeconds: 2 }
  const lack = keeperOf(missing)
  for (const passedOverSeconds of [30, 60, 90]) {
    missing.passedOverSeconds = passedOverSeconds
    expect(lack()).toBeNull()
  }
  missing.passedOverSeconds = 120
  await lack()?.ask()
  expect(lack.keeper.costSeconds(60)).toBe(0.5)
  missing.passedOverSeconds = 30
  expect(lack()).toBeNull()
  expect(lack.keeper.costSeconds(60)).toBe(0.5)
  // Each of them is seen by now.
  missing.passedOverSeconds = 0
  expect(lack()).toBeNull()
  expect(lack.keeper.costSeconds(60)).toBe(0)
})
