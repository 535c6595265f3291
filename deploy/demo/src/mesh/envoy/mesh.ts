import { cached } from '../cached.ts'
import type { Family } from '../family.ts'
import type { Labels } from '../labels.ts'
import { dnsName } from '../mesh-headers.ts'
import type { ConnectionMeter, Ended, Mesh, PodMeter, RequestMeter } from '../meter.ts'
import type { Destination, PodFacts } from '../network.ts'
import { annotatedPod, cellsOf, counter, gauge, histogram } from '../plain.ts'
import { createRegistry, type Registry } from '../registry.ts'

/** The name of a worker's connections changed twice: in the name up to 1.22, under the listener's in 1.23, clean since. */
export const ENVOY_VERSIONS = ['1.36', '1.31', '1.23', '1.22'] as const

const BOUNDS_MS = [
  0.5, 1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000,
  3_600_000,
]
const DOWNSTREAM = {
  total: counter('envoy_http_downstream_rq_total'),
  classes: counter('envoy_http_downstream_rq_xx'),
  time: histogram('envoy_http_downstream_rq_time', BOUNDS_MS),
  active: gauge('envoy_http_downstream_rq_active'),
  reset: counter('envoy_http_downstream_rq_rx_reset'),
}
const UPSTREAM = {
  total: counter('envoy_cluster_upstream_rq_total'),
  classes: counter('envoy_cluster_upstream_rq_xx'),
  time: histogram('envoy_cluster_upstream_rq_time', BOUNDS_MS),
  active: gauge('envoy_cluster_upstream_rq_active'),
  timeout: counter('envoy_cluster_upstream_rq_timeout'),
  connections: counter('envoy_cluster_upstream_cx_total'),
  active_connections: gauge('envoy_cluster_upstream_cx_active'),
  healthy: gauge('envoy_cluster_membership_healthy'),
  members: gauge('envoy_cluster_membership_total'),
  open: gauge('envoy_cluster_circuit_breakers_default_rq_open'),
}

/** Plain Envoys, one beside each service; those of the ingresses are the edge. */
export function createEnvoy(title: string, version: string, ingressMetrics: boolean): Mesh {
  return {
    title,
    shared: [],
    ingressMetrics,
    pod(facts) {
      const registry = createRegistry()
      const page = {
        registry,
        job: 'envoy',
        path: '/stats/prometheus',
        labels: annotatedPod(facts, 9901),
      }
      return { meter: meterOf(registry, version), page }
    },
  }
}

/** Envoy's own application is a cluster to it like any other. */
const APPLICATION = 'local_app'

function meterOf(registry: Registry, version: string): PodMeter {
  const inbound = downstream(registry, 'ingress_http')
  const outbound = downstream(registry, 'egress_http')
  const application = upstream(registry, APPLICATION, () => 1)
  const arriving = both(inbound, application.requests)
  const listened = connections(registry, ...workerSeries(version))
  const outlets = cached((cluster = '') => upstream(registry, cluster, () => 1))
  return {
    dialledApp: application.connections,
    accepted: () => listened,
    arriving: () => arriving,
    outlet(originalDst, destination) {
      const members = () => (destination.kind === 'service' ? destination.service.endpoints.length : 1)
      const known = destination.kind === 'external' ? null : upstream(registry, clusterOf(destination), members)
      const toHost = (host: string | undefined) => outlets(dnsName(host) ?? originalDst.replace(':', '_'))
      const requests = cached((host = '') => both(outbound, toHost(host === '' ? undefined : host).requests))
      const inside = known && both(outbound, known.requests)
      return {
        accepted: { track: () => undefined },
        dialled: () => known?.connections ?? toHost(undefined).connections,
        request: (_: PodFacts | null, host: string | undefined) => inside ?? requests(host ?? ''),
      }
    },
  }
}

/** `namespace/service/port`: names with dots would end up in the metrics' names. */
function clusterOf(destination: Exclude<Destination, { kind: 'external' }>): string {
  if (destination.kind === 'service') {
    const { namespace, name, port } = destination.service
    return `${namespace}/${name}/${port}`
  }
  const { namespace, deployment, address } = destination.pod
  return `${namespace}/${deployment}/${address.slice(address.lastIndexOf(':') + 1)}`
}

const classOf = ({ how, status }: Ended) => (how === 'failed' ? '5' : String(Math.floor((status ?? 0) / 100)))

function downstream(registry: Registry, prefix: string): RequestMeter {
  const name: Labels = [['envoy_http_conn_manager_prefix', prefix]]
  const classes = cellsOf(registry, DOWNSTREAM.classes, (of = '') => [['envoy_response_code_class', of], ...name])
  const [total, time, reset] = [DOWNSTREAM.total, DOWNSTREAM.time, DOWNSTREAM.reset].map((family) =>
    cellsOf(registry, family, () => name),
  )
  const active = registry.cell(DOWNSTREAM.active, name)
  let now = 0
  return {
    began() {
      if (total) registry.add(total(), 1)
      registry.set(active, ++now)
    },
    ended(end) {
      registry.set(active, --now)
      // Nobody was left to be answered: neither a class nor a time.
      if (end.status === undefined) {
        if (reset) registry.add(reset(), 1)
        return
      }
      registry.add(classes(classOf(end)), 1)
      if (time) registry.observe(time(), end.wholeMs)
    },
  }
}

function upstream(
  registry: Registry,
  cluster: string,
  members: () => number,
): { requests: RequestMeter; connections: ConnectionMeter } {
  const name: Labels = [['envoy_cluster_name', cluster]]
  const cell = (family: Family) => registry.cell(family, name)
  const classes = cellsOf(registry, UPSTREAM.classes, (of = '') => [['envoy_response_code_class', of], ...name])
  const [total, time, timeout, active] = [
    cell(UPSTREAM.total),
    cell(UPSTREAM.time),
    cell(UPSTREAM.timeout),
    cell(UPSTREAM.active),
  ]
  const [healthy, all] = [cell(UPSTREAM.healthy), cell(UPSTREAM.members)]
  cell(UPSTREAM.open)
  registry.beforePage(() => {
    registry.set(healthy, members())
    registry.set(all, members())
  })
  let now = 0
  return {
    connections: connections(registry, UPSTREAM.active_connections, name, UPSTREAM.connections),
    requests: {
      began() {
        registry.add(total, 1)
        registry.set(active, ++now)
      },
      ended(end) {
        registry.set(active, --now)
        if (end.how === 'timedOut') registry.add(timeout, 1)
        if (end.status !== undefined) registry.add(classes(classOf(end)), 1)
        // Only what the other side completed has a time: the slowest, which timed out, are in no latency.
        if (end.how === 'answered') registry.observe(time, end.wholeMs)
      },
    },
  }
}

function both(one: RequestMeter, other: RequestMeter): RequestMeter {
  return {
    began() {
      one.began()
      other.began()
    },
    ended(end) {
      one.ended(end)
      other.ended(end)
    },
  }
}

/** One worker: which is what a proxy with one core has. */
function workerSeries(version: string): [Family, Labels] {
  const listener = ['envoy_listener_address', '0.0.0.0_15006'] as const
  if (version === '1.22') return [gauge('envoy_listener_worker_0_downstream_cx_active'), [listener]]
  const worker = ['envoy_worker_id', '0'] as const
  const name = version === '1.23' ? 'envoy_listener_downstream_cx_active' : 'envoy_listener_worker_downstream_cx_active'
  return [gauge(name), [listener, worker]]
}

function connections(registry: Registry, open: Family, labels: Labels, opened?: Family): ConnectionMeter {
  const active = registry.cell(open, labels)
  const total = opened && registry.cell(opened, labels)
  const seen = new Set<object>()
  registry.beforePage(() => {
    if (active.values[0] !== seen.size) registry.set(active, seen.size)
  })
  return {
    track(connection) {
      if (seen.has(connection)) return
      seen.add(connection)
      if (total) registry.add(total, 1)
      connection.once('close', () => seen.delete(connection))
    },
  }
}
