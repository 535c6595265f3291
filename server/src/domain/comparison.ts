import { type Column, quantileOf } from './columns.ts'
import type { GoldenReading } from './golden.ts'

/** `more` and `less`: of what is neither good nor bad. */
export type Difference = 'same' | 'better' | 'worse' | 'more' | 'less' | 'unclear'

/** How much a quantity varied by itself within a side's window: 10th to 90th percentile of its steps. */
export type Spread = readonly [low: number, high: number] | null

export interface Side {
  readonly reading: GoldenReading
  readonly spreads: { readonly requestsPerSecond: Spread; readonly errorRatio: Spread; readonly meanSeconds: Spread }
}

export interface Differences {
  readonly requestsPerSecond: Difference | null
  readonly successRatio: Difference | null
  readonly p50: Difference | null
  readonly p99: Difference | null
}

/** Less than this part is no difference worth a word. */
const LEAST_PART = 0.1

export function spreadOf(values: Column | readonly number[]): Spread {
  const known = [...values].filter((value) => Number.isFinite(value))
  const low = quantileOf(known, 0.1)
  const high = quantileOf(known, 0.9)
  return low === null || high === null ? null : [low, high]
}

/**
 * Whether two numbers differ: by more than a tenth, and by more than either side varied within its own window. A number
 * that lies in the other side's spread may have come from there.
 */
export function differs(a: number, b: number, spreadA: Spread, spreadB: Spread): boolean {
  const size = Math.max(Math.abs(a), Math.abs(b))
  if (size === 0 || Math.abs(a - b) <= LEAST_PART * size) return false
  const within = (value: number, spread: Spread) => spread !== null && value >= spread[0] && value <= spread[1]
  return !within(b, spreadA) && !within(a, spreadB)
}

/** B against A. Latency's spread is that of the mean, scaled to the percentile: buckets come in coarser steps. */
export function differencesOf(a: Side | null, b: Side | null): Differences {
  if (a === null || b === null) return { requestsPerSecond: null, successRatio: null, p50: null, p99: null }
  const [goldenA, goldenB] = [a.reading.golden, b.reading.golden]
  const latency = (name: 'p50' | 'p99'): Difference | null => {
    const [valueA, valueB] = [goldenA.latencySeconds[name], goldenB.latencySeconds[name]]
    if (valueA === null || valueB === null) return null
    const few = [a, b].some(({ reading }) => reading.truths[name] === 'lowSample')
    const scaled = (side: Side, value: number): Spread => {
      const mean = side.reading.golden.latencySeconds.mean
      const spread = side.spreads.meanSeconds
      if (mean === null || spread === null || mean <= 0) return null
      return [(spread[0] / mean) * value, (spread[1] / mean) * value]
    }
    if (!differs(valueA, valueB, scaled(a, valueA), scaled(b, valueB))) return 'same'
    return few ? 'unclear' : valueB > valueA ? 'worse' : 'better'
  }
  return {
    requestsPerSecond: plainly(goldenA.requestsPerSecond, goldenB.requestsPerSecond, a, b),
    successRatio: failing(goldenA.successRatio, goldenB.successRatio, a, b),
    p50: latency('p50'),
    p99: latency('p99'),
  }
}

function plainly(valueA: number | null, valueB: number | null, a: Side, b: Side): Difference | null {
  if (valueA === null || valueB === null) return null
  const { requestsPerSecond: spreadA } = a.spreads
  if (!differs(valueA, valueB, spreadA, b.spreads.requestsPerSecond)) return 'same'
  return valueB > valueA ? 'more' : 'less'
}

/** Fewer failures than these on both sides together prove nothing. */
const LEAST_FAILURES = 5

/** Compared as failures: 99.9 % and 99.99 % are a tenth of a percent apart and ten times each other. */
function failing(successA: number | null, successB: number | null, a: Side, b: Side): Difference | null {
  if (successA === null || successB === null) return null
  const [errorsA, errorsB] = [1 - successA, 1 - successB]
  if (!differs(errorsA, errorsB, a.spreads.errorRatio, b.spreads.errorRatio)) return 'same'
  const failures = [[a, errorsA] as const, [b, errorsB] as const].reduce(
    (sum, [side, errors]) => sum + errors * (side.reading.golden.sampleCount ?? 0),
    0,
  )
  if (failures < LEAST_FAILURES) return 'unclear'
  return errorsB > errorsA ? 'worse' : 'better'
}

const GRAVITY: readonly Difference[] = ['same', 'better', 'unclear', 'worse']

/** The gravest of success and latency; null where neither can be compared. */
export function verdictOver({ successRatio, p50, p99 }: Differences): Difference | null {
  const judged = [successRatio, p99 ?? p50].filter((one): one is Difference => one !== null)
  return judged.reduce<Difference | null>(
    (worst, one) => (worst === null || GRAVITY.indexOf(one) > GRAVITY.indexOf(worst) ? one : worst),
    null,
  )
}

/** Steps on either side of a change that have to be known. */
const LEAST_STEPS = 4
const LEAST_STEP_RATIO = 1.5

/** The step from which on a quantity lies on another level: where the medians before and after are furthest apart. */
export function changeStep(values: Column): number | null {
  let best: { step: number; size: number } | null = null
  for (let step = LEAST_STEPS; step <= values.length - LEAST_STEPS; step += 1) {
    const known = (part: Column) => [...part].filter((value) => value > 0)
    const [before, after] = [known(values.subarray(0, step)), known(values.subarray(step))]
    const [low, high] = [quantileOf(before, 0.5), quantileOf(after, 0.5)]
    if (low === null || high === null || before.length < LEAST_STEPS || after.length < LEAST_STEPS) continue
    // The medians stay apart for a while beside the change itself; the spread of both parts is least right at it.
    const apart = Math.abs(Math.log(high / low))
    const scatter = meanDistance(before, low) + meanDistance(after, high)
    const size = apart / (0.05 + scatter)
    if (apart >= Math.log(LEAST_STEP_RATIO) && (best === null || size > best.size)) best = { step, size }
  }
  return best?.step ?? null
}

function meanDistance(values: readonly number[], middle: number): number {
  return values.reduce((sum, value) => sum + Math.abs(Math.log(value / middle)), 0) / values.length
}
