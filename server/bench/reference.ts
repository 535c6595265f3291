/**
 * A fixed set of questions for one snapshot of one cluster, which `direct` is held against: Goldseam must not look
 * fast by asking itself for more. It is what a snapshot has to tell (rates, success, means and percentiles of
 * workloads, the calls between them, replicas, bytes), asked in the plainest way. Change it only when that changes.
 */
const WORKLOAD = 'namespace,deployment,statefulset,daemonset,cronjob,k8s_job,replicaset,replicationcontroller'
const CALLEE =
  'dst_namespace,dst_service,dst_deployment,dst_statefulset,dst_daemonset,dst_cronjob,dst_k8s_job,dst_replicaset,' +
  'dst_replicationcontroller,dst_target_cluster,dst_target_service,dst_target_service_namespace,server_id'
const INBOUND = 'direction="inbound",target_port!="4191",route_name!="probe"'
const NAMED = 'direction="outbound",dst_namespace!=""'
const UNNAMED = 'direction="outbound",dst_namespace=""'
const EGRESS = 'parent_kind!="Service",hostname!=""'

const sum = (by: string, metric: string, matchers: string) => `sum by (${by}) (rate(${metric}{${matchers}}[60s]))`
const part = (name: string, query: string) => `label_replace(${query},"part","${name}","","")`

const outbound = (metric: string, by: string) =>
  `${sum(`${WORKLOAD},${CALLEE}${by}`, metric, NAMED)} or ${sum(`${WORKLOAD},target_addr${by}`, metric, UNNAMED)}`
const both = (histogram: string, query: (metric: string) => string) =>
  `${part('sum', query(`${histogram}_sum`))} or ${part('count', query(`${histogram}_count`))}`

const route = 'outbound_http_route_request'
export const REFERENCE: readonly string[] = [
  sum(`${WORKLOAD},authority,client_id,classification`, 'response_total', INBOUND),
  both('response_latency_ms', (metric) => sum(`${WORKLOAD},authority,client_id`, metric, INBOUND)),
  sum(`${WORKLOAD},le`, 'response_latency_ms_bucket', INBOUND),
  outbound('response_total', ',classification'),
  both('response_latency_ms', (metric) => outbound(metric, '')),
  sum(`${WORKLOAD},hostname,http_status,error`, `${route}_statuses_total`, EGRESS),
  both(`${route}_duration_seconds`, (metric) => sum(`${WORKLOAD},hostname`, metric, EGRESS)),
  sum(`${WORKLOAD},hostname,le`, `${route}_duration_seconds_bucket`, EGRESS),
  `count by (${WORKLOAD}) (count by (${WORKLOAD},pod) (request_total{direction="inbound"}))`,
  `sum by (${WORKLOAD},target_ip) (request_total{${INBOUND}} * 0)`,
  `sum by (${WORKLOAD}) (tcp_open_connections{direction="inbound",peer="src",target_port!="4191"})`,
  sum(WORKLOAD, 'tcp_read_bytes_total', 'direction="inbound",peer="src",target_port!="4191"'),
  sum(WORKLOAD, 'tcp_write_bytes_total', 'direction="inbound",peer="src",target_port!="4191"'),
]
