import type { Golden, Suspect, Truth, Workload } from '@goldseam/server/contract'
import { type Status, statusOf } from '../../answers/status.ts'
import { parseEdgeId, parseWorkloadId } from '../../format/workload-name.ts'
import type { Sort, SortColumn } from './fleet-search.ts'

/** The heading of a part of the table: what its rows add up to. */
export interface Lane {
  readonly name: string
  readonly count: number
  readonly inTrouble: number
  /** Null when nobody in it reports a rate. */
  readonly requestsPerSecond: number | null
  readonly successRatio: number | null
  /** Some of it is old or missing: the sums are of what is known. */
  readonly partial: boolean
  /** Of a cluster that does not answer: for how long, and why. */
  readonly silence: string | null
}

/**
 * A row of the table: a workload, a suspect that is none (the way between two, or something nobody measures), or the
 * heading of those below it.
 */
export type FleetRow =
  | {
      readonly kind: 'workload'
      readonly id: string
      readonly workload: Workload
      readonly suspect: Suspect | null
      /** Of one that is hurt: whom it calls across a seam on the way to the suspect. */
      readonly seamTo?: string
    }
  | { readonly kind: 'other'; readonly id: string; readonly suspect: Suspect }
  | { readonly kind: 'lane'; readonly id: string; readonly suspect: null; readonly lane: Lane }

export function orderFleet(workloads: readonly Workload[], suspects: readonly Suspect[], sort: Sort): FleetRow[] {
  const byBlame = sort.column === 'blame'
  const blamed = blameOrder(workloads, suspects, byBlame)
  if (byBlame) return sort.descending ? blamed : blamed.reverse()
  const rows = blamed.filter((row) => row.kind === 'workload')
  const others = blamed.filter((row) => row.kind === 'other')
  // Read once: two thousand rows are compared some twenty thousand times.
  const keyed = rows.map((row) => ({ row, key: sortable(sort.column, row.workload) }))
  return [...others, ...keyed.sort((a, b) => compareBy(sort, a, b)).map(({ row }) => row)]
}

/**
 * Culprits by rank, each followed by those it hurts, then other trouble, then the healthy ones by traffic; these last as
 * they come where another column orders them anyway.
 */
export function blameOrder(workloads: readonly Workload[], suspects: readonly Suspect[], restToo = true): FleetRow[] {
  const rest = new Map(workloads.map((workload) => [workload.id, workload]))
  const rows: FleetRow[] = []
  for (const suspect of [...suspects].sort((a, b) => a.rank - b.rank)) {
    const own = rest.get(suspect.id)
    if (own) rows.push({ kind: 'workload', id: own.id, workload: own, suspect })
    else rows.push({ kind: 'other', id: suspect.id, suspect })
    rest.delete(suspect.id)
    const hurt = [...rest.values()].filter(({ via, suspectRank }) => via === suspect.id && suspectRank === null)
    for (const workload of hurt.sort(byDepth(suspect))) {
      const seamTo = seamOnTheWay(suspect, workload)
      rows.push({ kind: 'workload', id: workload.id, workload, suspect: null, ...(seamTo ? { seamTo } : {}) })
      rest.delete(workload.id)
    }
  }
  const others = restToo ? byUrgency([...rest.values()]) : [...rest.values()]
  return [
    ...rows,
    ...others.map((workload): FleetRow => ({ kind: 'workload', id: workload.id, workload, suspect: null })),
  ]
}

function byUrgency(workloads: readonly Workload[]): Workload[] {
  const keyed = workloads.map((workload) => ({ workload, urgency: URGENCY[statusOf(workload)] }))
  keyed.sort((a, b) => a.urgency - b.urgency || byTraffic(a.workload, b.workload))
  return keyed.map(({ workload }) => workload)
}

/** The next one on the way to the suspect, where it runs in another cluster. */
function seamOnTheWay({ path }: Suspect, { id, cluster }: Workload): string | undefined {
  const at = path.indexOf(id)
  const next = at < 0 ? undefined : path[at + 1]
  const callee = next === undefined ? undefined : (parseEdgeId(next)?.to ?? next)
  const there = callee === undefined ? null : parseWorkloadId(callee)
  return there === null || there.cluster === cluster ? undefined : callee
}

const URGENCY: Record<Status, number> = { crit: 0, via: 1, warn: 2, stale: 3, ok: 4, none: 5 }

/** Nearest to the culprit first: the order in which the trouble travels. */
function byDepth(suspect: Suspect): (a: Workload, b: Workload) => number {
  const depth = ({ id }: Workload) => {
    const at = suspect.path.indexOf(id)
    return at < 0 ? 0 : at
  }
  return (a, b) => depth(b) - depth(a) || (b.changeRatio ?? 0) - (a.changeRatio ?? 0) || byName(a, b)
}

function byTraffic(a: Workload, b: Workload): number {
  return (b.now.requestsPerSecond ?? -1) - (a.now.requestsPerSecond ?? -1) || byName(a, b)
}

function byName(a: Workload, b: Workload): number {
  return a.namespace.localeCompare(b.namespace) || a.name.localeCompare(b.name) || a.cluster.localeCompare(b.cluster)
}

interface Keyed {
  readonly row: { readonly workload: Workload }
  readonly key: { readonly tier: number; readonly value: number }
}

function compareBy({ column, descending }: Sort, left: Keyed, right: Keyed): number {
  const [a, b] = [left.row.workload, right.row.workload]
  if (column === 'name') return (descending ? -1 : 1) * byName(a, b)
  if (column === 'cluster') return (descending ? -1 : 1) * a.cluster.localeCompare(b.cluster) || byName(a, b)
  // What cannot be told sorts last whichever way the column runs.
  if (left.key.tier !== right.key.tier) return left.key.tier - right.key.tier
  return (descending ? right.key.value - left.key.value : left.key.value - right.key.value) || byName(a, b)
}

/** Tier 0: solid; 1: an estimate from few requests; 2: no number at all. */
function sortable(column: SortColumn, { now, truths, own, changeRatio }: Workload): { tier: number; value: number } {
  switch (column) {
    case 'rps':
      return tiered(now.requestsPerSecond, truths.requestsPerSecond)
    case 'success':
      return tiered(now.successRatio, truths.successRatio)
    case 'p50':
    case 'p95':
    case 'p99':
    case 'p999':
      return tiered(percentile(now, column), truths[column])
    case 'own':
      return tiered(own.share, 'value')
    case 'change':
      return tiered(changeRatio, 'value')
    default:
      return { tier: 0, value: 0 }
  }
}

function percentile(golden: Golden, column: 'p50' | 'p95' | 'p99' | 'p999'): number | null {
  return golden.latencySeconds[column]
}

function tiered(value: number | null, truth: Truth): { tier: number; value: number } {
  if (truth === 'offScale') return { tier: 0, value: Number.MAX_VALUE }
  if (value === null || truth === 'noTraffic' || truth === 'neverSeen') return { tier: 2, value: 0 }
  return { tier: truth === 'lowSample' ? 1 : 0, value }
}
