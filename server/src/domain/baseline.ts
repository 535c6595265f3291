import { type Column, quantileWithin } from './columns.ts'
import { EVERY_STEP, isKept, type StepMask } from './step-mask.ts'

/** Time steps of the history: step i is the instant `fromSeconds + i * stepSeconds` (unix). */
export interface Axis {
  readonly fromSeconds: number
  readonly stepSeconds: number
  readonly steps: number
}

export function instantOf(axis: Axis, step: number): number {
  return axis.fromSeconds + step * axis.stepSeconds
}

/**
 * The range a quantity usually lies in. `level` is what it is most of the calm time.
 */
export interface Band {
  readonly level: number
  readonly low: number
  readonly high: number
}

/** A mean latency this much above its level (and by the least change) is no longer usual. */
const RATIO = 1.5
/** Changes below this do not matter to anybody who waits, whatever their ratio: machines have such moods. */
const LEAST_CHANGE_SECONDS = 0.02
/** How many times its own unrest a quantity may stray. */
const UNREST = 6
/**
 * The level is this quantile of the values over time: below the median, because trouble makes things slow more often
 * than fast, and above the share of time that a repaired or unused dependency makes things fast.
 */
const LEVEL_QUANTILE = 0.4

let scratch = new Float64Array(0)

function scratchFor(length: number): Float64Array {
  if (scratch.length < length) scratch = new Float64Array(length)
  return scratch
}

/** The usual band of a mean latency over its history; null when there is too little of it. */
export function bandOf(means: Column): Band | null {
  // Thousands are looked at with each snapshot: the values, then the strays, of all of them lie in one and the same place.
  const values = scratchFor(means.length)
  let count = 0
  for (let step = 0; step < means.length; step += 1) {
    const value = means[step] as number
    if (!Number.isNaN(value)) values[count++] = value
  }
  if (count < 4) return null
  const level = quantileWithin(values, count, LEVEL_QUANTILE) ?? 0
  let strays = 0
  for (let index = 0; index < count; index += 1) {
    const value = values[index] as number
    if (value < level * RATIO && value > level / RATIO) values[strays++] = Math.abs(value - level)
  }
  return bandAround(level, quantileWithin(values, strays, 0.5) ?? 0)
}

/** Of an axis with fewer of them every step counts. */
const LEAST_WINDOWS = 15

/**
 * The steps of an axis that make up whole rate windows, counted by the clock: from one step to before another. What is
 * taken of them alone has to be taken once in a rate window.
 */
export function wholeWindows(
  { fromSeconds, stepSeconds, steps }: Axis,
  windowSeconds: number,
): { from: number; end: number } {
  const place = (seconds: number) => Math.round((seconds - fromSeconds) / stepSeconds)
  const first = Math.ceil(fromSeconds / windowSeconds) * windowSeconds
  const last = Math.floor((fromSeconds + steps * stepSeconds) / windowSeconds) * windowSeconds
  return last - first < LEAST_WINDOWS * windowSeconds
    ? { from: 0, end: steps }
    : { from: place(first), end: place(last) }
}

/** The band around a level of which the typical stray is `unrestSeconds`. */
export function bandAround(level: number, unrestSeconds: number): Band {
  const high = Math.max(level * RATIO, level + LEAST_CHANGE_SECONDS, level + UNREST * unrestSeconds)
  const low = Math.min(level / RATIO, level - LEAST_CHANGE_SECONDS)
  return { level, low, high }
}

/** Whether a mean is above what is usual; not where either is unknown. */
export function isAbove(band: Band | null, meanSeconds: number | null): boolean {
  return band !== null && meanSeconds !== null && meanSeconds > band.high
}

/** Steps before and after a deviation that are smeared by the rate window and belong to it. */
const SMEAR_BEFORE = 2
const SMEAR_AFTER = 4

/** Which steps are calm: inside the band, and not next to a stretch that is not. Of most workloads every one is. */
export function calmSteps(means: Column, band: Band | null): StepMask {
  if (band === null) return EVERY_STEP
  let calm = EVERY_STEP
  for (let step = 0; step < means.length; step += 1) {
    const mean = means[step] as number
    if (!(mean > band.high || mean < band.low)) continue
    calm ??= new Uint8Array(means.length).fill(1)
    calm.fill(0, Math.max(0, step - SMEAR_BEFORE), step + SMEAR_AFTER + 1)
  }
  return calm
}

/** Steps inside the band that a deviation may be interrupted by without having ended. */
export const LONGEST_PAUSE = 2

/**
 * The step at which the present deviation above the band began, looking back from the last step; null when the last
 * steps are inside it. `covered`: as many of the last steps are no pause where nothing is known of them, because the
 * present speaks for them.
 */
export function onsetStep(means: Column, band: Band | null, covered = 0): number | null {
  if (band === null) return null
  let last = means.length - 1
  for (let left = covered; left > 0 && Number.isNaN(means[last]); left -= 1) last -= 1
  let onset: number | null = null
  let pause = 0
  for (let step = last; step >= 0 && pause <= LONGEST_PAUSE; step -= 1) {
    const mean = means[step] ?? Number.NaN
    if (mean > band.high) {
      onset = step
      pause = 0
    } else {
      pause += 1
    }
  }
  return onset
}

/** 10th to 90th percentile over the kept steps: the grey band behind a sparkline. */
export function spread(values: Column, keep: StepMask): [number, number] | null {
  const kept = new Float64Array(values.length)
  let count = 0
  for (let step = 0; step < values.length; step += 1) {
    const value = values[step] as number
    if (!Number.isNaN(value) && isKept(keep, step)) kept[count++] = value
  }
  const low = quantileWithin(kept, count, 0.1)
  const high = quantileWithin(kept, count, 0.9)
  return low === null || high === null ? null : [low, high]
}

const CHART_POINTS = 240

/** An axis of 240 steps over a range, at least 15 s apart. */
export function axisOver(fromSeconds: number, toSeconds: number): Axis {
  const stepSeconds = Math.max(15, Math.ceil((toSeconds - fromSeconds) / CHART_POINTS))
  const last = Math.floor(toSeconds / stepSeconds) * stepSeconds
  const steps = Math.max(1, Math.floor((last - fromSeconds) / stepSeconds) + 1)
  return { fromSeconds: last - (steps - 1) * stepSeconds, stepSeconds, steps }
}
