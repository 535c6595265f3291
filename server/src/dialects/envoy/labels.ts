import type { WorkloadRef } from '../../domain/identity.ts'
import { type Destination, NO_NAMESPACE } from '../../domain/observation.ts'
import type { Matcher } from '../promql.ts'
import type { Labels } from '../read-series.ts'

/** Envoy does not know who it is: what the scrape adds about the pod names it, the best first. */
export const NAMES = ['deployment', 'daemonset', 'app_kubernetes_io_name', 'app', 'job']
export const PROXY = ['namespace', ...NAMES]

/**
 * Not its own admin listener, which Prometheus scrapes, nor Envoys that somebody else labelled (Istio's); nor, beside an
 * application, what that application sends: those are calls, which its clusters count. Envoy Gateway and Contour have
 * listeners of their own for probes and scrapes.
 */
export const LISTENED: readonly Matcher[] = [
  { label: 'envoy_http_conn_manager_prefix', op: '!=', value: '' },
  {
    label: 'envoy_http_conn_manager_prefix',
    op: '!~',
    value: '(envoy-)?admin|stats|health|eg-(ready|stats)-http|prometheus|(egress|outbound).*',
  },
]
/** Its control plane, and series of Envoys that somebody else labelled (Istio's have no such label). */
export const SENT: readonly Matcher[] = [
  { label: 'envoy_cluster_name', op: '!=', value: '' },
  { label: 'envoy_cluster_name', op: '!~', value: 'xds.*|prometheus_stats|.*admin.*' },
]

export function proxyOf(cluster: string, labels: Labels): WorkloadRef | undefined {
  const label = NAMES.find((name) => labels[name])
  if (label === undefined) return undefined
  const kind = label === 'daemonset' ? 'daemonset' : 'deployment'
  return { cluster, namespace: labels.namespace || NO_NAMESPACE, kind, name: labels[label] ?? '' }
}

/** A rule of a route of Envoy Gateway, behind which there may be any services. */
const ROUTE = /^(http|grpc|tcp|tls|udp)route\//
const SERVICE = /^([a-z0-9-]+)([/_])([a-z0-9-]+)\2[a-z0-9-]+(?:\/.*)?$/

/** The application beside the proxy is a cluster to it as well, by a name of this kind: no call, but the workload itself. */
export function isOwnApplication({ envoy_cluster_name: name = '' }: Labels): boolean {
  return /^(local|localhost|127\.0\.0\.1|inbound)([_|:.-].*)?$/.test(name)
}

/**
 * An Envoy cluster has any name its owner likes. `namespace/service/port` is a service, and so is Contour's
 * `namespace_service_port` (neither part can hold a `_`); `httproute/namespace/route/rule/0` is none; a name with dots is the host it calls; everything else stays
 * the name it is.
 */
export function destinationOf(cluster: string, { envoy_cluster_name: name = '' }: Labels): Destination {
  if (ROUTE.test(name)) return { kind: 'unknown', what: name }
  const [, namespace, , service] = SERVICE.exec(name) ?? []
  if (namespace !== undefined && service !== undefined) return { kind: 'service', cluster, namespace, service }
  const host = /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:[:_]\d+)?$/i.exec(name)?.[1]
  const [, inName, inNamespace] = /^([^.]+)\.([^.]+)\.svc(?:\.|$)/.exec(host ?? '') ?? []
  if (inName !== undefined && inNamespace !== undefined) {
    return { kind: 'service', cluster, namespace: inNamespace, service: inName }
  }
  return host !== undefined ? { kind: 'host', host: host.toLowerCase() } : { kind: 'unknown', what: name }
}
