import { parseWorkloadId } from './identity.ts'
import type { Situation } from './situation.ts'

/** What the data cannot carry: named in the verdict, and no stronger word than `most` is said in spite of it. */
export interface Caveat {
  readonly text: string
  readonly most: 'likely' | 'weak'
}

/** A Date header is exact to a second; less than this does not turn two onsets around. */
const SKEW_SECONDS = 15
/** Requests of the affected entry in the rate window: from fewer, a mean is a matter of luck. */
const LEAST_REQUESTS = 60

/** Clocks that are off on this way, in words; then who moved first is not told by onsets. Empty where none is. */
export function skewsOn(situation: Situation, path: readonly string[]): string[] {
  const names = new Set(path.flatMap((id) => parseWorkloadId(id)?.cluster ?? []))
  return [...names].sort().flatMap((name) => {
    const skew = situation.clusters.get(name)?.surroundings?.clockSkewSeconds ?? 0
    if (Math.abs(skew) < SKEW_SECONDS) return []
    return [`the clock of ${name} is ${Math.round(Math.abs(skew))} s ${skew > 0 ? 'ahead' : 'behind'}`]
  })
}

/** Everything that weakens what is said of the way from an affected workload to its suspect. */
export function caveatsOf(situation: Situation, entry: string, path: readonly string[]): Caveat[] {
  const skews = skewsOn(situation, path)
  const { compare, workloads } = situation.assessment
  const requests = (workloads.get(entry)?.now.requestsPerSecond ?? 0) * situation.windowSeconds
  return [
    ...(skews.length === 0
      ? []
      : [{ text: `${capital(skews.join(' and '))}: who moved first is not counted.`, most: 'likely' as const }]),
    ...(compare?.note ? [{ text: `${capital(compare.note)}.`, most: 'weak' as const }] : []),
    ...(requests < LEAST_REQUESTS
      ? [{ text: `Only ${Math.round(requests)} requests in the rate window.`, most: 'likely' as const }]
      : []),
  ]
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
