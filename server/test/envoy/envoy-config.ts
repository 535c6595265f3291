/** Bootstraps for a real Envoy, as JSON, which is YAML too. */

export interface Route {
  readonly prefix: string
  readonly cluster: string
  readonly timeoutSeconds?: number
  /** Tries again once on a 5xx. */
  readonly retries?: boolean
}

export interface Listener {
  readonly port: number
  readonly statPrefix: string
  readonly routes: readonly Route[]
}

export interface Cluster {
  readonly name: string
  readonly ports: readonly number[]
  /** Requests under way at once, with what is left of them tracked. */
  readonly maxRequests?: number
  /** Ejects a host after so many failures in a row. */
  readonly ejectAfter?: number
}

const address = (port: number) => ({ socket_address: { address: '127.0.0.1', port_value: port } })
const typed = (name: string, type: string, more: object = {}) => ({
  name,
  typed_config: { '@type': `type.googleapis.com/${type}`, ...more },
})
const seconds = (value: number) => `${value}s`

export function bootstrap(what: {
  adminPort: number
  listeners: readonly Listener[]
  clusters: readonly Cluster[]
  /** More of the bootstrap. */
  more?: object
}): string {
  return JSON.stringify({
    ...what.more,
    // Histograms are merged with each flush, by default every five seconds: a scrape would hold an older one.
    stats_flush_on_admin: true,
    admin: { address: address(what.adminPort) },
    static_resources: { listeners: what.listeners.map(listener), clusters: what.clusters.map(cluster) },
  })
}

function listener({ port, statPrefix, routes }: Listener): object {
  const manager = {
    stat_prefix: statPrefix,
    http_filters: [typed('envoy.filters.http.router', 'envoy.extensions.filters.http.router.v3.Router')],
    route_config: { virtual_hosts: [{ name: 'all', domains: ['*'], routes: routes.map(route) }] },
  }
  const type = 'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager'
  const filters = [typed('envoy.filters.network.http_connection_manager', type, manager)]
  return { name: statPrefix, address: address(port), filter_chains: [{ filters }] }
}

function route({ prefix, cluster: name, timeoutSeconds = 10, retries = false }: Route): object {
  const policy = { retry_policy: { retry_on: '5xx', num_retries: 1, retry_back_off: { base_interval: '0.005s' } } }
  return {
    match: { prefix },
    route: { cluster: name, timeout: seconds(timeoutSeconds), ...(retries ? policy : {}) },
  }
}

function cluster({ name, ports, maxRequests, ejectAfter }: Cluster): object {
  const breaker = { max_requests: maxRequests, max_pending_requests: maxRequests, track_remaining: true }
  const detection = {
    consecutive_5xx: ejectAfter,
    interval: '0.1s',
    base_ejection_time: '300s',
    max_ejection_percent: 50,
    enforcing_success_rate: 0,
  }
  return {
    name,
    connect_timeout: '1s',
    load_assignment: {
      cluster_name: name,
      endpoints: [{ lb_endpoints: ports.map((port) => ({ endpoint: { address: address(port) } })) }],
    },
    ...(maxRequests === undefined ? {} : { circuit_breakers: { thresholds: [breaker] } }),
    ...(ejectAfter === undefined ? {} : { outlier_detection: detection }),
  }
}
