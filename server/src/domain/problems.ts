import { type Candidate, LEAST_SHARE } from './candidates.ts'
import type { Entry } from './entry.ts'
import { BEYOND } from './graph-of.ts'
import { isAffected, type Situation } from './situation.ts'

/** Up to this part a node on the path is cleared. */
const CLEARED_SHARE = 0.1

/** Entries that share a suspect are one problem. */
export function problemsOf(entries: readonly Entry[], ranked: readonly Candidate[]): string[][] {
  const problems: { suspects: Set<string>; entries: Set<string> }[] = []
  for (const entry of entries) {
    const least = LEAST_SHARE * entry.totalSeconds
    const ids = ranked
      .filter(({ contribution: { kind, id }, entry: best, alike }) => {
        const part = alike.length > 0 && best === entry ? least : entry.decomposition.secondsOf(kind, id)
        return (part ?? Number.NEGATIVE_INFINITY) >= least
      })
      .map(({ contribution }) => contribution.id)
    if (ids.length === 0) continue
    const joined = problems.filter((problem) => ids.some((id) => problem.suspects.has(id)))
    const merged = { suspects: new Set(ids), entries: new Set([entry.id]) }
    for (const problem of joined) {
      for (const id of problem.suspects) merged.suspects.add(id)
      for (const id of problem.entries) merged.entries.add(id)
      problems.splice(problems.indexOf(problem), 1)
    }
    problems.push(merged)
  }
  // Smaller ones do not join problems: two that meet at one front stay two.
  for (const { contribution, entry } of ranked) {
    if (problems.some(({ suspects }) => suspects.has(contribution.id))) continue
    problems.find(({ entries: ids }) => ids.has(entry.id))?.suspects.add(contribution.id)
  }
  const places = new Map(ranked.map(({ contribution }, at) => [contribution.id, at]))
  const place = (id: string) => places.get(id) ?? -1
  const first = (problem: { suspects: Set<string> }) => Math.min(...[...problem.suspects].map(place))
  return problems
    .sort((a, b) => first(a) - first(b))
    .map(({ suspects, entries: ids }) => [...new Set([...[...suspects].sort((a, b) => place(a) - place(b)), ...ids])])
}

/** Nodes and links on the way that add next to nothing: nobody has to check them again. */
export function clearedOf(entries: readonly Entry[], situation: Situation, named: ReadonlySet<string>): string[] {
  const shares = new Map<string, number>()
  for (const entry of entries) {
    if (entry.totalSeconds <= 0 || !isAffected(situation.assessment.workloads.get(entry.id))) continue
    entry.decomposition.each(({ kind, id }, seconds) => {
      if (kind !== 'workload' && kind !== 'link') return
      shares.set(id, Math.max(shares.get(id) ?? 0, Math.abs(seconds) / entry.totalSeconds))
    })
  }
  return [...shares].filter(([id, share]) => share < CLEARED_SHARE && !named.has(id)).map(([id]) => id)
}

export function darkOf(entries: readonly Entry[], situation: Situation): { id: string; why: string }[] {
  const dark = new Map<string, string>()
  for (const entry of entries) {
    entry.decomposition.each(({ kind, id }) => {
      if (kind !== 'beyond') return
      const silent = id.startsWith(BEYOND) ? situation.clusters.get(id.slice(BEYOND.length)) : undefined
      dark.set(id, silent === undefined ? 'not measured from the inside' : `${silent.name} does not answer`)
    })
  }
  return [...dark].map(([id, why]) => ({ id, why }))
}
