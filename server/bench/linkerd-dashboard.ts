/**
 * The queries that Linkerd's own dashboard sends for the same rows, as its metrics-api builds them (linkerd2, edge of
 * August 2026: viz/metrics-api/stat_summary.go, prometheus.go, edges.go; web/app/js for what a page asks for).
 */
const WINDOW = '1m'
const QUANTILES = [0.5, 0.95, 0.99]

/** Requests and three quantiles of one resource type; four queries. */
function http(selector: string, group: string): string[] {
  return [
    `sum(increase(response_total{${selector}}[${WINDOW}])) by (${group}, classification, tls)`,
    ...QUANTILES.map(
      (quantile) =>
        `histogram_quantile(${quantile}, sum(irate(response_latency_ms_bucket{${selector}}[${WINDOW}])) by (le, ${group}))`,
    ),
  ]
}

/** The same with connections and bytes: seven queries. */
function withTcp(selector: string, group: string): string[] {
  const bytes = (metric: string) => `sum(increase(${metric}{${selector}, peer="src"}[${WINDOW}])) by (${group})`
  return [
    ...http(selector, group),
    `sum(tcp_open_connections{${selector}}) by (${group})`,
    bytes('tcp_read_bytes_total'),
    bytes('tcp_write_bytes_total'),
  ]
}

/** The list of one namespace's deployments: 7. */
export function namespacePage(namespace: string): string[] {
  return withTcp(`direction="inbound", namespace="${namespace}"`, 'namespace, deployment')
}

const KINDS = [
  'daemonset',
  'statefulset',
  'k8s_job',
  'deployment',
  'replicationcontroller',
  'pod',
  'service',
  'cronjob',
  'replicaset',
]

/** The page of one deployment: itself 7, callers and callees of nine types each 36, its pods 7, its edges 1: 87. */
export function deploymentPage(namespace: string, deployment: string): string[] {
  const own = `direction="inbound", namespace="${namespace}", deployment="${deployment}"`
  const callers = `direction="outbound", dst_deployment="${deployment}", dst_namespace="${namespace}"`
  const callees = `direction="outbound", deployment="${deployment}", namespace="${namespace}"`
  return [
    ...withTcp(own, 'namespace, deployment'),
    ...KINDS.flatMap((kind) => http(callers, `namespace, ${kind}`)),
    ...KINDS.flatMap((kind) => http(callees, `dst_namespace, dst_${kind}`)),
    ...withTcp(own, 'namespace, pod'),
    'sum(tcp_open_connections{direction="outbound", deployment!="", dst_deployment!=""}) by (deployment, dst_deployment, pod, server_id, namespace, dst_namespace, no_tls_reason)',
  ]
}
