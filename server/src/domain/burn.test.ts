import { describe, expect, test } from 'vitest'
import { type GoalCounts, latencyBudget, shareAbove, slowShares, successBudget, type WindowCount } from './burn.ts'
import { goalsFor, type OwnGoals } from './goals.ts'

const GOALS: OwnGoals = {
  successRatio: 0.999,
  latencySeconds: { p99: 0.5 },
  leastRequestsPerSecond: null,
  periodSeconds: 30 * 86_400,
}

/** Failing this share of 10 requests a second over each window, in seconds. */
function counts(badBy: Readonly<Record<number, number>>, rate = 10): GoalCounts {
  const windows = Object.entries(badBy).map(
    ([seconds, bad]): WindowCount => ({
      windowSeconds: Number(seconds),
      atSeconds: 0,
      requestsPerSecond: rate,
      failuresPerSecond: bad * rate,
      slowShare: {},
    }),
  )
  return { windows, days: [] }
}

describe('burn rates', () => {
  const over = (share: number) => Object.fromEntries([300, 1_800, 3_600, 21_600, 259_200].map((at) => [at, share]))

  test.each([
    { why: 'nothing fails', bad: over(0), grade: 'none', firing: [false, false, false] },
    {
      why: 'exactly at the goal spends the budget in its period and no sooner',
      bad: over(0.001),
      grade: 'none',
      firing: [false, false, false],
    },
    { why: 'twice the budget, for days', bad: over(0.002), grade: 'warn', firing: [false, false, true] },
    { why: 'seven times', bad: over(0.007), grade: 'crit', firing: [false, true, true] },
    { why: 'fifteen times', bad: over(0.015), grade: 'crit', firing: [true, true, true] },
    {
      why: 'over by now: the short window is clean',
      bad: { ...over(0.015), 300: 0 },
      grade: 'crit',
      firing: [false, true, true],
    },
    {
      why: 'a burst that the long windows do not feel',
      bad: { ...over(0), 300: 0.5 },
      grade: 'none',
      firing: [false, false, false],
    },
    { why: 'windows that are not known decide nothing', bad: { 300: 0.5 }, grade: 'none', firing: [null, null, null] },
  ])('$why', ({ bad, grade, firing }) => {
    const budget = successBudget(0.999, GOALS, counts(bad))
    expect(budget.burns.map((burn) => burn.firing)).toEqual(firing)
    expect(budget.grade).toBe(grade)
  })

  test('a handful of failures is chance, whatever share they are', () => {
    // 3.6 requests an hour, half of them bad: 1.8 failures.
    expect(successBudget(0.999, GOALS, counts({ 300: 0.5, 3600: 0.5 }, 0.001)).grade).toBe('none')
    expect(successBudget(0.999, GOALS, counts({ 300: 0.5, 3600: 0.5 }, 0.01)).grade).toBe('crit')
  })

  test('of a hundred requests one may be slower than the p99 goal', () => {
    const slow = (share: number): GoalCounts => ({
      windows: [300, 3_600].map((windowSeconds) => ({
        windowSeconds,
        atSeconds: 0,
        requestsPerSecond: 10,
        failuresPerSecond: 0,
        slowShare: { p99: share },
      })),
      days: [],
    })
    const rates = (share: number) => latencyBudget('p99', GOALS, slow(share)).burns[0]
    expect(rates(0.01)?.longRate).toBeCloseTo(1, 12)
    expect(rates(0.01)?.firing).toBe(false)
    expect(rates(0.15)).toMatchObject({ firing: true })
  })
})

describe('the budget', () => {
  const day = (requestsPerSecond: number, failuresPerSecond: number, windowSeconds = 86_400): WindowCount => ({
    windowSeconds,
    atSeconds: 0,
    requestsPerSecond,
    failuresPerSecond,
    slowShare: {},
  })

  test('half of the allowed failures on every day spends half of it', () => {
    const days = Array.from({ length: 30 }, () => day(10, 0.005))
    expect(successBudget(0.999, GOALS, { windows: [], days }).spentRatio).toBeCloseTo(0.5, 12)
  })

  test('a third of the period, all of it at twice the rate, spends two thirds', () => {
    const days = Array.from({ length: 10 }, () => day(10, 0.02))
    expect(successBudget(0.999, GOALS, { windows: [], days })).toMatchObject({
      knownSeconds: 864_000,
      spentRatio: expect.closeTo(2 / 3, 12),
    })
  })

  test('quiet days weigh by their requests', () => {
    const days = [...Array.from({ length: 29 }, () => day(1, 0)), day(29, 0.058)]
    expect(successBudget(0.999, GOALS, { windows: [], days }).spentRatio).toBeCloseTo(1, 9)
  })

  test('days without a request are known, and spend nothing', () => {
    const days = Array.from({ length: 30 }, (_, at) => (at % 6 === 0 ? day(10, 0.02) : day(0, 0)))
    // Twice the share that is allowed, of all requests of the period: the idle days have none to fail.
    expect(successBudget(0.999, GOALS, { windows: [], days })).toMatchObject({
      knownSeconds: 30 * 86_400,
      spentRatio: expect.closeTo(2, 12),
    })
    const slow = days.map((one) => ({ ...one, slowShare: one.requestsPerSecond > 0 ? { p99: 0.02 } : {} }))
    expect(latencyBudget('p99', GOALS, { windows: [], days: slow }).spentRatio).toBeCloseTo(2, 12)
    expect(successBudget(0.999, GOALS, { windows: [], days: days.slice(0, 15) })).toMatchObject({
      knownSeconds: 15 * 86_400,
      spentRatio: expect.closeTo(1, 12),
    })
  })

  test('without any request nothing is known of it', () => {
    expect(successBudget(0.999, GOALS, { windows: [], days: [day(0, 0)] })).toMatchObject({
      knownSeconds: 0,
      spentRatio: null,
    })
  })
})

describe('the share above a latency', () => {
  const histogram = { upperBounds: [0.1, 0.5, 1, Number.POSITIVE_INFINITY], cumulative: [50, 90, 98, 100] }

  test.each([
    { at: 0.5, share: 0.1, why: 'at a bound it is exact' },
    { at: 0.3, share: 0.3, why: 'inside a bucket it is interpolated as quantiles are' },
    { at: 1, share: 0.02, why: 'at the last finite bound' },
    { at: 2, share: null, why: 'beyond it nobody knows' },
  ])('$at s: $why', ({ at, share }) => {
    const found = shareAbove(histogram, at)
    if (share === null) expect(found).toBeNull()
    else expect(found).toBeCloseTo(share, 12)
  })

  test('beyond the last bound nothing is above where nothing is', () => {
    const full = { upperBounds: [0.1, Number.POSITIVE_INFINITY], cumulative: [5, 5] }
    expect(shareAbove(full, 3)).toBe(0)
  })

  test('of native histograms too', () => {
    const native = {
      count: 10,
      sum: 3,
      lows: [0.1, 0.4],
      highs: [0.2, 0.8],
      counts: [6, 4],
      layout: 'exponential' as const,
      schema: 0,
      unitSeconds: 1,
    }
    expect(shareAbove(native, 0.6)).toBeCloseTo(0.2, 12)
  })

  test('only percentiles with a goal are looked at', () => {
    expect(slowShares(histogram, GOALS)).toEqual({ p99: expect.closeTo(0.1, 12) })
    expect(slowShares(null, GOALS)).toEqual({})
  })
})

describe('which goals hold', () => {
  const goal = (workload: string, more: object) => ({
    workload,
    successRatio: null,
    latencySeconds: {},
    leastRequestsPerSecond: null,
    periodSeconds: null,
    ...more,
  })
  const goals = [
    goal('*', { successRatio: 0.99 }),
    goal('*/shop/*', { successRatio: 0.999, latencySeconds: { p99: 1 } }),
    goal('east/shop/cart', { latencySeconds: { p99: 0.5, mean: 0.1 }, periodSeconds: 604_800 }),
  ]

  test('the last that matches wins, measure by measure', () => {
    expect(goalsFor(goals, 'east/shop/cart')).toEqual({
      successRatio: 0.999,
      latencySeconds: { p99: 0.5, mean: 0.1 },
      leastRequestsPerSecond: null,
      periodSeconds: 604_800,
    })
    expect(goalsFor(goals, 'west/pay/ledger')).toMatchObject({ successRatio: 0.99, periodSeconds: 2_592_000 })
  })

  test('nobody set any', () => {
    expect(goalsFor(goals.slice(1), 'west/pay/ledger')).toBeNull()
  })
})
