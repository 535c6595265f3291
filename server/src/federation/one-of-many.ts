import { type Matcher, within } from '../dialects/promql.ts'
import type { Listed } from '../domain/listed.ts'
import type { PrometheusApi, Told } from '../prometheus/api.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import { NothingForSure, storeTrouble } from './store-trouble.ts'

export interface OneOfMany {
  /** What tells the cluster from the others behind the endpoint. */
  readonly matcher: Matcher
  /** Why it cannot be asked at present; null when it can. */
  absence(): UpstreamError | null
  /** The same, looked up anew: asked when an answer was empty. */
  confirmedAbsence(): Promise<UpstreamError | null>
}

/**
 * One cluster of an endpoint that holds many, as if it had a Prometheus of its own: its external label becomes a
 * condition of every selector. One query for all, answered by (cluster, ...), would be fewer queries but one fate: a
 * store that hangs would hold the rows of all, and a cap or refusal would hit all. So each is asked for itself, and a
 * Thanos then asks only the stores whose external labels match.
 */
export function oneOfMany(api: PrometheusApi, { matcher, absence, confirmedAbsence }: OneOfMany): PrometheusApi {
  const scoped = (expression: string) => within(expression, [matcher])

  async function asked<L extends Listed<unknown>>(ask: () => Promise<Told<L>>): Promise<Told<L>> {
    refuse(absence())
    const told = await ask()
    if (told.data.length === 0) await refuseEmpty(told.warnings)
    return told
  }

  /** Nothing from nobody is not "no traffic": the last good values stand in for it. */
  async function refuseEmpty(warnings: readonly string[]): Promise<void> {
    const [trouble] = warnings.flatMap((warning) => storeTrouble(warning) ?? [])
    if (trouble !== undefined) throw new NothingForSure(trouble, warnings)
    refuse(await confirmedAbsence())
  }

  return {
    ...api,
    query: (promql, atSeconds, signal, question) => asked(() => api.query(scoped(promql), atSeconds, signal, question)),
    queryRange: (promql, range, signal, question) =>
      asked(() => api.queryRange(scoped(promql), range, signal, question)),
    labelValues: (label, match, range, signal) =>
      asked(() => api.labelValues(label, (match.length === 0 ? ['{}'] : match).map(scoped), range, signal)),
    /** Its text is not looked into: whoever forwards puts the condition in. */
    async forward(question, signal) {
      refuse(absence())
      const answer = await api.forward(question, signal)
      if (answer.state === 'answered' && isEmpty(answer.data)) await refuseEmpty(answer.warnings)
      return answer
    },
  }
}

function refuse(absence: UpstreamError | null): void {
  if (absence !== null) throw absence
}

/** A list without entries, or the result of a query without series. */
function isEmpty(data: unknown): boolean {
  const list = Array.isArray(data) ? data : (data as { result?: unknown } | null)?.result
  return Array.isArray(list) && list.length === 0
}
