import { asksForBuckets } from '../dialects/count-questions.ts'
import type { Dialect, Question } from '../dialects/dialect.ts'
import type { Axis } from '../domain/baseline.ts'

/** Values of one answer that are still read at once. A series of 26 steps is half a kilobyte of text. */
const MOST_VALUES = 150_000
/** Multiples of the rate window that a step may have; five minutes still tell a calm stretch from an incident. */
const COARSER = [1, 2, 5]
/** Each of them has to be evaluated: more are not seen in a sparkline. */
const MOST_STEPS = 90

/**
 * The steps over which the buckets of a stretch are asked for, so that they together cover it: as fine as the number
 * of series allows. Aligned, so that two neighbouring instants ask for the same.
 */
export function bucketAxis(
  stretch: { readonly fromSeconds: number; readonly toSeconds: number },
  windowSeconds: number,
  seriesCount: number,
): Axis {
  const span = stretch.toSeconds - stretch.fromSeconds
  const fits = (stepSeconds: number) => {
    const steps = span / stepSeconds
    return steps <= MOST_STEPS && steps * seriesCount <= MOST_VALUES
  }
  const coarsest = 5 * windowSeconds
  const stepSeconds = COARSER.map((times) => times * windowSeconds).find(fits) ?? coarsest
  const last = Math.floor(stretch.toSeconds / stepSeconds) * stepSeconds
  const steps = Math.max(0, Math.floor((last - stretch.fromSeconds) / stepSeconds))
  return { fromSeconds: last - (steps - 1) * stepSeconds, stepSeconds, steps }
}

/** A dialect's questions for buckets over a window of its own; from recorded rates where there are some. */
export function bucketQuestions(dialect: Dialect, windowSeconds: number, stepSeconds: number): readonly Question[] {
  const recorded = new Map(dialect.questions(windowSeconds).map(({ name, recorded }) => [name, recorded]))
  return dialect
    .questions(stepSeconds)
    .filter(asksForBuckets)
    .map((question) => {
      const over = recorded.get(question.name)
      if (over?.averaged === undefined) return question
      return { ...question, recorded: { ...over, promql: over.averaged(stepSeconds) } }
    })
}
