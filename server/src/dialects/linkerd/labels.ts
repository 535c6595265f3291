import { oneRef, type WorkloadRef } from '../../domain/identity.ts'
import type { Destination } from '../../domain/observation.ts'
import type { Matcher } from '../promql.ts'
import type { Labels } from '../read-series.ts'

/** The owner labels that Linkerd's scrape rules put on a pod's series; k8s_job avoids Prometheus' own `job`. */
export const KINDS = [
  'deployment',
  'statefulset',
  'daemonset',
  'cronjob',
  'k8s_job',
  'replicaset',
  'replicationcontroller',
  'external_workload',
]
export const WORKLOAD = ['namespace', ...KINDS]

/** What names a callee; `authority` is the service that was asked for, which another cluster's pods may answer. */
export const DESTINATION = [
  'authority',
  'dst_namespace',
  'dst_service',
  ...KINDS.map((kind) => `dst_${kind}`),
  'dst_target_cluster',
  'dst_target_service',
  'dst_target_service_namespace',
  'server_id',
]

/** Kinds whose label is written otherwise than the kind. */
const SPELLED: Readonly<Record<string, string>> = { k8s_job: 'job', external_workload: 'externalworkload' }

/** The label that names a workload of this kind. */
export function labelOf(kind: string): string {
  return Object.keys(SPELLED).find((label) => SPELLED[label] === kind) ?? kind
}

/**
 * The proxy measures its own admin port and the kubelet's probes like any request; they would give an idle workload
 * traffic at 100 % success (linkerd2 issue 769). Up to 2.10 there is no `target_port`, up to 2.9 no `target_addr`.
 */
const NO_ADMIN: readonly Matcher[] = [
  { label: 'target_port', op: '!=', value: '4191' },
  { label: 'target_addr', op: '!~', value: '.*:4191' },
]
export const INBOUND: readonly Matcher[] = [
  { label: 'direction', op: '=', value: 'inbound' },
  ...NO_ADMIN,
  { label: 'authority', op: '!~', value: '.*:4191' },
  { label: 'route_name', op: '!=', value: 'probe' },
]
export const FAILURE: Matcher = { label: 'classification', op: '=', value: 'failure' }
export const NO_FAILURE: Matcher = { label: 'classification', op: '!=', value: 'failure' }
export const OUTBOUND: Matcher = { label: 'direction', op: '=', value: 'outbound' }
export const NAMED: Matcher = { label: 'dst_namespace', op: '!=', value: '' }
export const UNNAMED: Matcher = { label: 'dst_namespace', op: '=', value: '' }
/** What the proxy accepts from callers; what it passes on to its own application would count twice. */
export const ACCEPTED: readonly Matcher[] = [
  { label: 'direction', op: '=', value: 'inbound' },
  { label: 'peer', op: '=', value: 'src' },
  ...NO_ADMIN,
]

export function workloadOf(cluster: string, labels: Labels, prefix: '' | 'dst_' = ''): WorkloadRef | undefined {
  const namespace = labels[`${prefix}namespace`]
  if (!namespace) return undefined
  for (const label of KINDS) {
    const name = labels[`${prefix}${label}`]
    if (name) return oneRef({ cluster, namespace, kind: SPELLED[label] ?? label, name })
  }
  return undefined
}

const IP_AND_PORT = /^(\d+(\.\d+){3}|\[[0-9a-f:.]+\])(:\d+)?$/i

/** Callers' `hostname` has no port, callees' `authority` may have one; letter case says nothing. */
export function hostOf(authority: string): string {
  return authority.replace(/:\d+$/, '').toLowerCase()
}

export function destinationOf(cluster: string, labels: Labels): Destination | undefined {
  const target = labels.dst_target_cluster
  if (target) {
    return {
      kind: 'mirror',
      cluster: target,
      namespace: labels.dst_target_service_namespace ?? labels.dst_namespace ?? '',
      service: labels.dst_target_service ?? labels.dst_service ?? '',
    }
  }
  const workload = workloadOf(cluster, labels, 'dst_')
  if (workload !== undefined) {
    const service = labels.dst_service || null
    const asked = askedElsewhere(labels)
    if (asked === null) return { kind: 'workload', workload, service }
    return { kind: 'pod', workload, asked, service, address: labels.target_addr || null }
  }
  if (labels.dst_namespace && labels.dst_service) {
    return { kind: 'service', cluster, namespace: labels.dst_namespace, service: labels.dst_service }
  }
  return outsideOf(labels)
}

/**
 * With flat networks the service asked for is `cart-west` or `cart-federated`, while the pod's labels are those it has
 * over there, without a word about the cluster (linkerd2 issue 11551): taken at their word they would name a workload
 * of the caller's own cluster. Null where the pod belongs to the service that was asked for.
 */
function askedElsewhere({ authority, dst_service: service }: Labels): string | null {
  const asked = /^([^.:]+)\.[^.]+\.svc\./.exec(authority ?? '')?.[1]
  return asked !== undefined && service && asked.startsWith(`${service}-`) ? asked : null
}

/** Up to 2.9 the only name for a place outside is `authority`: in 2.8 the Host header, in 2.9 the address. */
function outsideOf({ target_addr: address, authority }: Labels): Destination | undefined {
  if (authority && !IP_AND_PORT.test(authority)) return { kind: 'host', host: hostOf(authority) }
  const dialled = address || authority
  return dialled ? { kind: 'address', address: dialled } : undefined
}
