import type { Question, SeriesColumn } from '../dialects/dialect.ts'
import type { Answers } from './collect.ts'

/** So long the last answer to a rare question stands for it. */
const HELD_SECONDS = 60
/** One a dialect and rate window, and one more after the other clusters' names have changed. */
const MOST_HELD = 8

interface Held {
  readonly atSeconds: number
  readonly series: readonly SeriesColumn[]
}

/** The last answers of one cluster to questions that are dear and hardly change from one refresh to the next. */
export class RareAnswers {
  readonly #held = new Map<string, Held>()

  /** Answers that are young enough to stand for an instant, by question name. */
  known(questions: readonly Question[], atSeconds: number): Answers {
    const known = new Map<string, readonly SeriesColumn[]>()
    for (const { name, promql, rare } of questions) {
      const held = rare === true ? this.#held.get(promql) : undefined
      if (held !== undefined && isYoung(held, atSeconds)) known.set(name, held.series)
    }
    return known
  }

  /** Remembers what was answered to the rare ones among the questions. */
  keep(questions: readonly Question[], answers: Answers, atSeconds: number): void {
    for (const { name, promql, rare } of questions) {
      const series = answers.get(name)
      if (rare !== true || series === undefined) continue
      this.#held.delete(promql)
      this.#held.set(promql, { atSeconds, series })
    }
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= MOST_HELD) break
      this.#held.delete(oldest)
    }
  }
}

function isYoung(held: Held, atSeconds: number): boolean {
  return atSeconds >= held.atSeconds && atSeconds - held.atSeconds < HELD_SECONDS
}
