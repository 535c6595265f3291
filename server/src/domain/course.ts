import { type Band, bandOf } from './baseline.ts'
import type { Column } from './columns.ts'
import { failingSteps } from './failing.ts'
import { meansOf, type Traffic } from './traffic.ts'

interface Course {
  readonly means: Column
  readonly band: Band | null
  readonly failing: Uint8Array | null
}

/** A past is looked at in every snapshot until there is more of it. */
const courses = new WeakMap<Traffic, Course>()

/** How the mean latency went, and the band it was in. */
export function courseOf(past: Traffic, windowSeconds: number): Course {
  const known = courses.get(past)
  if (known !== undefined) return known
  const means = meansOf(past)
  const course = { means, band: bandOf(means), failing: failingSteps(past, windowSeconds) }
  courses.set(past, course)
  return course
}
