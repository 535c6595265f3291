import type { ClusterView } from '../domain/assess.ts'
import type { ClusterSummary, Gap } from './snapshot.ts'

export interface Reported {
  /** It answered, but not with everything. */
  readonly partial: boolean
  readonly gaps: readonly Gap[]
  readonly speaks: ClusterSummary['speaks']
  /** In its last good answer; null: it never gave one. */
  readonly workloadsLastSeen: number | null
  /** Whether a reading of it is under way. */
  readonly waiting: boolean
  readonly percentilesAgeSeconds: number | null
  /** Undefined: there are none. */
  readonly callsAgeSeconds: number | undefined
}

/** How a cluster fares, in a line. */
export function summaryOf(
  view: ClusterView,
  { partial, gaps, speaks, workloadsLastSeen, waiting, percentilesAgeSeconds, callsAgeSeconds }: Reported,
): ClusterSummary {
  const [gap] = gaps
  const everGood = workloadsLastSeen !== null
  return {
    name: view.name,
    state: stateOf(view, partial, !everGood && waiting && gaps.some(({ why }) => why === 'slow')),
    ageSeconds: view.state === 'missing' && !everGood ? null : view.ageSeconds,
    percentilesAgeSeconds,
    ...(callsAgeSeconds === undefined ? {} : { callsAgeSeconds }),
    reason: gap === undefined ? null : `${gap.why}: ${gap.detail}`,
    workloads: new Set([...(view.now?.inbound.keys() ?? []), ...(view.history?.inbound.keys() ?? [])]).size,
    workloadsLastSeen,
    dialects: speaks.map((dialect) => dialect.name),
    speaks,
  }
}

function stateOf(view: ClusterView, partial: boolean, pending: boolean): ClusterSummary['state'] {
  switch (view.state) {
    case 'missing':
      return pending ? 'pending' : 'down'
    case 'stale':
      return 'stale'
    case 'current':
      return partial ? 'partial' : 'ok'
    default:
      return view.state satisfies never
  }
}
