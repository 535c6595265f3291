import type { Dialect, Question } from './dialect.ts'

const METRIC = /(?<![\w:])([a-zA-Z_:][\w:]*)\{/g

/** The dialect with its metrics under other names: recorded, or renamed while they were scraped. */
export function renamed(dialect: Dialect, nameOf: (metric: string) => string): Dialect {
  const inText = (promql: string) => promql.replaceAll(METRIC, (_, metric: string) => `${nameOf(metric)}{`)
  const inQuestion = (question: Question): Question => ({ ...question, promql: inText(question.promql) })
  const { workloadQuestions, podQuestions, countedInPods } = dialect
  return {
    ...dialect,
    ...(countedInPods && { countedInPods: nameOf(countedInPods) }),
    ...(workloadQuestions && { workloadQuestions: (...asked) => workloadQuestions(...asked).map(inQuestion) }),
    ...(podQuestions && { podQuestions: (...asked) => podQuestions(...asked).map(inQuestion) }),
    detectedBy: dialect.detectedBy.map(nameOf),
    questions: (windowSeconds, peers) => dialect.questions(windowSeconds, peers).map(inQuestion),
    edgeQuestion: (...asked) => {
      const question = dialect.edgeQuestion(...asked)
      return question === null ? null : inQuestion(question)
    },
  }
}
