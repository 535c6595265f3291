import type { Assessed } from './assess.ts'
import { byWeight, type Candidate, candidatesIn } from './candidates.ts'
import { type Entry, entryFor, failingEntry } from './entry.ts'
import { clusterOf } from './identity.ts'
import type { Situation } from './situation.ts'
import { flatMapping, type Turns } from './turns.ts'

/** Most of what it became slower, or fails more often, is its own. */
const APART_SHARE = 0.5

/**
 * Who is slow or fails by itself, though no front feels enough of it: most of its callers gave up on it, do not wait, or
 * do without its answer. A suspect that it waits for as well is no excuse for what is its own. They come after those that
 * are felt.
 */
export function* candidatesApart(
  situation: Situation,
  affected: readonly Assessed[],
  felt: readonly Candidate[],
): Turns<Candidate[]> {
  const named = namedBy(felt)
  const found = yield* flatMapping(affected, ({ id }): Candidate[] => {
    if (named.has(id)) return []
    const entry = entryFor(situation, id, false)
    const candidates = entry === undefined ? [] : candidatesIn(entry, situation)
    return candidates.filter(({ contribution, share }) => contribution.id === id && share >= APART_SHARE)
  })
  return byWeight(found, situation)
}

/**
 * What makes an entry fail that is slow as well, for another reason. Not itself: who waits for too long fails for that.
 * Nor a way, for the same: calls that time out look lost on it. Nor what lies in a cluster that does not answer: what
 * makes the entry slow may lie there, too.
 */
export function* alsoFailing(
  situation: Situation,
  entries: readonly Entry[],
  slowed: readonly Candidate[],
): Turns<Candidate[]> {
  const named = namedBy(slowed)
  return yield* flatMapping(entries, ({ id, trouble }): Candidate[] => {
    const failing = trouble === 'latency' && situation.assessment.workloads.get(id)?.trouble.failures !== 'none'
    const entry = failing ? failingEntry(situation, id) : undefined
    const candidates = entry === undefined ? [] : candidatesIn(entry, situation)
    return candidates.filter(({ contribution: { kind, id: culprit } }) => {
      if (kind === 'link' || culprit === id || named.has(culprit)) return false
      const cluster = situation.clusters.get(clusterOf(culprit))
      return cluster === undefined || cluster.state === 'current'
    })
  })
}

function namedBy(candidates: readonly Candidate[]): Set<string> {
  return new Set(candidates.flatMap(({ contribution, alike }) => [contribution.id, ...alike]))
}
