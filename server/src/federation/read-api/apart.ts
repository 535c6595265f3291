import { clustersChosen, queryFor } from './choose-clusters.ts'
import type { Member } from './fan-out.ts'
import { type ParsedPromql, parsePromql, type Selector } from './parse-promql.ts'
import { matchersOf } from './read-answer.ts'

/** A query understood: the clusters that each of its selectors speaks of. */
export interface Chosen {
  readonly parsed: ParsedPromql
  readonly chosen: ReadonlyMap<Selector, ReadonlySet<string>>
}

/** A part of a query as one of its own; null where it is not understood. */
export function apart(text: string, members: readonly Member[]): Chosen | null {
  const parsed = parsePromql(text)
  const chosen = parsed === null ? null : clustersChosen(parsed, members)
  return parsed === null || chosen === null ? null : { parsed, chosen }
}

/** As the Prometheus of one cluster is asked it. */
export function textFor({ parsed, chosen }: Chosen, member: Member): string {
  return queryFor(parsed, (selector) => chosen.get(selector)?.has(member.name) === true, matchersOf(member))
}
