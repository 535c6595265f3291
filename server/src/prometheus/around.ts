import type { ForwardedQuestion, PrometheusApi } from './api.ts'
import type { RequestKind } from './request-log.ts'

/** What a call is about, for who keeps a record of calls. */
export interface CallAbout {
  readonly kind: RequestKind
  readonly question: string
}

/** Runs one call to an endpoint. What it does before, after or instead is the decorator's idea. */
export type Around = <T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal, about: CallAbout) => Promise<T>

/** The same port with every call wrapped, so that a decorator says its one idea once. */
export function around(api: PrometheusApi, wrap: Around): PrometheusApi {
  return {
    query: (promql, atSeconds, signal, question) =>
      wrap((inner) => api.query(promql, atSeconds, inner, question), signal, {
        kind: 'instant',
        question: question ?? 'unnamed',
      }),
    queryRange: (promql, range, signal, question) =>
      wrap((inner) => api.queryRange(promql, range, inner, question), signal, {
        kind: 'range',
        question: question ?? 'unnamed',
      }),
    labelValues: (label, match, range, signal) =>
      wrap((inner) => api.labelValues(label, match, range, inner), signal, {
        kind: 'labels',
        question: `values of ${label}`,
      }),
    forward: (question, signal) => wrap((inner) => api.forward(question, inner), signal, aboutForwarded(question)),
    scrapeIntervalSeconds: (signal) =>
      wrap((inner) => api.scrapeIntervalSeconds(inner), signal, { kind: 'status', question: 'status pages' }),
    status: () => api.status(),
  }
}

/** Of others' questions the path alone: what somebody asks for may stand behind it. */
function aboutForwarded({ path, about }: ForwardedQuestion): CallAbout {
  return about === undefined
    ? { kind: 'others', question: path.split('?', 1)[0] ?? '' }
    : { kind: 'status', question: about }
}
