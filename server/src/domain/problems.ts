import type { Contribution } from './decomposition.ts'
import type { Entry } from './entry.ts'
import { BEYOND } from './graph-of.ts'
import { isAffected, type Situation } from './situation.ts'

/** Below this part of the slowdown nobody is named. */
export const LEAST_SHARE = 0.25
/** Up to this part a node on the path is cleared. */
const CLEARED_SHARE = 0.1

/** A contribution big enough to be named as a suspect of its entry. */
export interface Candidate {
  readonly entry: Entry
  readonly contribution: Contribution
  readonly share: number
  /** Requests of the entry held up by it at any moment: what suspects are ranked by. */
  readonly weight: number
}

/** Entries that share a suspect are one problem. */
export function problemsOf(entries: readonly Entry[], ranked: readonly Candidate[]): string[][] {
  const problems: { suspects: Set<string>; entries: Set<string> }[] = []
  for (const entry of entries) {
    const least = LEAST_SHARE * entry.totalSeconds
    const ids = ranked
      .map(({ contribution }) => contribution)
      .filter(({ kind, id }) => (entry.decomposition.secondsOf(kind, id) ?? Number.NEGATIVE_INFINITY) >= least)
      .map(({ id }) => id)
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
    for (const { kind, id, seconds } of entry.decomposition.contributions) {
      if (kind !== 'workload' && kind !== 'link') continue
      shares.set(id, Math.max(shares.get(id) ?? 0, Math.abs(seconds) / entry.totalSeconds))
    }
  }
  return [...shares].filter(([id, share]) => share < CLEARED_SHARE && !named.has(id)).map(([id]) => id)
}

export function darkOf(entries: readonly Entry[], situation: Situation): { id: string; why: string }[] {
  const dark = new Map<string, string>()
  for (const entry of entries) {
    for (const { kind, id } of entry.decomposition.contributions) {
      if (kind !== 'beyond') continue
      const silent = id.startsWith(BEYOND) ? situation.clusters.get(id.slice(BEYOND.length)) : undefined
      dark.set(id, silent === undefined ? 'not measured from the inside' : `${silent.name} does not answer`)
    }
  }
  return [...dark].map(([id, why]) => ({ id, why }))
}
