import type { Apart } from '../domain/apart.ts'
import type { Dialect, Question } from './dialect.ts'
import { tagged, union } from './promql.ts'
import { HISTOGRAM_PART } from './with-native.ts'

/** The label that tells how many series there are of a bucket from what they count. */
export const COUNTED = 'counted'

/**
 * How many series of each bucket a cluster holds of those that are asked for, one row a bound and selection. Where all
 * pods have the same buckets these are equal; where not, sums by `le` are of unequal pods and have to be told apart, see
 * `withSeriesCounts`. To count series takes Prometheus as long as to add up their rates: what nobody asks for is left out.
 */
export function layoutProbe(dialect: Dialect): string | null {
  const parts = dialect.questions(60).flatMap(({ promql }) => [...promql.matchAll(HISTOGRAM_PART)])
  const buckets = parts.flatMap(([, , metric, part, matchers]) =>
    part === 'bucket' ? [`${metric}_bucket${matchers}`] : [],
  )
  const selected = [...new Set(buckets)]
  return selected.length === 0 ? null : union(...selected.map(seriesOf))
}

function seriesOf(selected: string, index: number): string {
  return tagged(COUNTED, String(index), `count by (le) (${selected})`)
}

/** Whether the answer to `layoutProbe` holds a bucket that not all series have. */
export function layoutsDiffer(answer: Iterable<{ readonly apart: Apart; readonly value: number }>): boolean {
  const counts = new Map<string, Map<number, number>>()
  for (const { apart, value } of answer) {
    const { le, [COUNTED]: counted = '' } = apart
    const of = counts.get(counted) ?? new Map<number, number>()
    counts.set(counted, of)
    // `1` and `1.0` are one bound.
    const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)
    of.set(bound, (of.get(bound) ?? 0) + value)
  }
  return [...counts.values()].some((of) => new Set(of.values()).size > 1)
}

/**
 * The dialect with each bucket's number of series asked for beside the bucket, of everybody as of single workloads and
 * pods. It doubles the dearest questions.
 */
export function withSeriesCounts(dialect: Dialect): Dialect {
  const { workloadQuestions, podQuestions } = dialect
  return {
    ...dialect,
    questions: (...asked) => dialect.questions(...asked).map(counted),
    ...(workloadQuestions && { workloadQuestions: (...asked) => workloadQuestions(...asked).map(counted) }),
    ...(podQuestions && { podQuestions: (...asked) => podQuestions(...asked).map(counted) }),
  }
}

/**
 * The same of the calls of single workloads, in any case: they are few, and of a caller that nobody calls nothing else
 * tells whether its pods count alike.
 */
export function withCountedCalls(dialect: Dialect): Dialect {
  return {
    ...dialect,
    edgeQuestion(...asked) {
      const question = dialect.edgeQuestion(...asked)
      return question === null ? null : counted(question)
    },
  }
}

function counted(question: Question): Question {
  const promql = withCounts(question.promql)
  if (promql === question.promql) return question
  const { recorded: _ofSumsOnly, ...asked } = question
  return { ...asked, promql }
}

function withCounts(promql: string): string {
  return promql.replaceAll(HISTOGRAM_PART, (sum, _labels: string, _metric: string, part: string) => {
    if (part !== 'bucket') return sum
    // Of the same rates, so that what ended within the window is counted as it is summed.
    const count = sum.replace(/^sum/, 'count')
    return `(${union(sum, tagged(COUNTED, 'series', count))})`
  })
}
