/**
 * Which steps of a history count: 1 = kept, steps beyond its end are not. Null: every one. A byte a step and not a
 * function, because thousands of columns are read through it with each snapshot.
 */
export type StepMask = Uint8Array | null

export const EVERY_STEP: StepMask = null
export const NO_STEPS = new Uint8Array(0)

/** Steps from one to before another, of which those count that a mask keeps. */
export interface Stretch {
  readonly from: number
  readonly end: number
  readonly keep: StepMask
}

export function isKept(mask: StepMask, step: number): boolean {
  return mask === null || mask[step] === 1
}

/** The shortest stretch of so many steps that holds all that a mask keeps. */
export function stretchOf(keep: StepMask, steps: number): Stretch {
  if (keep === null) return { from: 0, end: steps, keep }
  const last = Math.min(keep.lastIndexOf(1), steps - 1)
  return { from: Math.max(0, keep.indexOf(1)), end: last + 1, keep }
}

/** The steps from the first to the last, both included, as far as there are so many. */
export function stepsWithin([first, last]: readonly [number, number], steps: number): Uint8Array {
  return new Uint8Array(steps).fill(1, Math.max(0, first), Math.max(0, last + 1))
}

/** The steps that both keep, of as many as the second has. */
export function keptByBoth(one: StepMask, other: Uint8Array): Uint8Array {
  return one === null ? other : other.map((kept, step) => kept & (one[step] ?? 0))
}

/** The steps that a mask keeps, of so many, but for those that another marks with 1. */
export function keptBut(keep: StepMask, marked: Uint8Array, steps: number): Uint8Array {
  const kept = keep === null ? new Uint8Array(steps).fill(1) : keep.slice()
  for (let step = 0; step < marked.length; step += 1) if (marked[step] === 1) kept[step] = 0
  return kept
}
