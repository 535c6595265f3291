import type { PrometheusClient } from '@prometheus-io/codemirror-promql'
import { askPrometheus } from '../../api/prometheus.ts'

const MOST_NAMES = '10000'
const MOST_SERIES = '2000'
const LOOKBACK_SECONDS = 3_600
/** Of more clusters the union is asked for in one question, and nobody counts. */
const MOST_COUNTED = 8

/** In which clusters a name or value was met. */
export type KnownIn = ReadonlyMap<string, ReadonlySet<string>>

/** Where the editor learns names from: all clusters, one by one. What cannot be learnt is simply not offered. */
export function completionClient(clusters: readonly string[]): { client: PrometheusClient; knownIn: KnownIn } {
  const known = new Map<string, Promise<unknown>>()
  const knownIn = new Map<string, Set<string>>()
  const recently = () => ({ start: String(Math.floor(Date.now() / 60_000) * 60 - LOOKBACK_SECONDS) })
  const counted = clusters.length > 1 && clusters.length <= MOST_COUNTED

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

  /** The union of what each cluster has: one that does not answer takes nothing away from the others. */
  async function union(path: string, more: Record<string, string | string[]> = {}): Promise<string[]> {
    const params = { ...recently(), limit: MOST_NAMES, ...more }
    if (!counted) return ask<string[]>(path, params, [])
    const lists = await Promise.all(
      clusters.map(async (cluster) => ({ cluster, names: await ask<string[]>(path, { ...params, c: cluster }, []) })),
    )
    for (const { cluster, names } of lists)
      for (const name of names) knownIn.set(name, (knownIn.get(name) ?? new Set()).add(cluster))
    return [...new Set(lists.flatMap(({ names }) => names))].sort()
  }

  const client: PrometheusClient = {
    labelNames: (metric) => union('/labels', metric ? { 'match[]': [metric] } : {}),
    labelValues: (label, metric) =>
      union(`/label/${encodeURIComponent(label)}/values`, metric ? { 'match[]': [metric] } : {}),
    metricNames: () => union('/label/__name__/values'),
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
  return { client, knownIn }
}
