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

/** Why the usual values are not to be trusted, where one workload's are those of an incident; null where none's are. */
export function pollutedNote(courses: readonly Course[], axis: Axis): string | null {
  let worst: (Shift & { readonly id: string }) | null = null
  for (const { id, stale, means, band } of courses) {
    const shift = stale || means === null ? null : shiftIn(means, band)
    if (shift !== null && (worst === null || shift.ratio > worst.ratio)) worst = { id, ...shift }
  }
  if (worst === null) return null
  const since = instantOf(axis, worst.step)
  const lasting = age(instantOf(axis, axis.steps - 1) - since)
  return `${spoken(worst.id)} became ${times(worst.ratio).slice(1)} times slower at ${clock(since)} UTC and has been so for ${lasting}: its usual values may be those of an incident, compare with a day ago (cmp=1d)`
}
