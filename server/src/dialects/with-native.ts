import type { Dialect, Question } from './dialect.ts'
import { union } from './promql.ts'

/**
 * Sums of rates of one part of a histogram, as `sumBy`, `rate` and `selector` write them. Braces and quotes inside a
 * quoted value end nothing.
 */
export const HISTOGRAM_PART =
  /sum by \(([\w,]*)\) \(rate\(([\w:]+)_(bucket|sum|count)(\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})\[(\w+)\]\)\)/g

/** The histograms that a dialect asks for. Under such a name itself, without `_bucket`, there are native ones only. */
export function histogramsOf(dialect: Dialect): readonly string[] {
  const questions = dialect.questions(60).map(({ promql }) => promql)
  const parts = questions.flatMap((promql) => [...promql.matchAll(HISTOGRAM_PART)])
  return [...new Set(parts.flatMap(([, , metric, part]) => (part === 'bucket' && metric ? [metric] : [])))]
}

/**
 * The dialect with its latencies asked for natively besides, for a cluster where `native` exist as native histograms.
 * Buckets and histograms come in one answer, told apart by `le`; which of them count is decided where they are read.
 * Of sums and counts the classic ones are taken where both exist: `or` keeps the left side of equal labels.
 */
export function withNative(dialect: Dialect, native: ReadonlySet<string>): Dialect {
  if (!histogramsOf(dialect).some((metric) => native.has(metric))) return dialect
  const both = ({ recorded, ...question }: Question): Question => {
    const promql = withParts(question.promql, native)
    // The shipped rules record what was asked of classic histograms.
    return promql === question.promql && recorded !== undefined ? { ...question, recorded } : { ...question, promql }
  }
  const { podQuestions } = dialect
  return {
    ...dialect,
    ...(podQuestions && { podQuestions: (...asked) => podQuestions(...asked).map(both) }),
    questions: (...asked) => dialect.questions(...asked).map(both),
    edgeQuestion(...asked) {
      const question = dialect.edgeQuestion(...asked)
      return question === null ? null : both(question)
    },
    ...(dialect.workloadQuestions === undefined
      ? {}
      : { workloadQuestions: (...asked) => (dialect.workloadQuestions?.(...asked) ?? []).map(both) }),
  }
}

function withParts(promql: string, native: ReadonlySet<string>): string {
  return promql.replaceAll(
    HISTOGRAM_PART,
    (classic, labels: string, metric: string, part: string, matchers: string, span) => {
      if (!native.has(metric)) return classic
      const by = labels.split(',').filter((label) => label !== 'le')
      const histograms = `sum by (${by.join(',')}) (rate(${metric}${matchers}[${span}]))`
      return `(${union(classic, part === 'bucket' ? histograms : `histogram_${part}(${histograms})`)})`
    },
  )
}
