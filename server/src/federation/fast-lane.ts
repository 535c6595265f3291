import type { Dialect, Question } from '../dialects/dialect.ts'
import { hasMoved, withRequestsOf } from '../domain/standing.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { type Answered, type Asked, bothCollected, collectNow, type QuestionsOf, readNow } from './ask-now.ts'
import type { CalmVote } from './calm-vote.ts'
import { mergeObservations } from './merge-observations.ts'
import { isRecorded } from './rare-lane.ts'
import type { Reading } from './reading.ts'

interface FastLaneOptions {
  readonly name: string
  readonly dialects: () => readonly Dialect[]
}

/** All that was told at the instant at which calls were asked for last. */
interface Held {
  readonly key: string
  readonly atSeconds: number
  readonly answered: Answered
}

/**
 * What is asked of one cluster with each refresh. Most of its cost are calls, which change little while what workloads
 * receive does not: that is asked first, and if it is as it was, in all clusters, the calls of before stand.
 */
export class FastLane {
  readonly #options: FastLaneOptions
  readonly #mayStand: boolean
  #held: Held | null = null

  /** `mayStand`: whether calls may stand at all; else they are asked for each time. */
  constructor(options: FastLaneOptions, mayStand: boolean) {
    this.#options = options
    this.#mayStand = mayStand
  }

  /** When the calls were asked for that may stand at this reading's instant (unix seconds); null: none may. */
  callsAt(reading: Pick<Reading, 'atSeconds' | 'windowSeconds'>): number | null {
    const held = this.#held
    const known = held !== null && held.atSeconds <= reading.atSeconds && held.key === this.#key(reading)
    return known ? held.atSeconds : null
  }

  /** `also`: what is asked beside it. */
  async ask(reading: Reading, also: QuestionsOf, signal: AbortSignal, api: PrometheusApi): Promise<Asked> {
    const { name, dialects } = this.#options
    const { atSeconds, windowSeconds, calm } = reading
    const spoken = dialects()
    const fast = (dialect: Dialect) => dialect.questions(windowSeconds).filter(({ lane }) => lane === 'fast')
    const collect = (questionsOf: QuestionsOf) => collectNow(api, spoken, questionsOf, atSeconds, signal)
    const held = this.callsAt(reading) === null ? null : this.#held
    if (calm === undefined || held === null) {
      calm?.moves()
      return this.#keep(
        reading,
        await readNow(name, await collect((dialect) => [...fast(dialect), ...also(dialect)]), signal),
      )
    }
    const stands = (question: Question) => isDear(question, atSeconds)
    const requests = await collect((dialect) => [
      ...fast(dialect).filter((question) => !stands(question)),
      ...also(dialect),
    ])
    const first = await readNow(name, requests, signal)
    vote(calm, held.answered, first, windowSeconds)
    if ('error' in first) return this.#keep(reading, first)
    if (!(await calm.mustAsk)) return standing(name, held, first, atSeconds)
    const calls = await collect((dialect) => fast(dialect).filter(stands))
    return this.#keep(reading, await readNow(name, bothCollected(requests, calls), signal))
  }

  /** Only whole answers may stand, and none that a broken one has come after. */
  #keep(reading: Reading, answered: Asked): Asked {
    if (!reading.live) return answered
    const whole = !('error' in answered) && answered.failures.length === 0
    const key = whole ? this.#key(reading) : null
    this.#held = whole && key !== null ? { key, atSeconds: reading.atSeconds, answered } : null
    return answered
  }

  /** What is asked that may stand; null where a dialect has nothing of the kind. */
  #key({ atSeconds, windowSeconds }: Pick<Reading, 'atSeconds' | 'windowSeconds'>): string | null {
    if (!this.#mayStand) return null
    const asked: string[] = []
    for (const dialect of this.#options.dialects()) {
      const stand = dialect.questions(windowSeconds).filter((question) => isDear(question, atSeconds))
      if (stand.length === 0) return null
      asked.push(dialect.name, ...stand.map(({ promql }) => promql))
    }
    return asked.length === 0 ? null : asked.join('\n')
  }
}

/** Recorded rates are cheap enough to be asked each time. */
function isDear(question: Question, atSeconds: number): boolean {
  return question.stands === true && !isRecorded(question, atSeconds)
}

function vote(calm: CalmVote, before: Answered, now: Asked, windowSeconds: number): void {
  const whole = !('error' in now) && now.failures.length === 0
  if (whole && !hasMoved(before.observation, now.observation, windowSeconds, calm.inTrouble)) calm.stays()
  else calm.moves()
}

/** What workloads receive by now, with the calls of before. */
function standing(cluster: string, { atSeconds, answered }: Held, now: Answered, nowSeconds: number): Answered {
  const byDialect = new Map(
    [...(answered.byDialect ?? [])].map(([name, before]) => {
      const requests = now.byDialect?.get(name)
      return [name, requests === undefined ? before : withRequestsOf(before, requests)]
    }),
  )
  return {
    observation: mergeObservations(cluster, 1, [...byDialect.values()]),
    byDialect,
    ...(now.questions === undefined ? {} : { questions: now.questions }),
    failures: [],
    warnings: [...new Set([...answered.warnings, ...now.warnings])],
    seriesRead: answered.seriesRead,
    callsAgeSeconds: nowSeconds - atSeconds,
  }
}
