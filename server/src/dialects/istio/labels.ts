import type { WorkloadRef } from '../../domain/identity.ts'
import type { Destination } from '../../domain/observation.ts'
import { anyOf, type Matcher } from '../promql.ts'
import type { Labels } from '../read-series.ts'

export const SOURCE = ['source_workload', 'source_workload_namespace', 'source_cluster']
export const TARGET = ['destination_workload', 'destination_workload_namespace', 'destination_cluster']
export const SERVICE = ['destination_service', 'destination_service_name', 'destination_service_namespace']
/** All that tells one call of one reporter from another. */
export const EDGE = ['reporter', ...SOURCE, ...TARGET, ...SERVICE]

/**
 * gRPC statuses that are the server's fault: unknown, deadline exceeded, unimplemented, internal, unavailable, data
 * loss. They come with HTTP 200: by HTTP codes alone nothing would ever fail.
 */
const GRPC_FAULT = '2|4|12|13|14|15'
/** 5xx, and 0: there was no response at all. */
const NO_GOOD: Matcher = { label: 'response_code', op: '=~', value: '5..|0' }
const ANSWERED: Matcher = { ...NO_GOOD, op: '!~' }
const GRPC: Matcher = { label: 'request_protocol', op: '=', value: 'grpc' }
const GRPC_FAILED: Matcher = { label: 'grpc_response_status', op: '=~', value: GRPC_FAULT }

/** Every series is in exactly one of these. */
export const FAILED: readonly (readonly Matcher[])[] = [[NO_GOOD], [ANSWERED, GRPC, GRPC_FAILED]]
export const PASSED: readonly (readonly Matcher[])[] = [
  [ANSWERED, { ...GRPC, op: '!=' }],
  [ANSWERED, GRPC, { ...GRPC_FAILED, op: '!~' }],
]

/** How Istio writes that it does not know. */
function known(value: string | undefined): string | null {
  return value === undefined || value === '' || value === 'unknown' ? null : value
}

export type ClusterOf = (label: string | undefined) => string

/** Istio does not tell the kind of a workload: all are taken for deployments. */
export function sourceOf(labels: Labels, clusterOf: ClusterOf): WorkloadRef | null {
  return refOf(labels.source_workload_namespace, labels.source_workload, clusterOf(labels.source_cluster))
}

export function targetOf(labels: Labels, clusterOf: ClusterOf): WorkloadRef | null {
  // A waypoint writes its own cluster, whatever it sends to.
  const cluster = labels.reporter === 'waypoint' ? undefined : labels.destination_cluster
  return refOf(labels.destination_workload_namespace, labels.destination_workload, clusterOf(cluster))
}

function refOf(namespace: string | undefined, name: string | undefined, cluster: string): WorkloadRef | null {
  const [place, workload] = [known(namespace), known(name)]
  return place === null || workload === null ? null : { cluster, namespace: place, kind: 'deployment', name: workload }
}

/** Names that Envoy has for what it sends where nobody said it may, or may not. */
const NOWHERE = /^(PassthroughCluster|BlackHoleCluster|InboundPassthroughCluster(Ipv[46])?|BlackHoleRoute)$/

/**
 * Failures are over-represented among calls whose callee is unknown (no healthy host, no route): they stay with the
 * service that was asked for, or with a place that says that nothing is known.
 */
export function destinationOf(labels: Labels, cluster: string, clusterOf: ClusterOf): Destination {
  const target = targetOf(labels, clusterOf)
  const host = hostOf(labels)
  const service = known(labels.destination_service_name)
  if (target !== null) {
    const assumed = labels.reporter === 'waypoint'
    return { kind: 'workload', workload: target, service, ...(assumed ? { assumed } : {}) }
  }
  const nowhere = [service, host].find((name) => name !== null && NOWHERE.test(name))
  if (nowhere) return { kind: 'unknown', what: nowhere }
  const inCluster = /^([^.]+)\.([^.]+)\.svc(\.|$)/.exec(host ?? '')
  const namespace = inCluster?.[2] ?? known(labels.destination_service_namespace)
  const name = inCluster?.[1] ?? service
  if (inCluster !== null && name !== null && namespace !== null)
    return { kind: 'service', cluster, namespace, service: name }
  if (host !== null) return { kind: 'host', host: host.toLowerCase() }
  if (name !== null && namespace !== null) return { kind: 'service', cluster, namespace, service: name }
  return { kind: 'unknown', what: 'unknown' }
}

/** The host that was asked for, without its port. */
export function hostOf({ destination_service: service }: Labels): string | null {
  return known(service)?.replace(/:\d+$/, '') ?? null
}

/** What Envoy's short codes say happened; those of the caller's own leaving are no fact about the callee. */
const FLAGS = {
  UT: 'timeoutsPerSecond',
  UO: 'overflowsPerSecond',
  UF: 'connectFailuresPerSecond',
  UH: 'connectFailuresPerSecond',
  UC: 'resetsPerSecond',
  UR: 'resetsPerSecond',
  LR: 'resetsPerSecond',
  RL: 'rateLimitedPerSecond',
  UAEX: 'deniedPerSecond',
  URX: 'retryOverflowsPerSecond',
} as const

const FLAGS_LABEL = 'response_flags'

/** Calls of which Envoy says any of these, alone or among others: it joins them with commas, in no order to rely on. */
export const WITH_FLAGS: Matcher = {
  label: FLAGS_LABEL,
  op: '=~',
  value: `(.+,)?(${anyOf(FLAGS_LABEL, Object.keys(FLAGS)).value})(,.+)?`,
}

/** What they say, each once, however many of them say the same: it is said of one call. */
export function factsSaid({ [FLAGS_LABEL]: flags = '' }: Labels): ReadonlySet<(typeof FLAGS)[keyof typeof FLAGS]> {
  return new Set(flags.split(',').flatMap((flag) => FLAGS[flag as keyof typeof FLAGS] ?? []))
}
