import type { Workload } from '../contract/index.ts'

/** By what a workload is looked for. */
export interface LookedFor {
  readonly suspectRank: number | null
  readonly health: Workload['health']
  readonly requestsPerSecond: number | null
}

const HEALTH: Readonly<Record<Workload['health'], number>> = { crit: 0, warn: 1, ok: 2, none: 3 }

/** The workloads that are looked for first: suspects by rank, then those in trouble, then the busiest. In their old order. */
export function firstRows<T>(all: readonly T[], count: number, lookedFor: (one: T) => LookedFor): readonly T[] {
  if (all.length <= count) return all
  const ranked = all.map((one) => ({ one, by: lookedFor(one) })).sort((a, b) => order(a.by, b.by))
  const first = new Set(ranked.slice(0, count).map(({ one }) => one))
  return all.filter((one) => first.has(one))
}

function order(a: LookedFor, b: LookedFor): number {
  const rank = ({ suspectRank }: LookedFor) => suspectRank ?? Number.POSITIVE_INFINITY
  const rate = ({ requestsPerSecond }: LookedFor) => requestsPerSecond ?? 0
  return compare(rank(a), rank(b)) || HEALTH[a.health] - HEALTH[b.health] || compare(rate(b), rate(a))
}

/** Infinities are equal, where their difference is no number. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}
