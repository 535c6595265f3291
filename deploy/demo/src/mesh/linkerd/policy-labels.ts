import type { Labels } from '../labels.ts'
import type { ServiceFacts } from '../network.ts'

/** Parent, route and backend of the `outbound_http_route_*` families. */
export interface PolicyLabels {
  readonly parent: Labels
  readonly route: Labels
  readonly backend: Labels
}

export function servicePolicy(service: ServiceFacts): PolicyLabels {
  const ref = (prefix: string): Labels => [
    [`${prefix}_group`, 'core'],
    [`${prefix}_kind`, 'Service'],
    [`${prefix}_namespace`, service.namespace],
    [`${prefix}_name`, service.name],
    [`${prefix}_port`, String(service.port)],
    [`${prefix}_section_name`, ''],
  ]
  return { parent: ref('parent'), route: defaultRoute('http'), backend: ref('backend') }
}

/**
 * Without a Service the policy controller answers with a default: since 2.17 `egress-fallback` for an address outside the
 * cluster's networks; for a pod's own IP it knows nothing and the proxy falls back to its name `endpoint`.
 */
export function forwardPolicy(name: 'egress-fallback' | 'endpoint'): PolicyLabels {
  const ref = (prefix: string, refName: string): Labels => [
    [`${prefix}_group`, ''],
    [`${prefix}_kind`, 'default'],
    [`${prefix}_namespace`, ''],
    [`${prefix}_name`, refName],
    [`${prefix}_port`, ''],
    [`${prefix}_section_name`, ''],
  ]
  return { parent: ref('parent', name), route: defaultRoute(name), backend: ref('backend', 'unknown') }
}

function defaultRoute(name: string): Labels {
  return [
    ['route_group', ''],
    ['route_kind', 'default'],
    ['route_namespace', ''],
    ['route_name', name],
  ]
}
