import { type Band, bandOf } from './baseline.ts'
import type { Column } from './columns.ts'
import { failingSteps } from './failing.ts'
import { remembered } from './remembered.ts'
import { meansOf, type Traffic } from './traffic.ts'

interface Course {
  readonly means: Column
  readonly band: Band | null
  readonly failing: Uint8Array | null
}

/** How the mean latency went, and the band it was in: a past is looked at in every snapshot until there is more of it. */
export const courseOf = remembered((past: Traffic, windowSeconds: number): Course => {
  const means = meansOf(past)
  return { means, band: bandOf(means), failing: failingSteps(past, windowSeconds) }
})
