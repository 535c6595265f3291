import type { PrometheusClient } from '@prometheus-io/codemirror-promql'
import { askPrometheus } from '../../api/prometheus.ts'

const MOST_NAMES = '10000'
const MOST_SERIES = '2000'
const LOOKBACK_SECONDS = 3_600

/** Where the editor learns names from: all clusters at once. What cannot be learnt is simply not offered. */
export function completionClient(): PrometheusClient {
  const known = new Map<string, Promise<unknown>>()
  const recently = () => ({ start: String(Math.floor(Date.now() / 60_000) * 60 - LOOKBACK_SECONDS) })
  async function ask<T>(path: string, params: Record<string, string | string[]>, fallback: T): Promise<T> {
    const key = `${path} ${JSON.stringify(params)}`
    const asked =
      known.get(key) ??
      askPrometheus(path, params)
        .then((body) => (body as { data?: T }).data ?? fallback)
        .catch(() => {
          known.delete(key)
          return fallback
        })
    known.set(key, asked)
    return asked as Promise<T>
  }
  return {
    labelNames: (metric) =>
      ask<string[]>('/labels', { ...recently(), limit: MOST_NAMES, ...(metric ? { 'match[]': [metric] } : {}) }, []),
    labelValues: (label, metric) =>
      ask<string[]>(
        `/label/${encodeURIComponent(label)}/values`,
        { ...recently(), limit: MOST_NAMES, ...(metric ? { 'match[]': [metric] } : {}) },
        [],
      ),
    metricNames: () => ask<string[]>('/label/__name__/values', { ...recently(), limit: MOST_NAMES }, []),
    metricMetadata: () => ask('/metadata', {}, {}),
    async series(metric, _matchers, label) {
      const matched = label ? `${metric}{${label}!=""}` : metric
      const rows = await ask<Record<string, string>[]>(
        '/series',
        { ...recently(), 'match[]': [matched], limit: MOST_SERIES },
        [],
      )
      return rows.map((row) => new Map(Object.entries(row)))
    },
    flags: async () => ({}),
  }
}
