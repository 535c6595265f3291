/** What one release of Linkerd puts on its series. Where a number differs from its neighbours, the label history says why. */
export interface LinkerdTraits {
  readonly version: string
  readonly proxyVersion: string
  /** `host`: the Host header; `address`: the service's name, else the address that was dialled; `service`: its name only. */
  readonly outboundAuthority: 'host' | 'address' | 'service'
  readonly inboundAuthority: boolean
  readonly targetAddr: boolean
  readonly targetIp: boolean
  readonly server: 'none' | 'saz' | 'authz'
  readonly serverPort: boolean
  /** `grpc_status` and `error` are there, empty, on plain HTTP too. */
  readonly emptyStatuses: boolean
  readonly zone: boolean
  readonly zoneLocality: boolean
  /** Requests dispatched to backends, and the balancer's endpoints. */
  readonly backendRequests: boolean
  /** Statuses and durations of routes and backends. */
  readonly routeStatuses: boolean
  /** Key `hostname` on those: absent, always empty, or filled. */
  readonly hostname: 'absent' | 'empty' | 'filled'
  /** Parent and route of a call to an address outside the cluster's networks. */
  readonly egressName: 'endpoint' | 'egress-fallback'
}

/** Release -> the proxy it ships. */
const PROXIES: Readonly<Record<string, string>> = {
  '2.8': '2.100.0',
  '2.9': '2.124.2',
  '2.10': '2.141.1',
  '2.11': '2.161.4',
  '2.12': '2.188.0',
  '2.13': '2.203.2',
  '2.14': '2.210.4',
  '2.15': '2.221.0',
  '2.16': '2.246.0',
  '2.17': '2.268.0',
  '2.18': '2.294.0',
  '2.19': '2.326.0',
  '2.20': '2.359.0',
}

export const LINKERD_VERSIONS = Object.keys(PROXIES)

export function linkerdTraits(version: string, features: ReadonlySet<string>): LinkerdTraits {
  const minor = Number(version.split('.')[1])
  const since = (first: number) => minor >= first
  return {
    version,
    proxyVersion: PROXIES[version] ?? '',
    outboundAuthority: since(11) ? 'service' : since(9) ? 'address' : 'host',
    inboundAuthority: !since(18) || features.has('authority'),
    targetAddr: since(10),
    targetIp: since(11),
    server: since(12) ? 'authz' : since(11) ? 'saz' : 'none',
    serverPort: since(18),
    emptyStatuses: since(13),
    zone: since(15),
    zoneLocality: since(17),
    backendRequests: since(13),
    routeStatuses: since(16),
    // On by default in 2.17 only: it was switched off, then made to choose.
    hostname: !since(17)
      ? 'absent'
      : (minor === 17 && !features.has('no-hostnames')) || features.has('hostnames')
        ? 'filled'
        : 'empty',
    egressName: since(17) ? 'egress-fallback' : 'endpoint',
  }
}
