import type { Dialect, Question } from '../dialects/dialect.ts'
import { emptyObservation, type Observation } from '../domain/observation.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { collectInstant } from './collect.ts'
import { mergeObservations } from './merge-observations.ts'

export type Failures = readonly { readonly question: string; readonly error: UpstreamError }[]

/** What a cluster answered for one instant, and what it did not. */
export interface Answered {
  readonly observation: Observation
  /** The same by the name of the dialect; absent where it was put together. */
  readonly byDialect?: ReadonlyMap<string, Observation>
  readonly failures: Failures
  readonly warnings: readonly string[]
  readonly seriesRead: number
}

/** Of a cluster that was not asked. */
export function unasked(cluster: string): Answered {
  return { observation: emptyObservation(cluster, 1), failures: [], warnings: [], seriesRead: 0 }
}

/** Some questions of every dialect for one instant. An error where all of them failed. */
export async function askNow(
  api: PrometheusApi,
  cluster: string,
  dialects: readonly Dialect[],
  questionsOf: (dialect: Dialect) => readonly Question[],
  atSeconds: number,
  signal: AbortSignal,
): Promise<Answered | { error: UpstreamError }> {
  if (dialects.length === 0) {
    // Whether the cluster answers at all is worth knowing even where there is nothing to read.
    const alive = await api
      .query('vector(1)', atSeconds, signal, 'does it answer')
      .catch((error: unknown) => failed(error))
    if ('error' in alive) return alive
    return { ...unasked(cluster), warnings: alive.warnings }
  }
  const read = await Promise.all(
    dialects.map(async (dialect) => {
      const collected = await collectInstant(api, questionsOf(dialect), atSeconds, signal)
      return { collected, observation: dialect.read(cluster, 1, collected.answers) }
    }),
  )
  const failures = read.flatMap(({ collected }) => collected.failures)
  const [first] = failures
  const nothing = read.every(({ collected }) => collected.answers.size === 0)
  if (nothing && first !== undefined) return { error: first.error }
  return {
    observation: mergeObservations(
      cluster,
      1,
      read.map(({ observation }) => observation),
    ),
    byDialect: new Map(read.map(({ observation }, index) => [dialects[index]?.name ?? '', observation])),
    failures,
    warnings: [...new Set(read.flatMap(({ collected }) => collected.warnings))],
    seriesRead: read.reduce((sum, { collected }) => sum + collected.seriesRead, 0),
  }
}

/** An upstream's failure as a value; anything else is ours and is thrown on. */
export function failed(error: unknown): { error: UpstreamError } {
  if (error instanceof UpstreamError) return { error }
  throw error
}
