import type { Labels } from '../labels.ts'
import type { Peer } from '../meter.ts'
import type { PodFacts, ServiceFacts } from '../network.ts'
import type { LinkerdTraits } from './traits.ts'

/** Label sets as each release of Linkerd emits them, in its order. */

type Pairs = readonly (readonly [string, string])[]

export function identityOf({ serviceAccount, namespace }: Peer): string {
  return `${serviceAccount}.${namespace}.serviceaccount.identity.linkerd.cluster.local`
}

function targetPairs({ targetAddr, targetIp }: LinkerdTraits, address: string): Pairs {
  const colon = address.lastIndexOf(':')
  return [
    ...(targetAddr ? ([['target_addr', address]] as const) : []),
    ...(targetIp
      ? ([
          ['target_ip', address.slice(0, colon)],
          ['target_port', address.slice(colon + 1)],
        ] as const)
      : []),
  ]
}

const noIdentity = (reason: string): Pairs => [
  ['tls', 'no_identity'],
  ['no_tls_reason', reason],
]

const authority = (name: string | undefined): Pairs => (name === undefined ? [] : [['authority', name]])

/** What `authority` says of a call: the service, the address, or (2.8) whatever was asked for. */
function outboundAuthority(
  { outboundAuthority: kind }: LinkerdTraits,
  call: { service?: string | undefined; address: string; host: string | undefined },
): Pairs {
  if (kind === 'host') return authority(call.host ?? call.service ?? call.address)
  return authority(call.service ?? (kind === 'address' ? call.address : undefined))
}

/** A meshed endpoint of the own cluster; with a service when it was balanced, without one when a pod IP was called. */
export function endpointLabels(
  traits: LinkerdTraits,
  pod: PodFacts,
  service: ServiceFacts | undefined,
  host: string | undefined,
): Labels {
  const { zone, zoneLocality } = traits
  return [
    ['direction', 'outbound'],
    ...outboundAuthority(traits, { service: service?.authority, address: pod.address, host }),
    ...targetPairs(traits, pod.address),
    ['tls', 'true'],
    ['server_id', identityOf(pod)],
    ['dst_control_plane_ns', 'linkerd'],
    ['dst_deployment', pod.deployment],
    ['dst_namespace', pod.namespace],
    ['dst_pod', pod.name],
    ['dst_pod_template_hash', pod.templateHash],
    ...(service ? ([['dst_service', service.name]] as const) : []),
    ['dst_serviceaccount', pod.serviceAccount],
    ...(zone ? ([['dst_zone', service ? pod.zone : '']] as const) : []),
    ...(zoneLocality && service ? ([['dst_zone_locality', 'local']] as const) : []),
  ]
}

/** An address no discovery knows, such as another cluster's ingress. */
export function externalLabels(traits: LinkerdTraits, address: string, host: string | undefined): Labels {
  return [
    ['direction', 'outbound'],
    ...outboundAuthority(traits, { address, host }),
    ...targetPairs(traits, address),
    ...noIdentity('not_provided_by_service_discovery'),
  ]
}

export interface InboundSource {
  /** DNS name of the request (`l5d-dst-canonical`, else Host); undefined for a bare IP. */
  readonly authority: string | undefined
  readonly clientIdentity: string | undefined
}

/** `kind` names the route and the authorization that admitted the request: the default ones, or Linkerd's probe route. */
export function inboundLabels(
  traits: LinkerdTraits,
  address: string,
  source: InboundSource,
  kind: 'default' | 'probe' = 'default',
): Labels {
  return [
    ['direction', 'inbound'],
    ...(traits.inboundAuthority ? authority(source.authority) : []),
    ...targetPairs(traits, address),
    ...inboundTls(source.clientIdentity),
    ...serverPairs(traits, address),
    ...(traits.server === 'authz'
      ? ([
          ['route_group', ''],
          ['route_kind', 'default'],
          ['route_name', kind],
          ['authz_group', ''],
          ['authz_kind', 'default'],
          ['authz_name', kind === 'probe' ? 'probe' : EVERYBODY],
        ] as const)
      : []),
  ]
}

const EVERYBODY = 'all-unauthenticated'

function serverPairs({ server, serverPort }: LinkerdTraits, address: string): Pairs {
  if (server === 'none') return []
  if (server === 'saz') {
    return [
      ['srv_name', `default:${EVERYBODY}`],
      ['saz_name', `default:${EVERYBODY}`],
    ]
  }
  return [
    ['srv_group', ''],
    ['srv_kind', 'default'],
    ['srv_name', EVERYBODY],
    ...(serverPort ? ([['srv_port', address.slice(address.lastIndexOf(':') + 1)]] as const) : []),
  ]
}

function inboundTls(clientIdentity: string | undefined): Pairs {
  return clientIdentity === undefined
    ? noIdentity('no_tls_from_remote')
    : [
        ['tls', 'true'],
        ['client_id', clientIdentity],
      ]
}

export function outboundAcceptLabels(traits: LinkerdTraits, originalDst: string): Labels {
  return [['direction', 'outbound'], ['peer', 'src'], ...targetPairs(traits, originalDst), ...noIdentity('loopback')]
}

/** `peer` follows `direction` in the tcp families. */
export function outboundDialLabels(target: Labels): Labels {
  return [['direction', 'outbound'], ['peer', 'dst'], ...target.slice(1)]
}

export function inboundAcceptLabels(
  traits: LinkerdTraits,
  address: string,
  clientIdentity: string | undefined,
): Labels {
  return [
    ['direction', 'inbound'],
    ['peer', 'src'],
    ...targetPairs(traits, address),
    ...inboundTls(clientIdentity),
    ...serverPairs(traits, address),
  ]
}

export const INBOUND_DIAL_LABELS: Labels = [['direction', 'inbound'], ['peer', 'dst'], ...noIdentity('loopback')]
