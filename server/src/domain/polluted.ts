import { type Axis, type Band, instantOf } from './baseline.ts'
import type { Column } from './columns.ts'
import { spoken } from './identity.ts'
import { age, clock, times } from './phrase.ts'

/** A mean that rose at once and stayed up for most of the history: what passes for usual is the trouble itself. */
export interface Shift {
  readonly step: number
  readonly ratio: number
}

const LEAST_CALM_STEPS = 8
const LEAST_RATIO = 2
/** Rising longer than this is a rhythm, not an incident. */
const MOST_RISE_STEPS = 6

/**
 * Whether the usual level of a mean is that of an incident older than the window usual values are taken from: calm and
 * much lower at the beginning of the history, then risen at once, and never back. Null where it is not.
 */
export function shiftIn(means: Column, band: Band | null): Shift | null {
  if (band === null) return null
  // Thousands are looked at with each snapshot, and hardly one begins below its band.
  let first = 0
  while (first < means.length && !((means[first] as number) >= band.low)) first += 1
  if (first === means.length || first < LEAST_CALM_STEPS) return null
  for (let step = first; step < means.length; step += 1) if ((means[step] as number) < band.low) return null
  const calm = [...means.subarray(0, first)].filter((mean) => !Number.isNaN(mean))
  if (calm.length < LEAST_CALM_STEPS) return null
  const before = calm.slice(0, -MOST_RISE_STEPS)
  const level = before.reduce((sum, mean) => sum + mean, 0) / Math.max(1, before.length)
  const ratio = band.level / level
  // On its way up for longer than a few steps: it climbed.
  if (!(ratio >= LEAST_RATIO) || before.some((mean) => mean > level * 1.5)) return null
  return { step: first, ratio }
}

interface Course {
  readonly id: string
  readonly stale: boolean
  readonly means: Column | null
  readonly band: Band | null
}

/** A workload whose usual level is that of an incident. */
export interface Polluted {
  readonly id: string
  readonly ratio: number
  readonly sinceSeconds: number
  readonly lastingSeconds: number
}

/** Whose usual values are those of an incident, worst first; who does not answer is not looked at. */
export function pollutedAmong(courses: readonly Course[], axis: Axis): Polluted[] {
  const nowSeconds = instantOf(axis, axis.steps - 1)
  const found = courses.flatMap(({ id, stale, means, band }) => {
    const shift = stale || means === null ? null : shiftIn(means, band)
    if (shift === null) return []
    const sinceSeconds = instantOf(axis, shift.step)
    return [{ id, ratio: shift.ratio, sinceSeconds, lastingSeconds: nowSeconds - sinceSeconds }]
  })
  return found.sort((a, b) => b.ratio - a.ratio)
}

/** Why usual values are not to be trusted, in words about the worst; null where they are. */
export function pollutedNote([worst]: readonly Polluted[]): string | null {
  if (worst === undefined) return null
  const { id, ratio, sinceSeconds, lastingSeconds } = worst
  return `${spoken(id)} became ${times(ratio).slice(1)} times slower at ${clock(sinceSeconds)} UTC and has been so for ${age(lastingSeconds)}: its usual values may be those of an incident, compare with a day ago (cmp=1d)`
}
