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

/** Those of some steps that lie from the first to the last, both included. */
export function within(steps: Uint8Array, [first, last]: readonly [number, number]): Uint8Array {
  const narrow = new Uint8Array(steps.length)
  const [from, end] = [Math.max(0, first), Math.min(narrow.length, last + 1)]
  if (from < end) narrow.set(steps.subarray(from, end), from)
  return narrow
}
