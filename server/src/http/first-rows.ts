import type { Workload } from '../contract/index.ts'

const HEALTH: Readonly<Record<Workload['health'], number>> = { crit: 0, warn: 1, ok: 2, none: 3 }

/** The workloads that are looked for first: suspects by rank, then those in trouble, then the busiest. In their old order. */
export function firstRows(workloads: readonly Workload[], count: number): Workload[] {
  if (workloads.length <= count) return [...workloads]
  const rank = ({ suspectRank }: Workload) => suspectRank ?? Number.POSITIVE_INFINITY
  const rate = ({ now }: Workload) => now.requestsPerSecond ?? 0
  const order = (a: Workload, b: Workload) =>
    compare(rank(a), rank(b)) || HEALTH[a.health] - HEALTH[b.health] || compare(rate(b), rate(a))
  const first = new Set([...workloads].sort(order).slice(0, count))
  return workloads.filter((workload) => first.has(workload))
}

/** Infinities are equal, where their difference is no number. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}
