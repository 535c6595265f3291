import type { Cluster, Gap, Snapshot, Verdict } from '../contract/index.ts'
import type { Verdict as DomainVerdict } from '../domain/verdict.ts'
import type { Watch } from '../domain/watch.ts'
import type { Gap as MissedPart, Snapshot as Taken } from '../federation/snapshot.ts'
import { time, timeOrNull } from './present-golden.ts'

/** The head of every federated answer. */
export function presentHead(taken: Taken): { snapshot: Snapshot; clusters: Cluster[]; gaps: Gap[]; verdict: Verdict } {
  const { compare } = taken.situation.assessment
  const { verdict, watch } = taken
  return {
    snapshot: {
      id: taken.id,
      at: time(taken.atSeconds),
      rateWindowSeconds: taken.windowSeconds,
      compare: compare === null ? null : { from: time(compare.fromSeconds), to: time(compare.toSeconds) },
      compareNote: compare?.note ?? null,
      refreshSeconds: taken.refreshSeconds,
    },
    clusters: taken.clusters.map(({ speaks: _, workloadsLastSeen: _seen, ...cluster }) => ({
      ...cluster,
      dialects: [...cluster.dialects],
    })),
    gaps: taken.gaps.map(presentGap),
    verdict: {
      ...presentVerdict(verdict),
      ...(verdict.form === 'quiet' && watch !== null ? { seenTrouble: presentWatch(watch) } : {}),
    },
  }
}

export function presentVerdict({ form, text, subject, suspect, sinceSeconds, word }: DomainVerdict): Verdict {
  return { form, text, subject, suspect, since: timeOrNull(sinceSeconds), word }
}

function presentWatch({ sinceSeconds, troubleSeconds }: Watch): Verdict['seenTrouble'] {
  return { last: timeOrNull(troubleSeconds), lookingSince: time(sinceSeconds) }
}

export function presentGap({ sinceSeconds, ...gap }: MissedPart): Gap {
  return { ...gap, since: time(sinceSeconds) }
}
