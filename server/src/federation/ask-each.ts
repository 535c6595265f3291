import type { Question } from '../dialects/dialect.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { collectInstant } from './collect.ts'

/** A question with its answer's size; `seconds` is how long it took. */
export interface AskedQuestion {
  readonly dialect: string
  readonly name: string
  readonly promql: string
  readonly series: number
  readonly seconds: number
  readonly failure: string | null
}

/** Asks each of them at an instant (unix seconds), and times it: for whoever wants to ask them himself. */
export async function askEach(
  api: PrometheusApi,
  questions: readonly { readonly dialect: string; readonly question: Question }[],
  atSeconds: number,
  signal: AbortSignal,
): Promise<readonly AskedQuestion[]> {
  return Promise.all(
    questions.map(async ({ dialect, question }) => {
      const started = performance.now()
      // Raw: it has to give the same wherever it is pasted.
      const { name, promql, lane } = question
      const { failures, seriesRead } = await collectInstant(api, [{ name, promql, lane }], atSeconds, signal)
      const seconds = (performance.now() - started) / 1_000
      return { dialect, name, promql, seconds, series: seriesRead, failure: failures[0]?.error.message ?? null }
    }),
  )
}
