import type { Labels } from './counters.ts'
import type { LinkerdVersion, Pod, TrueCall, TrueCluster, TrueWorkload } from './truth.ts'

/** Whether a release is at least another: `2.10` is after `2.9`. */
export function atLeast(version: LinkerdVersion, least: string): boolean {
  const minor = (text: string) => Number(text.split('.')[1])
  return minor(version) >= minor(least)
}

export function identity({ serviceAccount, namespace }: TrueWorkload, { trustDomain }: TrueCluster): string {
  return `${serviceAccount}.${namespace}.serviceaccount.identity.linkerd.${trustDomain}`
}

function addressLabels(version: LinkerdVersion, address: string): Record<string, string> {
  const [ip = '', port = ''] = address.split(':')
  return {
    ...(atLeast(version, '2.10') ? { target_addr: address } : {}),
    ...(atLeast(version, '2.11') ? { target_ip: ip, target_port: port } : {}),
  }
}

/** How a proxy labels a call to a pod that discovery found for it. */
export function toPod(
  caller: TrueCluster,
  callee: TrueCluster,
  to: TrueWorkload,
  pod: Pod,
  authority: string | null,
): Labels {
  const version = caller.linkerd
  return {
    direction: 'outbound',
    ...(authority === null ? {} : { authority }),
    ...addressLabels(version, `${pod.ip}:8080`),
    tls: 'true',
    server_id: identity(to, callee),
    dst_control_plane_ns: 'linkerd',
    [`dst_${to.kind}`]: to.name,
    dst_namespace: to.namespace,
    dst_pod: pod.name,
    ...(authority === null ? {} : { dst_service: to.service }),
    dst_serviceaccount: to.serviceAccount,
    ...(atLeast(version, '2.15') ? { dst_zone: '' } : {}),
    ...(atLeast(version, '2.17') ? { dst_zone_locality: 'unknown' } : {}),
  }
}

/** How a proxy labels a call through a gateway's mirrored service. */
export function toMirror(caller: TrueCluster, callee: TrueCluster, to: TrueWorkload, gatewayAddress: string): Labels {
  const mirror = `${to.service}-${callee.linkName}`
  return {
    direction: 'outbound',
    authority: `${mirror}.${to.namespace}.svc.cluster.local:8080`,
    ...addressLabels(caller.linkerd, gatewayAddress),
    tls: 'true',
    server_id: identity(callee.gateway, callee),
    dst_namespace: to.namespace,
    dst_service: mirror,
    dst_target_cluster: callee.linkName,
    dst_target_service: to.service,
    dst_target_service_namespace: to.namespace,
    ...(atLeast(caller.linkerd, '2.17') ? { dst_zone_locality: 'unknown' } : {}),
  }
}

/** How a proxy labels a call to an address that discovery knows nothing of. */
export function toAddress({ linkerd }: TrueCluster, { address, host }: TrueCall): Labels {
  const dialled = address ?? ''
  // 2.8 counts by what was asked for, 2.9 and 2.10 by what was dialled, later ones by neither.
  const authority = atLeast(linkerd, '2.11') ? null : atLeast(linkerd, '2.9') ? dialled : (host ?? dialled)
  return {
    direction: 'outbound',
    ...(authority === null ? {} : { authority }),
    ...addressLabels(linkerd, dialled),
    tls: 'no_identity',
    no_tls_reason: 'not_provided_by_service_discovery',
  }
}

/** How the callee's proxy labels what arrives at a pod; `client` null: without mutual TLS. */
export function atPod(callee: TrueCluster, pod: Pod, client: string | null, authority: string | null): Labels {
  const version = callee.linkerd
  return {
    direction: 'inbound',
    ...(authority !== null && !atLeast(version, '2.18') ? { authority } : {}),
    ...addressLabels(version, `${pod.ip}:8080`),
    ...(client === null
      ? { tls: 'no_identity', no_tls_reason: 'no_tls_from_remote' }
      : { tls: 'true', client_id: client }),
    ...policyLabels(version),
  }
}

function policyLabels(version: LinkerdVersion): Record<string, string> {
  if (!atLeast(version, '2.11')) return {}
  const everybody = 'all-unauthenticated'
  if (!atLeast(version, '2.12')) return { srv_name: `default:${everybody}`, saz_name: `default:${everybody}` }
  return {
    srv_group: '',
    srv_kind: 'default',
    srv_name: everybody,
    ...(atLeast(version, '2.18') ? { srv_port: '8080' } : {}),
    route_group: '',
    route_kind: 'default',
    route_name: 'default',
    authz_group: '',
    authz_kind: 'default',
    authz_name: everybody,
  }
}

/** What `response_total` adds. */
export function outcome(version: LinkerdVersion, failed: boolean): Labels {
  return {
    status_code: failed ? '500' : '200',
    classification: failed ? 'failure' : 'success',
    ...(atLeast(version, '2.14') ? { grpc_status: '', error: '' } : {}),
  }
}

/** What identifies a route metric's series of calls that leave the mesh. */
export function egressRoute(version: LinkerdVersion, hostname: string | null): Labels {
  const name = atLeast(version, '2.17') ? 'egress-fallback' : 'fallback'
  return {
    parent_group: '',
    parent_kind: 'default',
    parent_namespace: '',
    parent_name: name,
    parent_port: '',
    parent_section_name: '',
    route_group: '',
    route_kind: 'default',
    route_namespace: '',
    route_name: name,
    ...(hostname === null ? {} : { hostname }),
  }
}
