import { parseWorkloadId } from './identity.ts'
import { pollutedNote } from './polluted.ts'
import type { Situation } from './situation.ts'
import type { Judgement, Suspect } from './suspects.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/** A part of the fleet. Null: all of them. */
export interface Part {
  readonly clusters: ReadonlySet<string> | null
  readonly namespaces: ReadonlySet<string> | null
}

export function isEverything({ clusters, namespaces }: Part): boolean {
  return clusters === null && namespaces === null
}

/** Whether a workload is in it, or both ends of a link (`from~to`). What lies outside of all clusters is in no part. */
export function isWithin(part: Part, id: string): boolean {
  if (isEverything(part)) return true
  return id.split('~').every((end) => {
    const ref = parseWorkloadId(end)
    if (ref === undefined) return false
    return part.clusters?.has(ref.cluster) !== false && part.namespaces?.has(ref.namespace) !== false
  })
}

/** What a judgement says of a part: its own suspects, and those whose victims are there, wherever they are themselves. */
export function judgementWithin(judgement: Judgement, part: Part): Judgement {
  if (isEverything(part)) return judgement
  const mine = (id: string) => isWithin(part, id)
  const suspects = judgement.suspects.filter((suspect) => idsOf(suspect).some((id) => id.split('~').some(mine)))
  const concerned = new Set(suspects.flatMap(({ id, of, victims }) => [id, of, ...victims]))
  const kept = (id: string) => mine(id) || concerned.has(id)
  return {
    ...judgement,
    suspects,
    affected: judgement.affected.filter(kept),
    entries: judgement.entries.filter(({ id }) => kept(id)),
    problems: judgement.problems.filter((ids) => ids.some(kept)),
  }
}

/** The one sentence about a part. `judgement` is that of the part, the situation is the whole one. */
export function verdictWithin(whole: Situation, judgement: Judgement, part: Part): Verdict {
  const situation = doubtedWithin(whole, part)
  // The way to a cause leads through everything.
  if (isEverything(part) || judgement.affected.length > 0) return verdictOf(situation, judgement)
  const { assessment } = situation
  const clusters = [...situation.clusters].filter(([name]) => part.clusters?.has(name) !== false)
  const workloads = [...assessment.workloads].filter(([id]) => isWithin(part, id))
  return verdictOf(
    { ...situation, clusters: new Map(clusters), assessment: { ...assessment, workloads: new Map(workloads) } },
    judgement,
  )
}

/** Usual values of others that are not to be trusted are no doubt about this part. */
function doubtedWithin(situation: Situation, part: Part): Situation {
  const { assessment } = situation
  const polluted = assessment.polluted.filter(({ id }) => isWithin(part, id))
  if (assessment.compare === null || polluted.length === assessment.polluted.length) return situation
  const compare = { ...assessment.compare, note: pollutedNote(polluted) }
  return { ...situation, assessment: { ...assessment, compare, polluted } }
}

/** Whether the one whose usual values a sentence doubts is in the part. */
export function doubtsOnly(part: Part, { assessment }: Situation): boolean {
  const [named] = assessment.polluted
  return named === undefined || isWithin(part, named.id)
}

/** Whether all that a sentence on these suspects could name is in the part; it names silent clusters, too. */
export function namesOnly(part: Part, situation: Situation, { suspects }: Judgement): boolean {
  if (isEverything(part)) return true
  const silent = [...situation.clusters.values()].filter(({ state }) => state !== 'current')
  return (
    silent.every(({ name }) => part.clusters?.has(name) !== false) &&
    suspects.every((suspect) => [...idsOf(suspect), ...suspect.path].every((id) => isWithin(part, id)))
  )
}

function idsOf({ id, of, victims, alike }: Suspect): readonly string[] {
  return [id, of, ...victims, ...alike]
}
