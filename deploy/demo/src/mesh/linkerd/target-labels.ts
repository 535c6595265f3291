import type { Labels } from '../labels.ts'
import type { PodFacts, ServiceFacts } from '../network.ts'

/** Label sets as Linkerd 2.17 emits them: no `srv_port` yet (2.18), inbound `authority` still there (gone in 2.18). */

type Pairs = readonly (readonly [string, string])[]

function targetPairs(address: string): Pairs {
  const colon = address.lastIndexOf(':')
  return [
    ['target_addr', address],
    ['target_ip', address.slice(0, colon)],
    ['target_port', address.slice(colon + 1)],
  ]
}

const noIdentity = (reason: string): Pairs => [
  ['tls', 'no_identity'],
  ['no_tls_reason', reason],
]

/** A meshed endpoint of the own cluster; with a service when it was balanced, without one when a pod IP was called. */
export function endpointLabels(pod: PodFacts, service: ServiceFacts | undefined): Labels {
  return [
    ['direction', 'outbound'],
    ...(service ? ([['authority', service.authority]] as const) : []),
    ...targetPairs(pod.address),
    ['tls', 'true'],
    ['server_id', pod.identity],
    ['dst_control_plane_ns', 'linkerd'],
    ['dst_deployment', pod.deployment],
    ['dst_namespace', pod.namespace],
    ['dst_pod', pod.name],
    ['dst_pod_template_hash', pod.templateHash],
    ...(service ? ([['dst_service', service.name]] as const) : []),
    ['dst_serviceaccount', pod.serviceAccount],
    ...(service
      ? ([
          ['dst_zone', pod.zone],
          ['dst_zone_locality', 'local'],
        ] as const)
      : ([['dst_zone', '']] as const)),
  ]
}

/** An address no discovery knows, such as another cluster's ingress. */
export function externalLabels(address: string): Labels {
  return [['direction', 'outbound'], ...targetPairs(address), ...noIdentity('not_provided_by_service_discovery')]
}

export interface InboundSource {
  /** DNS name of the request (`l5d-dst-canonical`, else Host); undefined for a bare IP. */
  readonly authority: string | undefined
  readonly clientIdentity: string | undefined
}

/** `kind` names the route and the authorization that admitted the request: the default ones, or Linkerd's probe route. */
export function inboundLabels(address: string, source: InboundSource, kind: 'default' | 'probe' = 'default'): Labels {
  return [
    ['direction', 'inbound'],
    ...(source.authority === undefined ? [] : ([['authority', source.authority]] as const)),
    ...targetPairs(address),
    ...inboundTls(source.clientIdentity),
    ...SERVER_PAIRS,
    ['route_group', ''],
    ['route_kind', 'default'],
    ['route_name', kind],
    ['authz_group', ''],
    ['authz_kind', 'default'],
    ['authz_name', kind === 'probe' ? 'probe' : 'all-unauthenticated'],
  ]
}

const SERVER_PAIRS: Pairs = [
  ['srv_group', ''],
  ['srv_kind', 'default'],
  ['srv_name', 'all-unauthenticated'],
]

function inboundTls(clientIdentity: string | undefined): Pairs {
  return clientIdentity === undefined
    ? noIdentity('no_tls_from_remote')
    : [
        ['tls', 'true'],
        ['client_id', clientIdentity],
      ]
}

export function outboundAcceptLabels(originalDst: string): Labels {
  return [['direction', 'outbound'], ['peer', 'src'], ...targetPairs(originalDst), ...noIdentity('loopback')]
}

/** `peer` follows `direction` in the tcp families. */
export function outboundDialLabels(target: Labels): Labels {
  return [['direction', 'outbound'], ['peer', 'dst'], ...target.slice(1)]
}

export function inboundAcceptLabels(address: string, clientIdentity: string | undefined): Labels {
  return [
    ['direction', 'inbound'],
    ['peer', 'src'],
    ...targetPairs(address),
    ...inboundTls(clientIdentity),
    ...SERVER_PAIRS,
  ]
}

export const INBOUND_DIAL_LABELS: Labels = [['direction', 'inbound'], ['peer', 'dst'], ...noIdentity('loopback')]
