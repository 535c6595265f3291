import { type Axis, type Band, bandOf, wholeWindows } from './baseline.ts'
import type { Column } from './columns.ts'
import { failingSteps } from './failing.ts'
import { remembered } from './remembered.ts'
import { ofSettled } from './settled-steps.ts'
import { EVERY_STEP } from './step-mask.ts'
import { meansOf, rowsOf, type Traffic } from './traffic.ts'

interface Course {
  readonly means: Column
  readonly failing: Uint8Array | null
}

/** How the mean latency went, and when it failed: a past is looked at in every snapshot until there is more of it. */
export const courseOf = remembered((past: Traffic, windowSeconds: number): Course => {
  return { means: meansOf(past), failing: failingSteps(past, windowSeconds) }
})

/** The band that the means were in over the whole rate windows of an axis; within one of them it stays as it is. */
export function courseBand(
  past: Traffic,
  { means }: Pick<Course, 'means'>,
  axis: Axis,
  windowSeconds: number,
): Band | null {
  const { from, end } = wholeWindows(axis, windowSeconds)
  return settledBand(rowsOf(past), { from, end, keep: EVERY_STEP }, () => bandOf(means.subarray(from, end)))
}

const settledBand = ofSettled<Band | null>()
