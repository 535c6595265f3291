import { clustersChosen, queryFor, type Spelling } from './choose-clusters.ts'
import type { Member } from './fan-out.ts'
import { hidesOwn, spellingFor } from './own-label.ts'
import { type ParsedPromql, parsePromql, type Selector } from './parse-promql.ts'
import { matchersOf } from './read-answer.ts'

/** A query understood: the clusters that each of its selectors speaks of. */
export interface Chosen {
  readonly parsed: ParsedPromql
  readonly chosen: ReadonlyMap<Selector, ReadonlySet<string>>
  /** Clusters whose series have a label `cluster` of their own that the query speaks of. */
  readonly moved: ReadonlySet<string>
}

/** A part of a query as one of its own; null where it is not understood. */
export function apart(text: string, members: readonly Member[], moved: ReadonlySet<string>): Chosen | null {
  const parsed = parsePromql(text)
  const chosen = parsed === null ? null : clustersChosen(parsed, members)
  return parsed === null || chosen === null ? null : { parsed, chosen, moved }
}

/** As the Prometheus of one cluster is asked it. */
export function textFor({ parsed, chosen, moved }: Chosen, member: Member): string {
  const isChosen = (selector: Selector) => chosen.get(selector)?.has(member.name) === true
  return queryFor(parsed, isChosen, matchersOf(member), spelledFor(parsed, member, moved))
}

/** What its labels are called there; undefined: as they are here. */
export function spelledFor(parsed: ParsedPromql, member: Member, moved: ReadonlySet<string>): Spelling | undefined {
  return hidesOwn(member) ? spellingFor(parsed, member, moved.has(member.name)) : undefined
}
