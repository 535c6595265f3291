import { cached } from '../cached.ts'
import type { Labels } from '../labels.ts'
import { dnsName } from '../mesh-headers.ts'
import { type Mesh, type Peer, type PodMeter, type RequestMeter, UNCOUNTED } from '../meter.ts'
import { cellsOf, counter, histogram } from '../plain.ts'
import { createRegistry, type Registry } from '../registry.ts'

const REQUESTS = counter('hubble_http_requests_total', 'Count of HTTP requests by methods and protocol.')
const DURATION = histogram(
  'hubble_http_request_duration_seconds',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  'Quantiles of HTTP request duration in seconds',
)

/** One agent sees all pods of its node, here of the cluster: httpV2 with labelsContext, and names from DNS. */
export function createHubble(cluster: string, title: string, ingressMetrics: boolean): Mesh {
  const registry = createRegistry()
  const page = {
    name: `${cluster}/hubble`,
    registry,
    job: 'hubble-metrics',
    path: '/metrics',
    labels: { k8s_app: 'cilium', node: `${cluster}-node-1`, instance: '10.40.0.1:9965' },
  }
  return {
    title,
    shared: [page],
    ingressMetrics,
    pod: (facts) => ({ meter: meterOf(registry, facts), page: null }),
  }
}

function meterOf(registry: Registry, self: Peer): PodMeter {
  const meter = (reporter: 'client' | 'server', ends: Labels): RequestMeter => {
    const shared: Labels = [['method', 'GET'], ['protocol', 'HTTP/1.1'], ['reporter', reporter], ...ends]
    const counted = cellsOf(registry, REQUESTS, (status = '') => [...shared, ['status', status]])
    const timed = registry.cell(DURATION, shared)
    return {
      began: () => undefined,
      // A flow without an answer is no request of these metrics.
      ended({ status, wholeMs }) {
        if (status === undefined) return
        registry.add(counted(String(status)), 1)
        registry.observe(timed, wholeMs / 1000)
      },
    }
  }
  const ends = (source: Peer | undefined, destination: Peer | undefined, name: string): Labels => [
    ['destination', destination === undefined ? name : ''],
    ['source_namespace', source?.namespace ?? ''],
    ['source_workload', source?.deployment ?? ''],
    ['destination_namespace', destination?.namespace ?? ''],
    ['destination_workload', destination?.deployment ?? ''],
  ]
  const arriving = cached((namespace = '', deployment = '') => {
    const peer = deployment === '' ? undefined : { namespace, deployment, serviceAccount: '' }
    return meter('server', ends(peer, self, ''))
  })
  const inside = cached((namespace = '', deployment = '') =>
    meter('client', ends(self, { namespace, deployment, serviceAccount: '' }, '')),
  )
  const outside = cached((name = '') => meter('client', ends(self, undefined, name)))
  return {
    dialledApp: UNCOUNTED,
    accepted: () => UNCOUNTED,
    arriving: ({ peer }) => (peer === undefined ? arriving() : arriving(peer.namespace, peer.deployment)),
    outlet: (originalDst) => ({
      accepted: UNCOUNTED,
      dialled: () => UNCOUNTED,
      request: (pod, host) =>
        pod === null ? outside(dnsName(host) ?? originalDst) : inside(pod.namespace, pod.deployment),
    }),
  }
}
