import type { Contribution } from './decomposition.ts'
import type { Entry } from './entry.ts'
import { BEYOND } from './graph-of.ts'
import { ingressBefore } from './guess.ts'
import { parseWorkloadId } from './identity.ts'
import { ownDelta } from './own-time.ts'
import { isAffected, type Situation } from './situation.ts'

/** Below this part of the slowdown nobody is named, unless it would be a slowdown by itself. */
export const LEAST_SHARE = 0.25
/** Parts that would be by themselves: of what the entry usually takes, and of the workload's own change. */
const BY_ITSELF = { ofUsual: 0.5, addedSeconds: 0.04, ofSelf: 0.5, leastOfSelf: 0.1, share: 0.005 }

/** A contribution big enough to be named as a suspect of its entry. */
export interface Candidate {
  readonly entry: Entry
  readonly contribution: Contribution
  readonly share: number
  /** Requests of the entry held up by it at any moment: what suspects are ranked by. */
  readonly weight: number
  /** Links between the same two clusters that became slower with it, or the others of a circle; their part included. */
  readonly alike: readonly string[]
}

/**
 * A failed request counts as one that is held up for so long, in seconds: about what callers wait before they give up.
 * Who is too slow to be waited for and who turns everybody away at once leave as many without an answer, and weigh alike.
 */
const FAILURE_SECONDS = 10

/**
 * Requests of an entry held up at any moment by what adds so many seconds to each of them, or by so many failures per
 * second.
 */
export function heldUpBy(trouble: Entry['trouble'], contributed: number, requestsPerSecond: number): number {
  return contributed * (trouble === 'failures' ? FAILURE_SECONDS : requestsPerSecond)
}

/** Who may be named for one entry's trouble. */
export function candidatesIn(entry: Entry, situation: Situation): Candidate[] {
  const { totalSeconds, decomposition, trouble } = entry
  const workload = situation.assessment.workloads.get(entry.id)
  if (totalSeconds <= 0 || workload === undefined || !isAffected(workload)) return []
  const rate = workload.now.requestsPerSecond ?? 0
  const least = LEAST_SHARE * totalSeconds
  const enough = Math.max(BY_ITSELF.addedSeconds, BY_ITSELF.ofUsual * (workload.usual.meanSeconds ?? 0))
  const floor = trouble === 'latency' ? Math.min(least, Math.max(enough, BY_ITSELF.share * totalSeconds)) : least
  const found = decomposition
    .atLeast(floor)
    .filter(({ kind, id }) => kind !== 'unexplained' && !id.startsWith(BEYOND))
    .filter((one) => one.seconds >= least || isSlowByItself(one, situation))
  const seams = trouble === 'latency' ? seamsIn(entry, least) : []
  const circles = trouble === 'latency' ? circlesIn(entry, least) : []
  const taken = new Set(
    [...seams, ...circles].flatMap(({ contribution, alike, links }) => [contribution.id, ...alike, ...links]),
  )
  const single = found
    .filter(({ id }) => !taken.has(id))
    .map((contribution) => ({ contribution, alike: [] as string[] }))
  return [...seams, ...circles, ...single].map(({ contribution, alike }) => ({
    entry,
    contribution,
    share: contribution.seconds / totalSeconds,
    weight: heldUpBy(trouble, contribution.seconds, rate),
    alike,
  }))
}

/**
 * The heaviest first. Where time is lost behind an ingress that nobody sees through, what is found behind it is whom to
 * look at before the place itself.
 */
export function byWeight(candidates: readonly Candidate[], situation: Situation): Candidate[] {
  const sorted = [...candidates].sort((a, b) => b.weight - a.weight)
  for (const place of sorted) {
    const door = ingressBefore(place.contribution.id, situation.stitched.ingressIds)
    const cluster = door === null ? undefined : parseWorkloadId(door)?.cluster
    const inside = sorted.findLastIndex(({ contribution: { id, kind } }) => {
      return kind === 'workload' && parseWorkloadId(id)?.cluster === cluster
    })
    const at = sorted.indexOf(place)
    if (cluster !== undefined && inside > at) sorted.splice(inside, 0, ...sorted.splice(at, 1))
  }
  return sorted
}

/** Not only a larger part of somebody else's slowdown: most of what it became slower is its own. */
function isSlowByItself({ kind, id }: Contribution, { assessment, graph }: Situation): boolean {
  if (kind !== 'workload' || !isAffected(assessment.workloads.get(id))) return false
  const { ofSelf, seconds } = ownDelta(graph, id)
  if (ofSelf === null || seconds === null) return false
  if (ofSelf >= BY_ITSELF.ofSelf) return true
  // Or enough to have doubled it: what it waits for became slower as well.
  const usual = assessment.workloads.get(id)?.usual.meanSeconds ?? Number.POSITIVE_INFINITY
  return ofSelf >= BY_ITSELF.leastOfSelf && seconds >= Math.max(BY_ITSELF.addedSeconds, usual)
}

interface Several {
  readonly contribution: Contribution
  readonly alike: readonly string[]
  /** Links that are a part of it. */
  readonly links: readonly string[]
}

/** Those who call each other in a circle that feeds itself are one suspect, named by whom it shows most at. */
function circlesIn({ decomposition }: Entry, least: number): Several[] {
  return decomposition.circles.flatMap(({ ids: [id, ...alike], links, seconds }) =>
    id === undefined || seconds < least ? [] : [{ contribution: { kind: 'workload', id, seconds }, alike, links }],
  )
}

/** Of what all links between two clusters add, one of them has less than this: it is the seam, not the link. */
const MOST_OF_SEAM = 0.8
const LEAST_OF_SEAM = 0.05

/** Seams of which no single call is slow enough, but all that cross them together: named by their largest. */
function seamsIn({ decomposition }: Entry, least: number): Several[] {
  const seams = new Map<string, { id: string; seconds: number }[]>()
  decomposition.each(({ kind, id }, seconds) => {
    if (kind !== 'link' || seconds <= 0) return
    const [from, to] = id.split('~').map((end) => parseWorkloadId(end)?.cluster)
    if (from === undefined || to === undefined || from === to) return
    const seam = seams.get(`${from}~${to}`)
    if (seam === undefined) seams.set(`${from}~${to}`, [{ id, seconds }])
    else seam.push({ id, seconds })
  })
  return [...seams.values()].flatMap((links) => {
    const sum = links.reduce((total, { seconds }) => total + seconds, 0)
    const [largest, ...others] = links.sort((a, b) => b.seconds - a.seconds)
    if (sum < least || largest === undefined || largest.seconds >= MOST_OF_SEAM * sum) return []
    const alike = others.filter(({ seconds }) => seconds >= LEAST_OF_SEAM * sum).map(({ id }) => id)
    return [{ contribution: { kind: 'link', id: largest.id, seconds: sum } as const, alike, links: [] }]
  })
}
