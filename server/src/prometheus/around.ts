import type { PrometheusApi } from './api.ts'

/** Runs one call to an endpoint. What it does before, after or instead is the decorator's idea. */
export type Around = <T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal) => Promise<T>

/** The same port with every call wrapped, so that a decorator says its one idea once. */
export function around(api: PrometheusApi, wrap: Around): PrometheusApi {
  return {
    query: (promql, atSeconds, signal) => wrap((inner) => api.query(promql, atSeconds, inner), signal),
    queryRange: (promql, range, signal) => wrap((inner) => api.queryRange(promql, range, inner), signal),
    labelValues: (label, match, range, signal) => wrap((inner) => api.labelValues(label, match, range, inner), signal),
    forward: (question, signal) => wrap((inner) => api.forward(question, inner), signal),
    scrapeIntervalSeconds: (signal) => wrap((inner) => api.scrapeIntervalSeconds(inner), signal),
    status: () => api.status(),
  }
}
