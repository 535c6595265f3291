import type { OwnGoals } from './goals.ts'
import { PERCENTILES, type PercentileName } from './golden.ts'
import { isNative, type LatencyHistogram, observationsOf } from './latency-histogram.ts'

/** What one workload did over one window that ended at `atSeconds` (unix). */
export interface WindowCount {
  readonly windowSeconds: number
  readonly atSeconds: number
  readonly requestsPerSecond: number
  readonly failuresPerSecond: number
  /** The share of requests slower than the goal, for each percentile that has one. */
  readonly slowShare: Readonly<Partial<Record<PercentileName, number>>>
}

/** The windows of the burn rates, and the days (the last one is not over) that the error budget is made of. */
export interface GoalCounts {
  readonly windows: readonly WindowCount[]
  readonly days: readonly WindowCount[]
}

export type BurnGrade = 'none' | 'warn' | 'crit'

/**
 * Two windows each: the long one says that it matters, the short one that it still goes on.
 * Source: The Site Reliability Workbook, "Alerting on SLOs", table 5-8.
 */
export const BURNS = [
  { longSeconds: 3_600, shortSeconds: 300, most: 14.4, grade: 'crit' },
  { longSeconds: 21_600, shortSeconds: 1_800, most: 6, grade: 'crit' },
  { longSeconds: 259_200, shortSeconds: 21_600, most: 1, grade: 'warn' },
] as const satisfies readonly { longSeconds: number; shortSeconds: number; most: number; grade: BurnGrade }[]

export const BURN_WINDOWS: readonly number[] = [
  ...new Set(BURNS.flatMap(({ shortSeconds, longSeconds }) => [shortSeconds, longSeconds])),
].sort((a, b) => a - b)

/** Fewer bad requests than this in the long window are chance, whatever share of it they are. */
const LEAST_BAD = 5

/** How fast a budget is being spent in two windows: 1 would spend it exactly in its period. */
export interface Burn {
  readonly longSeconds: number
  readonly shortSeconds: number
  /** Above it in both windows it fires. */
  readonly most: number
  readonly longRate: number | null
  readonly shortRate: number | null
  /** Null where a window is not known. */
  readonly firing: boolean | null
}

export interface Budget {
  readonly periodSeconds: number
  /** Of the period, how much is known: Prometheus may keep less. */
  readonly knownSeconds: number
  /** Of what the period allows, the share that is spent; null where nothing is known. */
  readonly spentRatio: number | null
  readonly burns: readonly Burn[]
  readonly grade: BurnGrade
}

/** The share of requests that may be bad, and the share that was. */
interface Allowance {
  readonly allowed: number
  bad(count: WindowCount): number | null
}

/** The budget of a success goal. */
export function successBudget(ratio: number, goals: OwnGoals, counts: GoalCounts | null): Budget {
  const bad = ({ requestsPerSecond, failuresPerSecond }: WindowCount) =>
    requestsPerSecond > 0 ? failuresPerSecond / requestsPerSecond : null
  return budgetOf({ allowed: 1 - ratio, bad }, goals, counts)
}

/** The budget of a latency goal: of every hundred requests one may be slower than the p99 goal. */
export function latencyBudget(name: PercentileName, goals: OwnGoals, counts: GoalCounts | null): Budget {
  const q = PERCENTILES.find((one) => one.name === name)?.q ?? 1
  return budgetOf({ allowed: 1 - q, bad: ({ slowShare }) => slowShare[name] ?? null }, goals, counts)
}

function budgetOf({ allowed, bad }: Allowance, { periodSeconds }: OwnGoals, counts: GoalCounts | null): Budget {
  const rateOver = (windowSeconds: number): { rate: number; badCount: number } | null => {
    const count = counts?.windows.find((one) => one.windowSeconds === windowSeconds)
    const share = count === undefined ? null : bad(count)
    if (count === undefined || share === null) return null
    return { rate: share / allowed, badCount: share * count.requestsPerSecond * windowSeconds }
  }
  const burns = BURNS.map(({ longSeconds, shortSeconds, most }): Burn => {
    const [long, short] = [rateOver(longSeconds), rateOver(shortSeconds)]
    const firing =
      long === null || short === null ? null : long.rate > most && short.rate > most && long.badCount >= LEAST_BAD
    return { longSeconds, shortSeconds, most, longRate: long?.rate ?? null, shortRate: short?.rate ?? null, firing }
  })
  const grades: BurnGrade[] = BURNS.flatMap(({ grade }, index) => (burns[index]?.firing === true ? [grade] : []))
  const grade = grades.includes('crit') ? 'crit' : grades.includes('warn') ? 'warn' : 'none'
  return { periodSeconds, ...spent({ allowed, bad }, periodSeconds, counts?.days ?? []), burns, grade }
}

function spent(
  { allowed, bad }: Allowance,
  periodSeconds: number,
  days: readonly WindowCount[],
): { knownSeconds: number; spentRatio: number | null } {
  let [requests, failed, knownSeconds] = [0, 0, 0]
  for (const day of days) {
    // Without a request a day is known, and spends nothing: the traffic of the others does not stand for it.
    if (day.requestsPerSecond === 0) {
      knownSeconds += day.windowSeconds
      continue
    }
    const share = bad(day)
    if (share === null) continue
    knownSeconds += day.windowSeconds
    requests += day.requestsPerSecond * day.windowSeconds
    failed += share * day.requestsPerSecond * day.windowSeconds
  }
  // Days that are known stand for those that are not: a budget is a share of the period's requests, however many.
  if (requests === 0) return { knownSeconds: 0, spentRatio: null }
  const known = Math.min(knownSeconds, periodSeconds)
  return { knownSeconds: known, spentRatio: (failed / (allowed * requests)) * (known / periodSeconds) }
}

/** For each percentile that has a goal, the share of requests that took longer. */
export function slowShares(histogram: LatencyHistogram | null, goals: OwnGoals): WindowCount['slowShare'] {
  if (histogram === null) return {}
  const shares = PERCENTILES.flatMap(({ name }) => {
    const goal = goals.latencySeconds[name]
    const share = goal === undefined ? null : shareAbove(histogram, goal)
    return share === null ? [] : [[name, share] as const]
  })
  return Object.fromEntries(shares)
}

/**
 * The share of observations above a latency, interpolated inside its bucket as quantiles are. Null without any, or
 * where the latency lies beyond the last finite bound and something does too: nobody knows how much of it.
 */
export function shareAbove(histogram: LatencyHistogram, seconds: number): number | null {
  const total = observationsOf(histogram)
  if (!(total > 0)) return null
  const below = isNative(histogram)
    ? histogram.counts.reduce((sum, count, index) => {
        const [low, high] = [histogram.lows[index] ?? 0, histogram.highs[index] ?? 0].map(
          (bound) => bound * histogram.unitSeconds,
        ) as [number, number]
        return count > 0 ? sum + count * partBelow(low, high, seconds) : sum
      }, 0)
    : histogram.upperBounds.reduce((sum, high, index) => {
        const low = index === 0 ? 0 : (histogram.upperBounds[index - 1] ?? 0)
        const count = (histogram.cumulative[index] ?? 0) - (index === 0 ? 0 : (histogram.cumulative[index - 1] ?? 0))
        return count > 0 ? sum + count * partBelow(low, high, seconds) : sum
      }, 0)
  if (Number.isNaN(below)) return null
  return Math.min(1, Math.max(0, 1 - below / total))
}

/** NaN inside an open bucket. */
function partBelow(low: number, high: number, seconds: number): number {
  if (seconds >= high) return 1
  if (seconds <= low) return 0
  return high === Number.POSITIVE_INFINITY ? Number.NaN : (seconds - low) / (high - low)
}
