import { gaining } from './fail-over.ts'
import type { Landings } from './landing.ts'
import { clusterOf } from './picture.ts'

/** What would land where if one cluster went, in a few numbers. Rates in requests per second. */
export interface Outlook {
  readonly cluster: string
  /** What users and other clusters ask of it, by the cluster that would answer instead; most first. */
  readonly lands: readonly { readonly cluster: string; readonly requestsPerSecond: number }[]
  /** Requests that no other cluster could answer, and of which workloads; the busiest first. */
  readonly nowhere: { readonly requestsPerSecond: number; readonly ids: readonly string[] }
  /** How many workloads would get more than now. */
  readonly gaining: number
  /** Whose rate would grow most; null: nobody's. */
  readonly most: { readonly id: string; readonly now: number; readonly after: number } | null
}

/** The question asked of one cluster without looking back: what has been carried before takes days to read. */
export function outlookOf(cluster: string, found: Landings, doors: ReadonlySet<string>): Outlook {
  const lands = new Map<string, number>()
  for (const { id, direct } of found.landings) {
    // What comes in at a door is counted where it is let in to.
    if (direct <= 0 || doors.has(id)) continue
    lands.set(clusterOf(id), (lands.get(clusterOf(id)) ?? 0) + direct)
  }
  const growing = gaining(found)
  const first = growing.find((id) => !doors.has(id))
  const most = found.landings.find(({ id }) => id === first)
  return {
    cluster,
    lands: [...lands]
      .map(([name, requestsPerSecond]) => ({ cluster: name, requestsPerSecond }))
      .sort((a, b) => b.requestsPerSecond - a.requestsPerSecond),
    nowhere: {
      requestsPerSecond: found.nowhere.reduce((sum, one) => sum + one.requestsPerSecond, 0),
      ids: found.nowhere.map(({ id }) => id),
    },
    gaining: growing.length,
    most: most === undefined ? null : { id: most.id, now: most.now, after: most.after },
  }
}
