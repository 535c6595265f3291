import type { Apart } from '../domain/apart.ts'
import type { Dialect, Question } from './dialect.ts'
import { selector, tagged, union } from './promql.ts'
import { HISTOGRAM_PART, histogramsOf } from './with-native.ts'

/** The label that tells how many series there are of a bucket from what they count. */
export const COUNTED = 'counted'

/**
 * How many series of each bucket a cluster holds, one row a bound and histogram. Where all pods have the same buckets
 * these are equal; where not, sums by `le` are of unequal pods and have to be told apart, see `withSeriesCounts`.
 */
export function layoutProbe(dialect: Dialect): string | null {
  const buckets = histogramsOf(dialect).map((metric) => `${metric}_bucket`)
  return buckets.length === 0 ? null : union(...buckets.map(seriesOf))
}

function seriesOf(metric: string): string {
  return tagged(COUNTED, metric, `count by (le) (${selector(metric, [])})`)
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

/** The dialect with each bucket's number of series asked for beside the bucket. It doubles the dearest questions. */
export function withSeriesCounts(dialect: Dialect): Dialect {
  const counted = (question: Question): Question => {
    const promql = withCounts(question.promql)
    if (promql === question.promql) return question
    const { recorded: _ofSumsOnly, ...asked } = question
    return { ...asked, promql }
  }
  return {
    ...dialect,
    questions: (...asked) => dialect.questions(...asked).map(counted),
    edgeQuestion(...asked) {
      const question = dialect.edgeQuestion(...asked)
      return question === null ? null : counted(question)
    },
  }
}

function withCounts(promql: string): string {
  return promql.replaceAll(HISTOGRAM_PART, (sum, _labels: string, _metric: string, part: string) => {
    if (part !== 'bucket') return sum
    // Of the same rates, so that what ended within the window is counted as it is summed.
    const count = sum.replace(/^sum/, 'count')
    return `(${union(sum, tagged(COUNTED, 'series', count))})`
  })
}
