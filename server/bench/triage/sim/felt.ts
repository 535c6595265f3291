import type { Incident } from './draw-incident.ts'
import type { Recording } from './types.ts'

/** An incident that no front's callers notice is none. */
const FELT = { ratio: 1.8, addedSeconds: 0.04, failures: 0.02 }
const LAST_SECONDS = 60
const LEAST_COUNTED = 20

/** Whether the callers of some front felt it in the last minute, by what the fronts' own proxies counted. */
export function isFelt(incident: Incident, recording: Recording): boolean {
  const { kind, world, culprits, onsetSeconds, untilSeconds } = incident
  // The one may have cut the other off from all callers: then only one is left to be found.
  const apart = kind === 'twoLatencies' ? culprits.flatMap(({ workloads }) => workloads) : []
  const since = untilSeconds - LAST_SECONDS
  if (apart.some((workload) => counted(recording, workload, since, untilSeconds, true).count < LEAST_COUNTED))
    return false
  return world.entries.some(({ workload }) => {
    const before = counted(recording, workload, 60, onsetSeconds)
    const now = counted(recording, workload, untilSeconds - LAST_SECONDS, untilSeconds)
    if (before.count === 0) return false
    // Nobody is answered any more.
    if (now.count < before.count / 10 && now.count < 5) return true
    const [usual, present] = [before.seconds / before.count, now.seconds / now.count]
    const slower = present >= FELT.ratio * usual && present - usual >= FELT.addedSeconds
    return slower || now.failed / now.count - before.failed / before.count >= FELT.failures
  })
}

function counted(
  { flows, scrapes }: Recording,
  workload: number,
  from: number,
  until: number,
  all = false,
): { count: number; failed: number; seconds: number } {
  const sum = { count: 0, failed: 0, seconds: 0 }
  for (const flow of flows) {
    if (flow.workload !== workload || flow.direction !== 'inbound' || (flow.call !== null && !all)) continue
    const times = scrapes[workload]?.[flow.pod] ?? []
    const at = (limit: number) => times.findLastIndex((time) => time <= limit) - flow.firstScrape
    const [first, last] = [at(from), at(until)]
    const grown = (values: readonly number[]) => (values[last] ?? 0) - (values[Math.max(0, first)] ?? 0)
    sum.count += grown(flow.succeeded) + grown(flow.failed)
    sum.failed += grown(flow.failed)
    sum.seconds += grown(flow.seconds)
  }
  return sum
}
