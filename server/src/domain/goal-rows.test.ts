import { describe, expect, test } from 'vitest'
import type { GoalCounts } from './burn.ts'
import { type GoalsGiven, goalGrade, goalRows, missedGoals } from './goal-rows.ts'
import { readGolden } from './golden.ts'
import type { Flow } from './traffic.ts'
import type { Trouble } from './trouble.ts'

const CALM: Trouble = {
  latency: 'none',
  latencySoon: 'none',
  failures: 'none',
  ratio: 1,
  onsetSeconds: null,
  failingSinceSeconds: null,
}
const BOUNDS = [0.1, 0.2, 0.4, 0.6, 1, Number.POSITIVE_INFINITY]

/** All requests at once in the bucket that ends with `upTo`. */
function flow(rate: number, failures: number, upTo: number): Flow {
  const cumulative = BOUNDS.map((bound) => (bound >= upTo ? rate : 0))
  const histogram = { upperBounds: BOUNDS, cumulative }
  return { requestsPerSecond: rate, failuresPerSecond: failures, meanSeconds: upTo / 2, histogram }
}

function given(now: Flow, goals: Partial<GoalsGiven['goals']> | null, more: Partial<GoalsGiven> = {}): GoalsGiven {
  const none = { successRatio: null, latencySeconds: {}, leastRequestsPerSecond: null, periodSeconds: 2_592_000 }
  return {
    goals: goals === null ? null : { ...none, ...goals },
    reading: readGolden(now, { windowSeconds: 60, seen: true, stale: false }),
    usual: readGolden(flow(40, 0, 0.2), { windowSeconds: 60, seen: true, stale: false }).golden,
    trouble: CALM,
    counts: null,
    ...more,
  }
}

const verdicts = (of: GoalsGiven) => goalRows(of).map(({ measure, verdict }) => `${measure} ${verdict}`)

describe('a goal against now', () => {
  test.each([
    { now: flow(40, 0, 0.2), goals: { successRatio: 0.999 }, want: 'successRatio met', why: 'no failure at all' },
    { now: flow(40, 0.5, 0.2), goals: { successRatio: 0.999 }, want: 'successRatio missed', why: '30 of 2 400 failed' },
    {
      now: flow(40, 0.05, 0.2),
      goals: { successRatio: 0.9999 },
      want: 'successRatio met',
      why: '3 failures are chance',
    },
    {
      now: flow(2, 1 / 60, 0.2),
      goals: { successRatio: 0.999 },
      want: 'successRatio met',
      why: '1 of 120 is chance',
    },
    {
      now: flow(1.7, 4 / 60, 0.2),
      goals: { successRatio: 0.999 },
      want: 'successRatio tooFew',
      why: '4 of 102 are more than chance brings, and too few to prove it',
    },
    {
      now: flow(1.7, 5 / 60, 0.2),
      goals: { successRatio: 0.999 },
      want: 'successRatio missed',
      why: '5 of 102 failed',
    },
    {
      now: flow(1.7, 4 / 60, 0.2),
      goals: { successRatio: 0.96 },
      want: 'successRatio met',
      why: '98 of 102 are 96.07 %',
    },
    {
      now: flow(1, 0, 0.2),
      goals: { successRatio: 0.999 },
      want: 'successRatio tooFew',
      why: '60 requests prove no nines',
    },
    { now: flow(0, 0, 0.2), goals: { successRatio: 0.999 }, want: 'successRatio noTraffic', why: 'nobody called' },
    { now: flow(40, 0, 0.4), goals: { latencySeconds: { p99: 0.5 } }, want: 'p99 met', why: 'all below 400 ms' },
    { now: flow(40, 0, 1), goals: { latencySeconds: { p99: 0.5 } }, want: 'p99 missed', why: 'all above 600 ms' },
    {
      now: flow(4, 0, 1),
      goals: { latencySeconds: { p99: 0.5 } },
      want: 'p99 tooFew',
      why: '240 requests make no p99',
    },
    { now: flow(4, 0, 1), goals: { latencySeconds: { p95: 0.5 } }, want: 'p95 missed', why: 'and they make a p95' },
    {
      now: flow(40, 0, 9),
      goals: { latencySeconds: { p99: 0.5 } },
      want: 'p99 missed',
      why: 'more than 1 s is more than 0.5 s',
    },
    {
      now: flow(40, 0, 9),
      goals: { latencySeconds: { p99: 5 } },
      want: 'p99 unknown',
      why: 'more than 1 s may be less than 5 s',
    },
    { now: flow(40, 0, 0.4), goals: { latencySeconds: { mean: 0.1 } }, want: 'mean missed', why: 'the mean is 200 ms' },
    {
      now: flow(40, 0, 0.2),
      goals: { leastRequestsPerSecond: 30 },
      want: 'requestsPerSecond met',
      why: 'more than the least',
    },
    {
      now: flow(0, 0, 0.2),
      goals: { leastRequestsPerSecond: 30 },
      want: 'requestsPerSecond missed',
      why: 'nothing is less than 30/s',
    },
  ])('$want: $why', ({ now, goals, want }) => {
    expect(verdicts(given(now, goals))).toEqual([want])
  })

  test('last good values are judged by nobody', () => {
    const stale = readGolden(flow(40, 4, 1), { windowSeconds: 60, seen: true, stale: true })
    const goals = { successRatio: 0.999, latencySeconds: { p99: 0.5 }, leastRequestsPerSecond: 100 }
    expect(verdicts(given(flow(40, 4, 1), goals, { reading: stale }))).toEqual([
      'successRatio unknown',
      'p99 unknown',
      'requestsPerSecond unknown',
    ])
  })

  test('a goal inside the bucket of the percentile is judged by interpolation, and it is said', () => {
    const [row] = goalRows(given(flow(40, 0, 0.6), { latencySeconds: { p99: 0.5 } }))
    expect(row).toMatchObject({ verdict: 'missed' })
    expect(row?.text).toBe('p99 598 ms (goal 500 ms); judged inside its bucket of 400 ms to 600 ms')
  })
})

describe('without a goal', () => {
  test('what is usual is the measure', () => {
    expect(verdicts(given(flow(40, 0, 0.2), null))).toEqual([
      'successRatio asUsual',
      'p99 asUsual',
      'requestsPerSecond asUsual',
    ])
    const trouble: Trouble = { ...CALM, latency: 'crit', failures: 'warn' }
    expect(verdicts(given(flow(20, 1, 1), null, { trouble }))).toEqual([
      'successRatio worse',
      'p99 worse',
      'requestsPerSecond worse',
    ])
  })

  test('nothing is missed, whatever it does', () => {
    const rows = goalRows(given(flow(40, 20, 1), null))
    expect(goalGrade(rows)).toBe('none')
    expect(missedGoals(rows)).toEqual([])
  })
})

describe('how bad it is', () => {
  const burning: GoalCounts = {
    windows: [300, 1_800, 3_600, 21_600, 259_200].map((windowSeconds) => ({
      windowSeconds,
      atSeconds: 0,
      requestsPerSecond: 40,
      failuresPerSecond: 0.8,
      slowShare: {},
    })),
    days: [],
  }

  test('a budget that burns fast is critical, and named', () => {
    const rows = goalRows(given(flow(40, 0.8, 0.2), { successRatio: 0.999 }, { counts: burning }))
    expect(goalGrade(rows)).toBe('crit')
    expect(missedGoals(rows)).toEqual(['success 98 % (goal 99.9 %); its error budget burns 20 times too fast'])
  })

  test('missed in this minute only is a warning', () => {
    expect(goalGrade(goalRows(given(flow(40, 0.8, 0.2), { successRatio: 0.999 })))).toBe('warn')
  })
})
