import type { Workload, WorkloadGroup } from '@goldseam/server/contract'
import { STATUSES, type Status, statusOf } from '../../answers/status.ts'

export interface FleetFilter {
  readonly q: string
  readonly st: readonly Status[]
  readonly c: readonly string[]
  readonly ns: readonly string[]
}

/** Everything but the status facet, so that the facets can count what each of them would show. */
export function filterByScope(workloads: readonly Workload[], { q, c, ns }: FleetFilter): Workload[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return workloads.filter(
    ({ id, cluster, namespace }) =>
      (c.length === 0 || c.includes(cluster)) &&
      (ns.length === 0 || ns.includes(namespace)) &&
      words.every((word) => id.toLowerCase().includes(word)),
  )
}

/** Groups with a part in view, and those that lack all of theirs; their sums stay those of all their parts. */
export function groupsAmong(groups: readonly WorkloadGroup[], shown: readonly Workload[]): WorkloadGroup[] {
  const ids = new Set(shown.map(({ id }) => id))
  return groups.filter((group) => group.ids.length === 0 || group.ids.some((id) => ids.has(id)))
}

export function filterByStatus(workloads: readonly Workload[], st: readonly Status[]): Workload[] {
  return st.length === 0 ? [...workloads] : workloads.filter((workload) => st.includes(statusOf(workload)))
}

export function countStatuses(workloads: readonly Workload[]): Record<Status, number> {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>
  for (const workload of workloads) counts[statusOf(workload)] += 1
  return counts
}

export function isFiltered({ q, st, c, ns }: FleetFilter): boolean {
  return q !== '' || st.length > 0 || c.length > 0 || ns.length > 0
}
