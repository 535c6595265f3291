import { CLUSTER_LABEL, clustersChosen, meetEverything } from './choose-clusters.ts'
import type { Member } from './fan-out.ts'
import { type ParsedPromql, parsePromql, type Selector } from './parse-promql.ts'
import type { Question, ReadScope } from './read-answer.ts'
import { badParameter, ReadFailure } from './read-failure.ts'
import { notUnderstood } from './read-query.ts'
import { refuseCostly } from './refuse-costly.ts'

/** A `match[]` with the clusters that it speaks of. */
export interface MatchSelector {
  readonly one: ParsedPromql
  readonly chosen: ReadonlyMap<Selector, ReadonlySet<string>>
}

/** In Prometheus' own words. */
const NO_MATCHER = 'match[] must contain at least one non-empty matcher'

/** Throws what a Prometheus says to the `question` that has them, where one of them is no selector or no choice. */
export async function selectorsOf(
  match: readonly string[],
  question: Question,
  members: readonly Member[],
  scope: ReadScope,
): Promise<readonly MatchSelector[]> {
  const parsed = match.map((text) => parsePromql(text))
  refuseCostly(parsed.flatMap((one) => one ?? []))
  const understood = parsed.flatMap((one) => {
    const chosen = one === null ? null : clustersChosen(one, members)
    const plain = one !== null && one.tree.topNode.firstChild?.name === 'VectorSelector'
    return plain && chosen !== null ? [{ one, chosen }] : []
  })
  if (understood.some(({ one }) => one.selectors.every(choosesAnything)))
    throw question.path === '/api/v1/series'
      ? badParameter('match[]', NO_MATCHER)
      : new ReadFailure('bad_data', NO_MATCHER)
  if (understood.length < match.length) throw await notUnderstood(question, members, scope)
  return understood
}

/** Every series would meet it: that is no choice, unless it is one of clusters. */
function choosesAnything({ braces, from, conditions }: Selector): boolean {
  if (braces?.from !== from) return false
  return conditions.every(({ matcher }) => matcher?.label !== CLUSTER_LABEL) && meetEverything(conditions)
}
