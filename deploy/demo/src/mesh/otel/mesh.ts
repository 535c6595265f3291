import { cached } from '../cached.ts'
import type { Family } from '../family.ts'
import type { Labels } from '../labels.ts'
import { dnsName } from '../mesh-headers.ts'
import { type Ended, type Mesh, type Peer, type PodMeter, type RequestMeter, UNCOUNTED } from '../meter.ts'
import { cellsOf, counter, histogram } from '../plain.ts'
import { createRegistry, type Registry } from '../registry.ts'

/** `legacy`: collectors that write milliseconds under a name that says seconds. */
export const OTEL_VARIANTS = ['collector', 'legacy', 'tempo'] as const
type Variant = (typeof OTEL_VARIANTS)[number]

export function otelVariant(version: string): Variant {
  return OTEL_VARIANTS.find((variant) => variant === version) ?? 'collector'
}

const GRAPH_SECONDS = [0.002, 0.004, 0.006, 0.008, 0.01, 0.05, 0.1, 0.2, 0.4, 0.8, 1, 1.4, 2, 5, 10, 15]
const SPAN_MS = [2, 4, 6, 8, 10, 50, 100, 200, 400, 800, 1000, 1400, 2000, 5000, 10_000, 15_000]
const doubling = (first: number, count: number) => Array.from({ length: count }, (_, i) => first * 2 ** i)

const TOTAL = counter('traces_service_graph_request_total', 'Total count of requests between two nodes')
const FAILED = counter('traces_service_graph_request_failed_total', 'Total count of failed requests between two nodes')

/** The families of one collector, shared by all whose spans it gets. */
interface Writing {
  readonly serverTime: Family
  readonly clientTime: Family
  /** Of a second, in what the graph's histograms hold. */
  readonly graphPerSecond: number
  readonly calls: Family
  readonly duration: Family
  readonly durationPerSecond: number
  readonly serviceLabel: string
}

const graphTimes = (bounds: readonly number[]) => ({
  serverTime: histogram('traces_service_graph_request_server_seconds', bounds),
  clientTime: histogram('traces_service_graph_request_client_seconds', bounds),
})

function writingOf(variant: Variant): Writing {
  if (variant === 'tempo') {
    return {
      ...graphTimes(doubling(0.1, 8)),
      graphPerSecond: 1,
      calls: counter('traces_spanmetrics_calls_total'),
      duration: histogram('traces_spanmetrics_latency', doubling(0.002, 14)),
      durationPerSecond: 1,
      serviceLabel: 'service',
    }
  }
  const graphPerSecond = variant === 'legacy' ? 1000 : 1
  return {
    ...graphTimes(GRAPH_SECONDS.map((bound) => Math.round(bound * graphPerSecond * 1000) / 1000)),
    graphPerSecond,
    calls: counter('traces_span_metrics_calls_total'),
    duration: histogram('traces_span_metrics_duration_milliseconds', SPAN_MS),
    durationPerSecond: 1000,
    serviceLabel: 'service_name',
  }
}

/** One collector for the cluster's spans: its service graph and its span metrics, with the namespace as a dimension. */
export function createOtel(options: {
  cluster: string
  title: string
  variant: Variant
  ingressMetrics: boolean
}): Mesh {
  const { cluster, variant } = options
  const registry = createRegistry()
  const [job, instance] =
    variant === 'tempo'
      ? ['tempo-metrics-generator', 'tempo-metrics-generator:3200']
      : ['otel-collector', 'otel-collector:8889']
  const page = { name: `${cluster}/otel`, registry, job, path: '/metrics', labels: { instance } }
  const writing = writingOf(variant)
  return {
    title: options.title,
    shared: [page],
    ingressMetrics: options.ingressMetrics,
    pod: (facts) => ({ meter: meterOf(registry, writing, facts), page: null }),
  }
}

/** A request by its two spans: the client's is made at the caller, the server's at the callee. */
function meterOf(registry: Registry, writing: Writing, self: Peer): PodMeter {
  const spans = (status: string): Labels => [
    [writing.serviceLabel, self.deployment],
    ['k8s_namespace_name', self.namespace],
    ['span_name', 'GET'],
    ['span_kind', 'SPAN_KIND_SERVER'],
    ['status_code', status],
  ]
  const calls = cellsOf(registry, writing.calls, (status = '') => spans(status))
  const durations = cellsOf(registry, writing.duration, (status = '') => spans(status))

  const edge = (labels: Labels) => ({
    total: registry.cell(TOTAL, labels),
    failed: cellsOf(registry, FAILED, () => labels),
    server: cellsOf(registry, writing.serverTime, () => labels),
    client: cellsOf(registry, writing.clientTime, () => labels),
  })
  const arriving = cached((namespace = '', deployment = '') => {
    const outside = deployment === ''
    const graph = edge(edgeLabels(outside ? USER : { namespace, deployment }, self, ''))
    return meter((end) => {
      const status = isFailure(end) ? 'STATUS_CODE_ERROR' : 'STATUS_CODE_UNSET'
      registry.add(calls(status), 1)
      registry.observe(durations(status), (end.wholeMs / 1000) * writing.durationPerSecond)
      registry.observe(graph.server(), (end.wholeMs / 1000) * writing.graphPerSecond)
      // A pair is counted once, where its client is; who has none is a user.
      if (!outside) return
      registry.add(graph.total, 1)
      if (isFailure(end)) registry.add(graph.failed(), 1)
    })
  })
  const leaving = cached((namespace = '', deployment = '', type = '') => {
    const graph = edge(edgeLabels(self, { namespace, deployment }, type))
    return meter((end) => {
      registry.add(graph.total, 1)
      if (isFailure(end)) registry.add(graph.failed(), 1)
      registry.observe(graph.client(), (end.wholeMs / 1000) * writing.graphPerSecond)
      // Without a span of its own, the other end is as long as the client's.
      if (type !== '') registry.observe(graph.server(), (end.wholeMs / 1000) * writing.graphPerSecond)
    })
  })
  return {
    dialledApp: UNCOUNTED,
    accepted: () => UNCOUNTED,
    arriving: ({ peer }) => (peer === undefined ? arriving() : arriving(peer.namespace, peer.deployment)),
    outlet: (originalDst) => ({
      accepted: UNCOUNTED,
      dialled: () => UNCOUNTED,
      request: (pod, host) =>
        pod === null
          ? leaving('', dnsName(host) ?? originalDst, 'virtual_node')
          : leaving(pod.namespace, pod.deployment, ''),
    }),
  }
}

const USER = { namespace: '', deployment: 'user' }

type Node = Pick<Peer, 'namespace' | 'deployment'>

function edgeLabels(client: Node, server: Node, type: string): Labels {
  return [
    ['client', client.deployment],
    ['client_k8s_namespace_name', client.namespace],
    ['connection_type', type],
    ['server', server.deployment],
    ['server_k8s_namespace_name', server.namespace],
  ]
}

function meter(ended: (end: Ended) => void): RequestMeter {
  return { began: () => undefined, ended }
}

const isFailure = ({ status }: Ended) => status === undefined || status >= 500
