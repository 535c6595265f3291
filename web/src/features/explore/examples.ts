/** Questions worth starting from; they name metrics of the meshes that are read. */
export const EXAMPLES = [
  {
    title: 'Linkerd: p99 of each deployment',
    promql:
      'histogram_quantile(0.99, sum by (le, namespace, deployment) (rate(response_latency_ms_bucket{direction="inbound"}[1m])))',
  },
  {
    title: 'Linkerd: requests per second',
    promql: 'sum by (namespace, deployment) (rate(response_total{direction="inbound"}[1m]))',
  },
  {
    title: 'Linkerd: failures per second',
    promql:
      'sum by (namespace, deployment) (rate(response_total{direction="inbound", classification="failure"}[1m])) > 0',
  },
  {
    title: 'Linkerd: latency buckets of all (heat)',
    promql: 'sum by (le) (rate(response_latency_ms_bucket{direction="inbound"}[1m]))',
  },
  {
    title: 'Istio: p99 of each workload',
    promql:
      'histogram_quantile(0.99, sum by (le, destination_workload) (rate(istio_request_duration_milliseconds_bucket{reporter="destination"}[1m])))',
  },
  { title: 'Which targets are up', promql: 'up' },
] as const

const KEY = 'goldseam.explore.history'
const MOST_KEPT = 20

/** What was run in this browser, newest first. */
export function readHistory(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((text) => typeof text === 'string') : []
  } catch {
    return []
  }
}

export function remember(promql: string): string[] {
  const kept = [promql, ...readHistory().filter((text) => text !== promql)].slice(0, MOST_KEPT)
  try {
    localStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Without storage there is no history, and nothing else is lost.
  }
  return kept
}
