import type { Labels } from './counters.ts'

/** One series as it grew. */
export interface Seen {
  readonly cluster: string
  readonly metric: string
  readonly labels: Labels
  /** Growth over the looks, per second; the value itself of a gauge. */
  readonly rate: number
}

/** A workload and how often it calls. */
export interface Caller {
  readonly from: string
  readonly rate: number
}

const LOCAL = '.svc.cluster.local'

/** A series of any mesh as the facts that the oracle asks for: one place for each, whatever mesh tells it. */
export function asLinkerd(seen: Seen): Seen[] {
  const { metric, labels } = seen
  if (metric.startsWith('envoy_')) return ofEnvoy(seen)
  if (metric !== 'istio_requests_total') return [seen]
  const known = (value: string | undefined) => (value === undefined || value === 'unknown' ? undefined : value)
  const source = { namespace: labels.source_workload_namespace ?? '', deployment: labels.source_workload ?? '' }
  const target = known(labels.destination_workload)
  if (labels.reporter === 'destination') {
    const arrived = { direction: 'inbound', namespace: labels.destination_workload_namespace ?? '', client_id: 'known' }
    return [{ ...seen, metric: 'response_total', labels: { ...arrived, deployment: target ?? '' } }]
  }
  if (target === undefined) {
    const asked = { ...source, hostname: labels.destination_service ?? '' }
    return [{ ...seen, metric: 'outbound_http_route_request_statuses_total', labels: asked }]
  }
  if (labels.destination_cluster !== labels.source_cluster) return []
  const called = {
    ...source,
    direction: 'outbound',
    dst_namespace: labels.destination_workload_namespace ?? '',
    dst_deployment: target,
    dst_service: labels.destination_service_name ?? '',
  }
  return [{ ...seen, metric: 'response_total', labels: called }]
}

/** Envoy knows its clusters by names: `namespace_service_port`, or a host. */
function ofEnvoy(seen: Seen): Seen[] {
  const { metric, labels } = seen
  const source = { namespace: labels.namespace ?? '', deployment: labels.app_kubernetes_io_name ?? '' }
  if (metric === 'envoy_http_downstream_rq_xx') {
    return [{ ...seen, metric: 'response_total', labels: { ...source, direction: 'inbound' } }]
  }
  if (metric !== 'envoy_cluster_upstream_rq_xx') return [seen]
  const name = labels.envoy_cluster_name ?? ''
  const [, namespace, service] = /^([^_.]+)_([^_.]+)_\d+$/.exec(name) ?? []
  if (service === undefined) {
    return [{ ...seen, metric: 'outbound_http_route_request_statuses_total', labels: { ...source, hostname: name } }]
  }
  const called = { ...source, direction: 'outbound', dst_namespace: namespace ?? '', dst_service: service }
  return [{ ...seen, metric: 'response_total', labels: called }]
}

export function placeOf(cluster: string, labels: Labels, prefix: '' | 'dst_'): string | null {
  const namespace = labels[`${prefix}namespace`]
  const deployment = labels[`${prefix}deployment`]
  const set = labels[`${prefix}statefulset`]
  const name = deployment ?? (set === undefined ? undefined : `statefulset:${set}`)
  return namespace && name ? `${cluster}/${namespace}/${name}` : null
}

/** Whether the service that was asked for is the pod's own. */
export function isLocal({ authority, dst_service: service }: Labels): boolean {
  return authority === undefined || service === undefined || authority.startsWith(`${service}.`)
}

/** A name from outside the cluster that was asked for. */
export function hostOf({ authority }: Labels): string | null {
  const name = authority?.replace(/:\d+$/, '')
  return name === undefined || name.endsWith(LOCAL) || /^[\d.]+$/.test(name) ? null : name
}

/** Linkerd 2.8: the name that was asked for stands where later releases have the address. */
export function hostsByAuthority(labels: Labels): boolean {
  return hostOf(labels) !== null
}

export function addressOf({ target_addr: address, authority }: Labels): string | null {
  return address ?? authority ?? null
}

export function callersIn(list: readonly Seen[]): Caller[] {
  const rates = new Map<string, number>()
  for (const { cluster, labels, rate } of list) {
    const from = placeOf(cluster, labels, '')
    if (from !== null) rates.set(from, (rates.get(from) ?? 0) + rate)
  }
  return [...rates].map(([from, rate]) => ({ from, rate }))
}
