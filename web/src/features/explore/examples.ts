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
