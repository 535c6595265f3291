import type { Assessed } from './assess.ts'
import { byWeight, type Candidate, candidatesIn, LEAST_SHARE } from './candidates.ts'
import { alsoFailing, candidatesApart } from './candidates-apart.ts'
import { type Caveat, caveatsOf } from './caveats.ts'
import { addedBy, type Contribution } from './decomposition.ts'
import { type Entry, entriesOf, entryFor, failuresOf } from './entry.ts'
import { evidenceFor, hintsFor } from './evidence.ts'
import type { Evidence } from './evidence-item.ts'
import { parseWorkloadId } from './identity.ts'
import { netOf, type OwnTime, ownDelta } from './own-time.ts'
import { pathTo } from './path.ts'
import { clearedOf, darkOf, problemsOf } from './problems.ts'
import { isAffected, type Situation } from './situation.ts'
import { offSince, sinceOf } from './trouble.ts'
import { allAtOnce, flatMapping, type Turns } from './turns.ts'
import { wouldClear } from './would-clear.ts'

export type Word = 'strong' | 'likely' | 'weak'

export interface Suspect {
  /** A workload, `from~to` for a link, or what lies in the dark. */
  readonly id: string
  readonly kind: Contribution['kind']
  readonly rank: number
  readonly word: Word
  readonly trouble: 'latency' | 'failures'
  readonly own: OwnTime
  /** The entry whose slowdown `share` is a part of, and that slowdown. */
  readonly of: string
  readonly share: number
  /** What it adds to each request of the entry (failures: per second). */
  readonly contributedSeconds: number
  readonly deltaSeconds: number
  readonly path: readonly string[]
  readonly victims: readonly string[]
  readonly onsetSeconds: number | null
  readonly hints: readonly string[]
  readonly evidence: readonly Evidence[]
  /**
   * A link: the others between the same two clusters that became slower with it; a workload: those with whom it calls in
   * a circle that feeds itself. `share` holds them as well.
   */
  readonly alike: readonly string[]
  /** Where it is felt: the entries of whose slowdown (or failures) it is a good part. */
  readonly feltAt: readonly { readonly id: string; readonly share: number }[]
  /** What would have to turn out for it not to be the one. */
  readonly wouldClear: readonly string[]
  /** When it and each of its victims changed, earliest first; null where that is not known. */
  readonly timeline: readonly { readonly id: string; readonly onsetSeconds: number | null }[]
}

export interface Judgement {
  readonly suspects: readonly Suspect[]
  readonly entries: readonly Entry[]
  readonly affected: readonly string[]
  /** Affected workload -> the suspect that explains it. */
  readonly via: ReadonlyMap<string, string>
  /** Disjoint problems, each the ids of its suspects and entries, worst first. */
  readonly problems: readonly (readonly string[])[]
  readonly cleared: readonly string[]
  readonly cannotJudge: readonly { readonly id: string; readonly why: string }[]
}

/** Judges the whole picture, or with `focus` one workload's slowdown alone. */
export function judge(situation: Situation, focus: string | null = null): Judgement {
  return allAtOnce(judging(situation, focus))
}

/** The same in turns: each front that is in trouble, and each suspect, is looked at in the whole graph. */
export function* judging(situation: Situation, focus: string | null = null): Turns<Judgement> {
  const { workloads } = situation.assessment
  const affected = [...workloads.values()].filter(isAffected)
  const entryIds = focus === null ? entriesOf(situation, affected) : [focus]
  yield
  const entries = yield* flatMapping(entryIds, (id) => listOf(entryFor(situation, id, focus !== null)))
  const felt = yield* flatMapping(entries, (entry) => candidatesIn(entry, situation))
  const failing = focus === null ? yield* alsoFailing(situation, entries, felt) : []
  const named = [...felt, ...failing]
  const best = new Map<string, Candidate>()
  for (const candidate of named) {
    const key = whatIsNamed(candidate)
    const known = best.get(key)
    if (known === undefined || candidate.weight > known.weight) best.set(key, candidate)
  }
  // Who is one of several is none by itself.
  const together = new Set(
    [...best.values()].flatMap(({ contribution, alike }) => (alike.length === 0 ? [] : [contribution.id, ...alike])),
  )
  const single = [...best.values()].filter(
    ({ contribution, alike }) => alike.length > 0 || !together.has(contribution.id),
  )
  const sorted = byWeight(single, situation)
  const apart = focus === null ? yield* candidatesApart(situation, affected, sorted) : []
  const ranked = [...sorted, ...apart]
  const via = explainedBy(situation, affected, ranked)
  yield
  const suspects = yield* flatMapping(ranked, (candidate, index) => {
    const feltAt = named.filter((other) => whatIsNamed(other) === whatIsNamed(candidate))
    return [suspectOf(candidate, index + 1, situation, via, feltAt.length === 0 ? [candidate] : feltAt)]
  })
  return {
    suspects,
    entries: [...entries, ...apart.map(({ entry }) => entry)],
    affected: affected.map((workload) => workload.id),
    via,
    problems: problemsOf([...entries, ...[...failing, ...apart].map(({ entry }) => entry)], ranked),
    cleared: clearedOf(entries, situation, new Set(ranked.map(({ contribution }) => contribution.id))),
    cannotJudge: darkOf(entries, situation),
  }
}

const listOf = <T>(one: T | undefined): T[] => (one === undefined ? [] : [one])

/**
 * What is the same suspect whoever feels it: a circle by all of its members, a seam of many calls by its clusters, each
 * named by what weighs most from where it is looked at; all else by its name.
 */
function whatIsNamed({ contribution: { kind, id }, alike }: Candidate): string {
  if (alike.length === 0) return id
  if (kind === 'workload') return [id, ...alike].sort().join(' ')
  return id
    .split('~')
    .map((end) => parseWorkloadId(end)?.cluster)
    .join('~')
}

/** Own time per workload, with the entry it adds most to. */
export function ownOf(
  situation: Situation,
  entries: readonly Entry[],
  id: string,
): OwnTime & { of: string | null; share: number | null } {
  const own = ownDelta(situation.graph, id)
  let of: string | null = null
  let share: number | null = null
  let most = Number.NEGATIVE_INFINITY
  for (const entry of entries) {
    if (entry.trouble !== 'latency' || entry.totalSeconds <= 0) continue
    const part = entry.decomposition.secondsOf('workload', id)
    if (part === null || part <= most) continue
    most = part
    of = entry.id
    share = part / entry.totalSeconds
  }
  return { ...own, of, share }
}

function suspectOf(
  { entry, contribution, share, alike }: Candidate,
  rank: number,
  situation: Situation,
  via: ReadonlyMap<string, string>,
  feltAt: readonly Candidate[],
): Suspect {
  const { id, kind } = contribution
  const workload = situation.assessment.workloads.get(id)
  const path = pathTo(situation, entry, contribution)
  const victims = [...via].filter(([, suspect]) => suspect === id).map(([victim]) => victim)
  const evidence = evidenceFor(situation, { id, kind, entry, share, contributedSeconds: contribution.seconds, path })
  const felt = situation.assessment.workloads.get(entry.id)
  const hurt = alongPath(victims, path, situation.stitched.ingressIds)
  return {
    id,
    kind,
    rank,
    word: weakened(wordFor(share, evidence, situation), caveatsOf(situation, entry.id, path)),
    trouble: entry.trouble,
    own: ownDelta(situation.graph, id),
    of: entry.id,
    share,
    contributedSeconds: contribution.seconds,
    deltaSeconds: entry.totalSeconds,
    path,
    victims: hurt,
    onsetSeconds: sinceOf(workload?.trouble, entry.trouble) ?? sinceOf(felt?.trouble, entry.trouble),
    hints: workload === undefined ? [] : hintsFor(situation, workload),
    evidence,
    alike,
    feltAt: feltAt
      .map((one) => ({ id: one.entry.id, share: one.share }))
      .sort((a, b) => b.share - a.share || (a.id < b.id ? -1 : 1)),
    wouldClear: wouldClear(situation, { id, kind, path, evidence }),
    timeline: timelineOf(situation, [id, ...path, ...hurt]),
  }
}

function timelineOf(situation: Situation, ids: readonly string[]): Suspect['timeline'] {
  return [...new Set(ids)]
    .flatMap((id) => {
      const workload = situation.assessment.workloads.get(id)
      return workload === undefined ? [] : [{ id, onsetSeconds: offSince(workload.trouble) }]
    })
    .sort((a, b) => (a.onsetSeconds ?? Number.MAX_VALUE) - (b.onsetSeconds ?? Number.MAX_VALUE))
}

/** Victims in the order of the way to the suspect, then the others; ingresses, which only pass trouble on, last. */
function alongPath(victims: readonly string[], path: readonly string[], doors: ReadonlySet<string>): string[] {
  const place = (id: string) => (doors.has(id) ? 2_000 : path.includes(id) ? path.indexOf(id) : 1_000)
  return [...victims].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
}

/** strong: most of the slowdown, callees visible and fine, moved first. Anything missing lowers the word. */
function wordFor(share: number, evidence: readonly Evidence[], situation: Situation): Word {
  const answer = (name: string) => evidence.find((item) => item.name === name)?.answer
  const blind = [...situation.clusters.values()].some((cluster) => cluster.state !== 'current')
  const solid = answer('callees') === true && answer('path') !== false && !blind
  if (share >= 0.7 && solid && answer('first') === true) return 'strong'
  if (share >= 0.5 && (solid || share >= 0.8) && answer('callees') !== null) return 'likely'
  return 'weak'
}

const WORDS: readonly Word[] = ['weak', 'likely', 'strong']

/** No stronger than what the data can carry. */
function weakened(word: Word, caveats: readonly Caveat[]): Word {
  return caveats.reduce((at, { most }) => (WORDS.indexOf(most) < WORDS.indexOf(at) ? most : at), word)
}

/** For every affected workload, the named suspect that most of its own trouble comes from. */
function explainedBy(
  situation: Situation,
  affected: readonly Assessed[],
  candidates: readonly Candidate[],
): Map<string, string> {
  const named = candidates.map(({ contribution }) => contribution)
  const slowed = named.map((account) => ({ id: account.id, by: addedBy(netOf(situation.graph, 'delta'), account) }))
  // Drawing up how failures pass through the whole picture is for those that fail.
  const failing = affected.some(({ trouble }) => trouble.latency === 'none')
  const failed = failing
    ? named.map((account) => ({ id: account.id, by: addedBy(failuresOf(situation).net, account) }))
    : []
  const suspects = new Set(named.map(({ id }) => id))
  const circles = new Map(candidates.flatMap(({ contribution, alike }) => alike.map((id) => [id, contribution.id])))
  const via = new Map<string, string>()
  for (const { id, trouble, now, usual } of affected) {
    if (suspects.has(id)) continue
    const circle = circles.get(id)
    if (circle !== undefined) {
      via.set(id, circle)
      continue
    }
    const slow = trouble.latency !== 'none'
    const total = slow ? (now.meanSeconds ?? 0) - (usual.meanSeconds ?? 0) : 1
    let [most, reason] = [Number.NEGATIVE_INFINITY, '']
    for (const suspect of slow ? slowed : failed) {
      const part = suspect.by(id)
      if (part > most) [most, reason] = [part, suspect.id]
    }
    if (most > 0 && most >= LEAST_SHARE * total) via.set(id, reason)
  }
  return via
}
