import { added, type Counter, counter, histogram, type Labels, type Page, shareOut } from './counters.ts'
import { SEAM_MS } from './export-linkerd.ts'
import type { Pod, TrueCall, TrueCluster, TrueWorkload, Truth } from './truth.ts'

const METRIC = 'istio_requests_total'
const DURATION = 'istio_request_duration_milliseconds'
/** Enough where nobody looks at percentiles. */
const BOUNDS_MS = [10, 100, 1_000]

/** The pages of all sidecars and of the ingress gateway of one Istio cluster. */
export function istioPages(truth: Truth, cluster: TrueCluster): Page[] {
  const pages = new Map<string, { target: Labels; counters: Counter[] }>()
  const put = (workload: TrueWorkload, pod: Pod, labels: Labels, perStep: number, meanMs: number) => {
    const target = { job: 'istio', instance: `${pod.ip}:15020`, namespace: workload.namespace, pod: pod.name }
    const page = pages.get(pod.ip) ?? { target, counters: [] as Counter[] }
    page.counters.push(counter(METRIC, { ...labels, response_code: '200' }, perStep))
    page.counters.push(...histogram(DURATION, { ...labels, response_code: '200' }, perStep, meanMs, BOUNDS_MS))
    pages.set(pod.ip, page)
  }
  const over = (workload: TrueWorkload, labels: Labels, perStep: number, meanMs: number) =>
    shareOut(perStep, workload.pods.length).forEach((part, index) => {
      const pod = workload.pods[index]
      if (pod !== undefined && part > 0) put(workload, pod, labels, part, meanMs)
    })
  const clusterOf = (name: string) => truth.clusters.find((one) => one.name === name) as TrueCluster
  const door = cluster.ingress.workload
  for (const call of truth.calls) {
    const from = clusterOf(call.from.cluster)
    const meanMs = call.meanMs + SEAM_MS
    const proxy = truth.proxies.includes(call.from)
    if (from === cluster && !proxy && (call.style === 'ingress' || call.style === 'outside')) {
      over(call.from, { ...edge('source', from, call.from), ...beyond(call) }, call.perStep, meanMs)
    }
    for (const { workload: to, perStep } of call.to) {
      const callee = clusterOf(to.cluster)
      const named = call.style === 'local' || call.style === 'mesh'
      if (from === cluster && named && !proxy)
        over(call.from, edge('source', from, call.from, callee, to), perStep, meanMs)
      if (callee !== cluster) continue
      const known = proxy ? unknownSource : {}
      if (named) over(to, { ...edge('destination', from, call.from, callee, to), ...known }, perStep, call.meanMs)
      // Who called the gateway, and by which host, no label tells.
      if (call.style === 'ingress') {
        over(door, edge('source', cluster, door, cluster, to), perStep * call.attempts, call.meanMs + 1)
        over(to, edge('destination', cluster, door, cluster, to), perStep * call.attempts, call.meanMs)
      }
    }
  }
  return [...pages.values()].map(({ target, counters }) => ({ target, counters: added(counters) }))
}

function edge(
  reporter: 'source' | 'destination',
  from: TrueCluster,
  source: TrueWorkload,
  to?: TrueCluster,
  target?: TrueWorkload,
): Labels {
  const unknown = 'unknown'
  return {
    reporter,
    source_workload: source.name,
    source_workload_namespace: source.namespace,
    source_principal: `spiffe://${from.trustDomain}/ns/${source.namespace}/sa/${source.serviceAccount}`,
    source_cluster: from.linkName,
    destination_workload: target?.name ?? unknown,
    destination_workload_namespace: target?.namespace ?? unknown,
    destination_cluster: to?.linkName ?? unknown,
    destination_service: target === undefined ? unknown : `${target.service}.${target.namespace}.svc.cluster.local`,
    destination_service_name: target?.service ?? unknown,
    destination_service_namespace: target?.namespace ?? unknown,
    request_protocol: 'http',
    response_flags: '-',
    grpc_response_status: '',
    connection_security_policy: reporter === 'source' ? unknown : 'mutual_tls',
  }
}

/** A caller without a sidecar. */
const unknownSource: Labels = {
  source_workload: 'unknown',
  source_workload_namespace: 'unknown',
  source_principal: 'unknown',
  source_cluster: 'unknown',
  connection_security_policy: 'none',
}

/** A host that a ServiceEntry names; what nobody declared passes through, without a name. */
function beyond({ host }: TrueCall): Labels {
  const name = host ?? 'PassthroughCluster'
  return { destination_service: name, destination_service_name: name }
}
