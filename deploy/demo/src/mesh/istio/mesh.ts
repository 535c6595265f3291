import { cached } from '../cached.ts'
import type { Family } from '../family.ts'
import type { Labels } from '../labels.ts'
import { dnsName } from '../mesh-headers.ts'
import { type Ended, type Mesh, type Page, type Peer, type PodMeter, type RequestMeter, UNCOUNTED } from '../meter.ts'
import type { Destination, PodFacts } from '../network.ts'
import { annotatedPod, cellsOf, counter, histogram } from '../plain.ts'
import { createRegistry, type Registry } from '../registry.ts'

/** `recorded`: only `workload:*`, summed over pods, as the guide to federation has it. */
export const ISTIO_VARIANTS = ['sidecar', 'ambient', 'recorded'] as const
type Variant = (typeof ISTIO_VARIANTS)[number]

export function istioVariant(version: string): Variant {
  return ISTIO_VARIANTS.find((variant) => variant === version) ?? 'sidecar'
}

const BOUNDS_MS = [
  0.5, 1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000,
  3_600_000,
]

interface Families {
  readonly requests: Family
  readonly duration: Family
}

const families = (prefix: string): Families => ({
  requests: counter(`${prefix}istio_requests_total`),
  duration: histogram(`${prefix}istio_request_duration_milliseconds`, BOUNDS_MS),
})

/** One end of a call, as metadata exchange tells it. */
interface End extends Peer {
  readonly cluster: string
}

interface Service {
  readonly host: string
  readonly name: string
  readonly namespace: string
}

export function createIstio(options: {
  cluster: string
  title: string
  variant: Variant
  ingressMetrics: boolean
}): Mesh {
  const { cluster, title, variant, ingressMetrics } = options
  const together: Page = {
    registry: createRegistry(),
    job: variant === 'recorded' ? 'istio-federation' : 'istio-waypoints',
    path: variant === 'recorded' ? '/federate' : '/stats/prometheus',
    labels:
      variant === 'recorded'
        ? { instance: 'prometheus.istio-system:9090' }
        : { namespace: 'istio-system', pod: 'waypoint-0', app: 'waypoint', instance: '10.42.0.5:15020' },
  }
  const shared = variant === 'sidecar' ? [] : [{ ...together, name: `${cluster}/istio` }]
  const names = families(variant === 'recorded' ? 'workload:' : '')
  return {
    title,
    shared,
    ingressMetrics,
    pod(facts) {
      if (variant !== 'sidecar')
        return { meter: meterOf(cluster, together.registry, names, facts, variant), page: null }
      const registry = createRegistry()
      const page: Page = {
        registry,
        job: 'kubernetes-pods',
        path: '/stats/prometheus',
        labels: {
          ...annotatedPod(facts, 15_020),
          security_istio_io_tlsMode: 'istio',
          service_istio_io_canonical_name: facts.deployment,
          service_istio_io_canonical_revision: 'latest',
        },
      }
      return { meter: meterOf(cluster, registry, names, facts, variant), page }
    },
  }
}

/**
 * Sidecars report a call at both ends; a waypoint reports it once, between them, and only ztunnels (no requests) are
 * beside the pods. What leaves the cluster goes through a ServiceEntry, in ambient bound to a waypoint.
 */
function meterOf(
  cluster: string,
  registry: Registry,
  { requests, duration }: Families,
  facts: PodFacts,
  variant: Variant,
): PodMeter {
  const self: End = { ...facts, cluster }
  const own = serviceOf(facts)
  const ambient = variant === 'ambient'
  const meter = (labels: (code: string, flags: string) => Labels): RequestMeter => {
    const counted = cellsOf(registry, requests, (code = '', flags = '') => labels(code, flags))
    const timed = cellsOf(registry, duration, (code = '', flags = '') => labels(code, flags))
    return {
      began: () => undefined,
      ended(end) {
        const [code, flags] = outcomeOf(end)
        registry.add(counted(code, flags), 1)
        registry.observe(timed(code, flags), end.wholeMs)
      },
    }
  }
  const arriving = cached((namespace = '', deployment = '', serviceAccount = '') => {
    const peer = deployment === '' ? undefined : { namespace, deployment, serviceAccount, cluster }
    return meter((code, flags) => labelsOf(ambient ? 'waypoint' : 'destination', peer, self, own, code, flags))
  })
  const leaving = (destination: Destination, pod: PodFacts | null, host: string | undefined) => {
    const to = pod === null ? undefined : { ...pod, cluster }
    const service = pod === null ? entryOf(facts.namespace, host, destination) : serviceOf(pod)
    return meter((code, flags) => labelsOf(ambient ? 'waypoint' : 'source', self, to, service, code, flags))
  }
  return {
    dialledApp: UNCOUNTED,
    accepted: () => UNCOUNTED,
    arriving: ({ peer }) =>
      peer === undefined ? arriving() : arriving(peer.namespace, peer.deployment, peer.serviceAccount),
    outlet(_, destination) {
      const requestsTo = new Map<PodFacts | null, Map<string | undefined, RequestMeter>>()
      return {
        accepted: UNCOUNTED,
        dialled: () => UNCOUNTED,
        request(pod, host) {
          // The callee's waypoint has counted it already.
          if (ambient && pod !== null) return NOBODY
          const byHost = requestsTo.get(pod) ?? new Map<string | undefined, RequestMeter>()
          requestsTo.set(pod, byHost)
          const found = byHost.get(host) ?? leaving(destination, pod, host)
          byHost.set(host, found)
          return found
        },
      }
    },
  }
}

const NOBODY: RequestMeter = { began: () => undefined, ended: () => undefined }

function serviceOf({ namespace, deployment }: Peer): Service {
  return { host: `${deployment}.${namespace}.svc.cluster.local`, name: deployment, namespace }
}

/** A host that a ServiceEntry of the caller's namespace names. */
function entryOf(namespace: string, asked: string | undefined, destination: Destination): Service {
  const host = dnsName(asked) ?? (destination.kind === 'external' ? destination.address : 'unknown')
  return { host, name: host, namespace }
}

function outcomeOf({ how, status }: Ended): [code: string, flags: string] {
  switch (how) {
    case 'answered':
      return [String(status), '-']
    case 'timedOut':
      return ['504', 'UT']
    case 'failed':
      return ['503', 'UF']
    case 'abandoned':
      return ['0', 'DC']
    default:
      return how satisfies never
  }
}

function labelsOf(
  reporter: 'source' | 'destination' | 'waypoint',
  source: End | undefined,
  destination: End | undefined,
  service: Service,
  code: string,
  flags: string,
): Labels {
  const secure = reporter === 'source' ? 'unknown' : source === undefined ? 'none' : 'mutual_tls'
  return [
    ['reporter', reporter],
    ...endLabels('source', source),
    ...endLabels('destination', destination),
    ['destination_service', service.host],
    ['destination_service_name', service.name],
    ['destination_service_namespace', service.namespace],
    ['request_protocol', 'http'],
    ['response_code', code],
    ['grpc_response_status', ''],
    ['response_flags', flags],
    ['connection_security_policy', secure],
  ]
}

function endLabels(side: 'source' | 'destination', end: End | undefined): Labels {
  const known = (value: string | undefined) => value ?? 'unknown'
  const principal = end && `spiffe://cluster.local/ns/${end.namespace}/sa/${end.serviceAccount}`
  return [
    [`${side}_workload`, known(end?.deployment)],
    [`${side}_canonical_service`, known(end?.deployment)],
    [`${side}_canonical_revision`, 'latest'],
    [`${side}_workload_namespace`, known(end?.namespace)],
    [`${side}_principal`, known(principal)],
    [`${side}_app`, known(end?.deployment)],
    [`${side}_version`, 'unknown'],
    [`${side}_cluster`, known(end?.cluster)],
  ]
}
