import type { WorkloadRef } from '../../domain/identity.ts'
import { NO_NAMESPACE } from '../../domain/observation.ts'
import type { Matcher } from '../promql.ts'
import type { Labels } from '../read-series.ts'

export const NAMESPACES = ['service_namespace', 'k8s_namespace_name']
export const SERVICE = ['service_name', 'service', ...NAMESPACES]
export const GRAPH = [
  'client',
  'server',
  'connection_type',
  'virtual_node',
  ...NAMESPACES.map((label) => `client_${label}`),
  ...NAMESPACES.map((label) => `server_${label}`),
]

export const SPANS: readonly Matcher[] = [{ label: 'span_kind', op: '=', value: 'SPAN_KIND_SERVER' }]
export const SERVER_ERROR: Matcher = { label: 'status_code', op: '=', value: 'STATUS_CODE_ERROR' }

/** The same numbers under every name that collectors and Tempo have had for them; units of a second's parts. */
export const spanFamilies = [
  { name: 'plainMs', calls: 'calls_total', duration: 'duration_milliseconds', perSecond: 1000 },
  { name: 'plain', calls: 'calls_total', duration: 'duration_seconds', perSecond: 1 },
  {
    name: 'connectorMs',
    calls: 'traces_span_metrics_calls_total',
    duration: 'traces_span_metrics_duration_milliseconds',
    perSecond: 1000,
  },
  {
    name: 'connector',
    calls: 'traces_span_metrics_calls_total',
    duration: 'traces_span_metrics_duration_seconds',
    perSecond: 1,
  },
  { name: 'tempo', calls: 'traces_spanmetrics_calls_total', duration: 'traces_spanmetrics_latency', perSecond: 1 },
] as const

/** A service as the workload it most likely is; merging finds the one that bears its name. */
export function serviceOf(cluster: string, labels: Labels): WorkloadRef | undefined {
  return named(cluster, labels.service_name || labels.service, labels, '')
}

export function endOf(cluster: string, labels: Labels, end: 'client' | 'server'): WorkloadRef | undefined {
  return named(cluster, labels[end], labels, `${end}_`)
}

function named(cluster: string, name: string | undefined, labels: Labels, prefix: string): WorkloadRef | undefined {
  if (!name || /[/\s]/.test(name)) return undefined
  const namespace = NAMESPACES.map((label) => labels[`${prefix}${label}`]).find(Boolean) ?? NO_NAMESPACE
  return { cluster, namespace, kind: 'deployment', name }
}

/**
 * Whether nobody saw who called: the caller has no spans. Where it is told which end that is, the client may go by the
 * name that its peer knows it by.
 */
export function isOutsideCaller({ client, virtual_node: end }: Labels): boolean {
  return client === 'user' || end === 'client'
}

/**
 * Whether the callee is no service that is traced. Both the collector and Tempo write `virtual_node` for a call of which
 * one end has no spans, whichever that is: `onExpire` in opentelemetry-collector-contrib/connector/servicegraphconnector
 * and in tempo/modules/generator/processor/servicegraphs.
 */
export function isVirtual(labels: Labels): boolean {
  const { connection_type: type } = labels
  if (type === 'virtual_node') return !isOutsideCaller(labels)
  return type === 'database' || type === 'messaging_system'
}
