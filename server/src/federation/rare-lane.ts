import type { Dialect, Question } from '../dialects/dialect.ts'
import type { Observation } from '../domain/observation.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { type Answered, askNow, unasked } from './ask-now.ts'
import type { Reading } from './reading.ts'

/** So long nobody asks a rare question again. */
export const RARE_FRESH_SECONDS = 120
/** So long a snapshot shows the last answer instead of waiting for the next one, which is asked for behind it. */
export const RARE_STANDS_SECONDS = 300
/** One a rate window, and one more after the other clusters' names have changed. */
const MOST_HELD = 8

interface RareLaneOptions {
  readonly name: string
  readonly api: PrometheusApi
  readonly dialects: () => readonly Dialect[]
}

interface Held {
  readonly atSeconds: number
  readonly observation: Observation
}

/** What one cluster is asked rarely, because it is dear and hardly changes from one refresh to the next. */
export class RareLane {
  readonly #options: RareLaneOptions
  /** The last answers, by what was asked. */
  readonly #held = new Map<string, Held>()

  constructor(options: RareLaneOptions) {
    this.#options = options
  }

  /** The last answer, if it is no older than this at the reading's instant; null: there is none. */
  known(reading: Reading, mostAgeSeconds: number): Observation | null {
    const held = reading.live ? this.#held.get(this.#key(reading)) : undefined
    if (held === undefined) return null
    const ageSeconds = reading.atSeconds - held.atSeconds
    return ageSeconds >= 0 && ageSeconds < mostAgeSeconds ? held.observation : null
  }

  /** Null where there is nothing to ask. A live reading's answer is kept, if it is whole. */
  async ask(reading: Reading, signal: AbortSignal, api = this.#options.api): Promise<Answered | null> {
    const { name, dialects } = this.#options
    const { atSeconds, live } = reading
    const questions = this.#questions(reading)
    if (questions.length === 0) return null
    const asked = await askNow(api, name, dialects(), (dialect) => rareOf(dialect, reading), atSeconds, signal)
    if ('error' in asked) {
      return { ...unasked(name), failures: questions.map((question) => ({ question: question.name, ...asked })) }
    }
    if (live && asked.failures.length === 0) this.#keep(this.#key(reading), { atSeconds, ...asked })
    return asked
  }

  #keep(key: string, { atSeconds, observation }: Held): void {
    this.#held.delete(key)
    this.#held.set(key, { atSeconds, observation })
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= MOST_HELD) break
      this.#held.delete(oldest)
    }
  }

  #key(reading: Reading): string {
    return this.#questions(reading)
      .map(({ promql }) => promql)
      .join('\n')
  }

  #questions(reading: Reading): readonly Question[] {
    return this.#options.dialects().flatMap((dialect) => rareOf(dialect, reading))
  }
}

function rareOf(dialect: Dialect, { atSeconds, windowSeconds }: Reading): readonly Question[] {
  const questions = dialect.questions(windowSeconds)
  return questions.filter((question) => question.rare === true && !isRecorded(question, atSeconds))
}

/** Recorded rates are as cheap as the fast lane. */
export function isRecorded({ recorded }: Pick<Question, 'recorded'>, atSeconds: number): boolean {
  return recorded !== undefined && atSeconds >= recorded.sinceSeconds
}

/** What recording rules make as cheap as rates. */
export function cheapOnes(questions: readonly Question[], atSeconds: number): readonly Question[] {
  return questions.filter((question) => question.lane === 'slow' && isRecorded(question, atSeconds))
}
