import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LoadCap } from './load-cap.ts'

const options = { refreshSeconds: 5, bucketRefreshSeconds: 30, maxLoad: 0.2 }

describe('how often a cluster is asked', () => {
  test('is as configured while it costs no more than it may', () => {
    const cap = new LoadCap(options)
    expect(cap.pace()).toEqual({ refreshSeconds: 5, bucketRefreshSeconds: 30, why: null })
    cap.fastCost(60, 0.5)
    expect(cap.pace().why).toBeNull()
  })

  test('follows from what it costs, whatever that is', () => {
    const cap = new LoadCap(options)
    for (let times = 0; times < 10; times += 1) cap.fastCost(60, 20)
    expect(cap.pace().refreshSeconds).toBe(100)
    expect(cap.pace().why).toContain('refreshed every 100 s (refresh: 5 s)')
  })

  test('a spell of slow answers draws it out step by step, and is over with the first quick one', () => {
    const cap = new LoadCap(options)
    const paces = [20, 20, 20, 20].map((seconds) => {
      cap.fastCost(60, seconds)
      return cap.pace().refreshSeconds
    })
    expect(paces).toEqual([10, 20, 40, 80])
    cap.fastCost(60, 0.1)
    expect(cap.pace().why).toBeNull()
  })

  test('what it costs without all of its questions draws it out, and never back', () => {
    const cap = new LoadCap(options)
    cap.fastCostAtLeast(60, 4)
    expect(cap.pace().refreshSeconds).toBe(10)
    cap.fastCostAtLeast(60, 0.1)
    expect(cap.pace().refreshSeconds).toBe(10)
  })

  test('what both lanes cost together draws it in, and never out', () => {
    const cap = new LoadCap(options)
    cap.fastCostAtMost(60, 40)
    expect(cap.pace().why).toBeNull()
    for (const seconds of [20, 20, 20]) cap.fastCost(60, seconds)
    expect(cap.pace().refreshSeconds).toBe(40)
    cap.fastCostAtMost(60, 40)
    expect(cap.pace().refreshSeconds).toBe(40)
    cap.fastCostAtMost(60, 2)
    expect(cap.pace().refreshSeconds).toBe(10)
  })

  test('buckets give way first', () => {
    const cap = new LoadCap(options)
    for (let times = 0; times < 10; times += 1) cap.slowCost(60, 12)
    cap.fastCost(60, 0.5)
    const { refreshSeconds, bucketRefreshSeconds } = cap.pace()
    expect(refreshSeconds).toBe(5)
    expect(bucketRefreshSeconds).toBe(120)
  })

  test('buckets alone, before anything else is known of the cluster, hold up nothing but themselves', () => {
    const cap = new LoadCap({ refreshSeconds: 10, bucketRefreshSeconds: 30, maxLoad: 0.5 })
    cap.slowCost(60, 20)
    const why =
      'percentiles every 40 s (bucketRefresh: 30 s), so that queries take at most 0.5 s of each second (maxLoad)'
    expect(cap.pace()).toEqual({ refreshSeconds: 10, bucketRefreshSeconds: 40, why })
    expect(cap.restsForSeconds).toBeNull()
    cap.fastCost(60, 10)
    expect(cap.restsForSeconds).toBe(40)
  })

  test('buckets come with every third snapshot at most where these take longer than `refresh`', () => {
    const cap = new LoadCap({ refreshSeconds: 10, bucketRefreshSeconds: 30, maxLoad: 64 })
    for (let times = 0; times < 5; times += 1) cap.snapshotTook(9)
    expect(cap.pace()).toEqual({ refreshSeconds: 10, bucketRefreshSeconds: 30, why: null })
    for (let times = 0; times < 5; times += 1) cap.snapshotTook(18)
    const why = 'percentiles every 54 s (bucketRefresh: 30 s), because snapshots take 18 s (refresh: 10 s)'
    expect(cap.pace()).toEqual({ refreshSeconds: 10, bucketRefreshSeconds: 54, why })
    expect(cap.apartSeconds).toBe(18)
    // The load cap has drawn them out further already.
    for (let times = 0; times < 5; times += 1) cap.slowCost(60, 64 * 60)
    expect(cap.pace().why).toMatch(/^percentiles every 60 s \(bucketRefresh: 30 s\), so that [^;]*$/)
    for (let times = 0; times < 5; times += 1) cap.snapshotTook(3)
    cap.slowCost(60, 1)
    expect(cap.pace().why).toBeNull()
  })

  test('one snapshot that hung does not make buckets wait for long', () => {
    const cap = new LoadCap({ refreshSeconds: 10, bucketRefreshSeconds: 30, maxLoad: 64 })
    for (const seconds of [5, 5, 5, 5, 3_600]) cap.snapshotTook(seconds)
    expect(cap.pace().bucketRefreshSeconds).toBe(42)
  })

  test('how long snapshots took says nothing of the next one that somebody looks at', () => {
    const cap = new LoadCap({ refreshSeconds: 10, bucketRefreshSeconds: 30, maxLoad: 64 })
    cap.watched(60, 1_000)
    cap.snapshotTook(20)
    cap.watched(60, 1_050)
    expect(cap.pace().bucketRefreshSeconds).toBe(60)
    cap.snapshotTook(20)
    cap.watched(60, 1_101)
    expect(cap.pace()).toEqual({ refreshSeconds: 10, bucketRefreshSeconds: 30, why: null })
  })

  test('who wants buckets with each snapshot has them, and who wants them seldom enough has them no more seldom', () => {
    const pace = (bucketRefreshSeconds: number) => {
      const cap = new LoadCap({ refreshSeconds: 10, bucketRefreshSeconds, maxLoad: 64 })
      for (let times = 0; times < 5; times += 1) cap.snapshotTook(20)
      return cap.pace().bucketRefreshSeconds
    }
    expect([10, 20, 30, 60, 90].map(pace)).toEqual([20, 40, 60, 60, 90])
  })

  test('is more seldom by as much as there are rate windows that are watched', () => {
    const cap = new LoadCap(options)
    cap.fastCost(60, 1)
    for (const atSeconds of [0, 5, 10]) {
      cap.watched(60, atSeconds)
      cap.watched(300, atSeconds)
    }
    expect(cap.pace().refreshSeconds).toBe(10)
    for (const atSeconds of [15, 20, 25]) cap.watched(60, atSeconds)
    expect(cap.pace().refreshSeconds).toBe(10)
    cap.watched(60, 30)
    expect(cap.pace().why).toBeNull()
  })

  test('follows from what the rate windows that are watched cost together, each of them what it does', () => {
    const cap = new LoadCap(options)
    cap.fastCost(60, 0.5)
    cap.fastCost(3_600, 2)
    for (const window of [60, 3_600]) cap.watched(window, 0)
    expect(cap.pace().refreshSeconds).toBe(12.5)
    cap.fastCost(60, 0.5)
    expect(cap.pace().refreshSeconds).toBe(12.5)
    // What is not known yet of a window may be as dear as any.
    cap.watched(300, 5)
    expect(cap.pace().refreshSeconds).toBe(22.5)
    for (const atSeconds of [10, 15, 20, 25]) cap.watched(60, atSeconds)
    expect(cap.pace().why).toBeNull()
    // What was dear once, and is watched no more, is no measure for it.
    cap.watched(120, 30)
    expect(cap.pace().why).toBeNull()
  })

  test('is a time, keeps to the load, and wastes none of it, whatever the lanes cost', () => {
    const costs = fc.oneof(fc.constant(null), fc.double({ min: 0, max: 1e9, noNaN: true }))
    const seconds = fc.double({ min: 0.1, max: 3_600, noNaN: true })
    const maxLoads = fc.double({ min: 0.01, max: 64, noNaN: true })
    fc.assert(
      fc.property(
        seconds,
        seconds,
        maxLoads,
        costs,
        costs,
        (refreshSeconds, bucketRefreshSeconds, maxLoad, fast, slow) => {
          const cap = new LoadCap({ refreshSeconds, bucketRefreshSeconds, maxLoad })
          // Until it is believed.
          for (let times = 0; times < 64; times += 1) {
            if (fast !== null) cap.fastCost(60, fast)
            if (slow !== null) cap.slowCost(60, slow)
          }
          const pace = cap.pace()
          expect(Number.isFinite(pace.refreshSeconds)).toBe(true)
          expect(Number.isFinite(pace.bucketRefreshSeconds)).toBe(true)
          expect(pace.refreshSeconds).toBeGreaterThanOrEqual(refreshSeconds)
          expect(pace.bucketRefreshSeconds).toBeGreaterThanOrEqual(bucketRefreshSeconds)
          const load = (fast ?? 0) / pace.refreshSeconds + (slow ?? 0) / pace.bucketRefreshSeconds
          expect(load).toBeLessThanOrEqual(maxLoad * (1 + 1e-9))
          if (pace.why === null) expect(pace).toEqual({ refreshSeconds, bucketRefreshSeconds, why: null })
          else expect(load).toBeGreaterThanOrEqual(maxLoad * (1 - 1e-9))
          const fastAlone = (fast ?? 0) / refreshSeconds
          if (fastAlone <= maxLoad / 2) expect(pace.refreshSeconds).toBe(refreshSeconds)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
