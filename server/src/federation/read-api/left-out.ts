import { UpstreamError } from '../../prometheus/upstream-error.ts'
import { clustersChosen } from './choose-clusters.ts'
import { parsePromql } from './parse-promql.ts'
import type { ReadAnswer, ReadContext, ReadScope } from './read-answer.ts'

/** Nobody is asked in its place: it only stands for clusters whose names are not known. */
const NOT_READ = new UpstreamError('rejected', 'is not read')

/**
 * The answer with a warning for each cluster that is there and not read, as long as any of the texts (queries or selectors)
 * may speak of it; none: they speak of all. Else a sum over all clusters would lack one without a word.
 */
export function withLeftOut(
  { members, leftOut }: Pick<ReadContext, 'members' | 'leftOut'>,
  { clusters }: Pick<ReadScope, 'clusters'>,
  texts: readonly string[],
  answer: ReadAnswer,
): ReadAnswer {
  const all = leftOut().filter(({ cluster }) => clusters === null || clusters.includes(cluster))
  if (all.length === 0) return answer
  const known = members()
  const unknown = all.filter(({ cluster }) => known.every(({ name }) => name !== cluster))
  const standing = [...known, ...unknown.map(({ cluster }) => ({ name: cluster, blind: NOT_READ }))]
  const spokenOf = new Set(
    texts.flatMap((text) => {
      const parsed = parsePromql(text)
      const chosen = parsed === null ? null : clustersChosen(parsed, standing)
      return [...(chosen?.values() ?? [])].flatMap((names) => [...names])
    }),
  )
  const told = all.filter(({ cluster }) => texts.length === 0 || spokenOf.has(cluster)).map(({ text }) => text)
  return { ...answer, warnings: [...new Set([...told, ...answer.warnings])] }
}
