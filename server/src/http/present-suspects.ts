import type { Contribution, Suspect } from '../contract/index.ts'
import type { Entry } from '../domain/entry.ts'
import type { Suspect as Named } from '../domain/suspects.ts'
import { timeOrNull } from './present-golden.ts'

export function presentSuspect(suspect: Named): Suspect {
  const { own } = suspect
  const self = suspect.trouble === 'latency' && suspect.kind === 'workload'
  return {
    id: suspect.id,
    rank: suspect.rank,
    word: suspect.word,
    kind: suspect.kind,
    trouble: suspect.trouble,
    own: {
      seconds: self ? own.seconds : suspect.contributedSeconds,
      lowSeconds: self ? own.lowSeconds : null,
      highSeconds: self ? own.highSeconds : null,
      of: suspect.of,
      share: suspect.share,
      ofSelf: self ? own.ofSelf : null,
      reason: own.reason,
    },
    deltaSeconds: suspect.deltaSeconds,
    path: [...suspect.path],
    victims: [...suspect.victims],
    onset: timeOrNull(suspect.onsetSeconds),
    hints: [...suspect.hints],
    evidence: suspect.evidence.map((item) => ({ ...item })),
    alike: [...suspect.alike],
    feltAt: suspect.feltAt.map((one) => ({ ...one })),
    wouldClear: [...suspect.wouldClear],
    timeline: suspect.timeline.map(({ id, onsetSeconds }) => ({ id, onset: timeOrNull(onsetSeconds) })),
  }
}

/** An entry's slowdown split up, largest part first. */
export function presentContributions(entry: Entry | undefined): Contribution[] {
  if (entry === undefined) return []
  return [...entry.decomposition.contributions]
    .sort((a, b) => b.seconds - a.seconds)
    .map(({ id, kind, seconds }) => ({
      id,
      kind,
      seconds,
      share: entry.totalSeconds > 0 ? seconds / entry.totalSeconds : null,
    }))
}
