import type { Dialect, Question } from '../dialects/dialect.ts'
import { emptyObservation, type Observation } from '../domain/observation.ts'
import { whyLeft } from '../prometheus/abortable.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { type Collected, collectInstant } from './collect.ts'
import { inTurns } from './in-turns.ts'
import { mergeObservations } from './merge-observations.ts'

/** Which of a dialect's questions are asked. */
export type QuestionsOf = (dialect: Dialect) => readonly Question[]

export function asksNothing(dialects: readonly Dialect[], questionsOf: QuestionsOf): boolean {
  return dialects.every((dialect) => questionsOf(dialect).length === 0)
}

export type Failures = readonly { readonly question: string; readonly error: UpstreamError }[]

/** What a cluster answered for one instant, and what it did not. */
export interface Answered {
  readonly observation: Observation
  /** The same by the name of the dialect; absent where it was put together. */
  readonly byDialect?: ReadonlyMap<string, Observation>
  /** How much older calls are than the rest, where they were not asked for again. */
  readonly callsAgeSeconds?: number
  /** What each question brought; absent where that was put together. */
  readonly questions?: readonly QuestionAnswered[]
  readonly failures: Failures
  readonly warnings: readonly string[]
  readonly seriesRead: number
}

/** `doubt`: it brought nothing, while a store did not answer that others were answered without. */
export interface QuestionAnswered {
  /** With its dialect. */
  readonly name: string
  readonly series: number
  readonly doubt: UpstreamError | null
}

export type Asked = Answered | { readonly error: UpstreamError }

/** Of a cluster that was not asked. */
export function unasked(cluster: string): Answered {
  return { observation: emptyObservation(cluster, 1), failures: [], warnings: [], seriesRead: 0 }
}

/** Whether all of it was answered, with nothing. */
export function isNothing(asked: Asked): boolean {
  return !('error' in asked) && asked.failures.length === 0 && asked.seriesRead === 0
}

/** Some questions of every dialect for one instant. An error where all of them failed. */
export async function askNow(
  api: PrometheusApi,
  cluster: string,
  dialects: readonly Dialect[],
  questionsOf: QuestionsOf,
  atSeconds: number,
  signal: AbortSignal,
): Promise<Asked> {
  const asked = await collectNow(api, dialects, questionsOf, atSeconds, signal)
  return readNow(cluster, asked, signal)
}

/** What each dialect was answered; `alive`: where none is spoken, whether the cluster answers at all. */
export interface CollectedNow {
  readonly of: readonly { readonly dialect: Dialect; readonly collected: Collected }[]
  readonly alive: { readonly warnings: readonly string[] } | { readonly error: UpstreamError } | null
}

/** The answers to some questions of every dialect, not read yet. */
export async function collectNow(
  api: PrometheusApi,
  dialects: readonly Dialect[],
  questionsOf: QuestionsOf,
  atSeconds: number,
  signal: AbortSignal,
): Promise<CollectedNow> {
  if (dialects.length === 0) {
    // Whether the cluster answers at all is worth knowing even where there is nothing to read.
    return { of: [], alive: await api.query('vector(1)', atSeconds, signal, 'does it answer').catch(failed) }
  }
  const ask = (dialect: Dialect) => collectInstant(api, questionsOf(dialect), atSeconds, signal)
  const of = await Promise.all(dialects.map(async (dialect) => ({ dialect, collected: await ask(dialect) })))
  return { of, alive: null }
}

/** Both as if they had been asked together, of the same dialects. */
export function bothCollected(first: CollectedNow, second: CollectedNow): CollectedNow {
  const of = first.of.map(({ dialect, collected }, index) => {
    const more = second.of[index]?.collected
    if (more === undefined) return { dialect, collected }
    return {
      dialect,
      collected: {
        answers: new Map([...collected.answers, ...more.answers]),
        doubtful: new Map([...collected.doubtful, ...more.doubtful]),
        failures: [...collected.failures, ...more.failures],
        warnings: [...new Set([...collected.warnings, ...more.warnings])],
        seriesRead: collected.seriesRead + more.seriesRead,
      },
    }
  })
  return { of, alive: first.alive }
}

/** Reads what was collected. An error where nothing was answered, and where `signal` aborts before it is read. */
export async function readNow(cluster: string, { of, alive }: CollectedNow, signal: AbortSignal): Promise<Asked> {
  if (alive !== null) return 'error' in alive ? alive : { ...unasked(cluster), warnings: alive.warnings }
  const failures = of.flatMap(({ collected }) => collected.failures)
  const [first] = failures
  const nothing = of.every(({ collected }) => collected.answers.size === 0)
  if (nothing && first !== undefined) return { error: first.error }
  const byDialect = new Map<string, Observation>()
  try {
    for (const { dialect, collected } of of)
      byDialect.set(dialect.name, await inTurns(dialect.reading(cluster, 1, collected.answers), signal))
  } catch (error) {
    // As where it is asked: several lanes are read at a time, and nobody waits for any of them.
    if (signal.aborted) return { error: whyLeft(signal) }
    throw error
  }
  return {
    observation: mergeObservations(cluster, 1, [...byDialect.values()]),
    byDialect,
    questions: of.flatMap(({ dialect, collected: { answers, doubtful } }) =>
      Array.from(answers, ([name, { length }]) => ({
        name: `${dialect.name}/${name}`,
        series: length,
        doubt: doubtful.get(name) ?? null,
      })),
    ),
    failures,
    warnings: [...new Set(of.flatMap(({ collected }) => collected.warnings))],
    seriesRead: of.reduce((sum, { collected }) => sum + collected.seriesRead, 0),
  }
}

/** An upstream's failure as a value; anything else is ours and is thrown on. */
export function failed(error: unknown): { error: UpstreamError } {
  if (error instanceof UpstreamError) return { error }
  throw error
}
