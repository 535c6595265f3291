import { cached } from '../cached.ts'
import { dnsName } from '../mesh-headers.ts'
import type { Ended, OutletMeter, PodMeter, RequestMeter } from '../meter.ts'
import type { Destination, PodFacts, ServiceFacts } from '../network.ts'
import type { Registry } from '../registry.ts'
import { createEndpointMetrics, type EndpointMetrics } from './endpoint-metrics.ts'
import { BALANCER_ENDPOINTS } from './families.ts'
import { forwardPolicy, servicePolicy } from './policy-labels.ts'
import { createRouteMetrics } from './route-metrics.ts'
import {
  endpointLabels,
  externalLabels,
  INBOUND_DIAL_LABELS,
  identityOf,
  inboundAcceptLabels,
  inboundLabels,
  outboundAcceptLabels,
  outboundDialLabels,
} from './target-labels.ts'
import { createTcpMetrics } from './tcp-metrics.ts'
import type { LinkerdTraits } from './traits.ts'

const ADMIN_ADDRESS = '0.0.0.0:4191'
const PROMETHEUS_IDENTITY = 'prometheus.linkerd-viz.serviceaccount.identity.linkerd.cluster.local'

/** What the two halves of a Linkerd proxy count, and its admin port: that noise is Linkerd's, not ours. */
export function linkerdPodMeter(registry: Registry, traits: LinkerdTraits, pod: PodFacts): PodMeter {
  const { address } = pod
  const accepted = cached((client) =>
    createTcpMetrics(registry, inboundAcceptLabels(traits, address, client === '' ? undefined : client)),
  )
  const arriving = cached((client, authority) =>
    atEndpoint(
      createEndpointMetrics(
        registry,
        traits,
        inboundLabels(traits, address, { authority: known(authority), clientIdentity: known(client) }),
      ),
    ),
  )
  const ownName = `${address.slice(0, address.lastIndexOf(':'))}:4191`
  const admin = (clientIdentity: string | undefined, kind: 'default' | 'probe') => {
    // Up to 2.9 nothing but the name tells its own port from the application's; later it is no DNS name, and left out.
    const source = { authority: traits.targetAddr ? undefined : ownName, clientIdentity }
    return atEndpoint(createEndpointMetrics(registry, traits, inboundLabels(traits, ADMIN_ADDRESS, source, kind)))
  }
  return {
    dialledApp: createTcpMetrics(registry, INBOUND_DIAL_LABELS),
    accepted: (peer) => accepted(peer === undefined ? '' : identityOf(peer)),
    arriving: ({ host, canonical, peer }) =>
      arriving(
        peer === undefined ? '' : identityOf(peer),
        canonical ?? (dnsName(host) === undefined ? '' : (host ?? '')),
      ),
    outlet: (originalDst, destination) => outletMeter(registry, traits, originalDst, destination),
    admin: { scrapes: admin(PROMETHEUS_IDENTITY, 'default'), probes: admin(undefined, 'probe') },
  }
}

const known = (text: string) => (text === '' ? undefined : text)

function atEndpoint(metrics: EndpointMetrics): RequestMeter {
  return { began: metrics.requestStarted, ended: (end) => record(metrics, end) }
}

/** A stream that was cancelled before an answer came is in no response. */
function record(metrics: EndpointMetrics, { how, status, firstByteMs }: Ended): void {
  if (status !== undefined && (how === 'answered' || how === 'failed')) metrics.responseEnded(status, firstByteMs)
}

function outletMeter(
  registry: Registry,
  traits: LinkerdTraits,
  originalDst: string,
  destination: Destination,
): OutletMeter {
  const accepted = createTcpMetrics(registry, outboundAcceptLabels(traits, originalDst))
  const service = destination.kind === 'service' ? destination.service : undefined
  const policy =
    service === undefined
      ? forwardPolicy(destination.kind === 'pod' ? 'endpoint' : traits.egressName)
      : servicePolicy(service)
  const route = createRouteMetrics(registry, traits, policy)
  if (service !== undefined && traits.backendRequests) trackBalancer(registry, service)
  const labels = (pod: PodFacts | null, host: string | undefined) =>
    pod === null ? externalLabels(traits, originalDst, host) : endpointLabels(traits, pod, service, host)
  const dialled = new Map<PodFacts | null, ReturnType<typeof createTcpMetrics>>()
  const requests = new Map<PodFacts | null, Map<string | undefined, RequestMeter>>()

  function through(metrics: EndpointMetrics, host: string | undefined): RequestMeter {
    const hostname = dnsName(host) ?? ''
    return {
      began() {
        route.requestStarted()
        metrics.requestStarted()
      },
      ended(end) {
        record(metrics, end)
        const error = end.how === 'timedOut' ? 'REQUEST_TIMEOUT' : end.how === 'abandoned' ? 'UNKNOWN' : ''
        route.requestEnded({
          hostname,
          status: error === '' ? end.status : undefined,
          error,
          seconds: end.wholeMs / 1000,
        })
      },
    }
  }

  return {
    accepted,
    dialled(pod) {
      let meter = dialled.get(pod)
      if (!meter) {
        meter = createTcpMetrics(registry, outboundDialLabels(labels(pod, undefined)))
        dialled.set(pod, meter)
      }
      return meter
    },
    request(pod, host) {
      const byHost = requests.get(pod) ?? new Map<string | undefined, RequestMeter>()
      requests.set(pod, byHost)
      let meter = byHost.get(host)
      if (!meter) {
        meter = through(createEndpointMetrics(registry, traits, labels(pod, host)), host)
        byHost.set(host, meter)
      }
      return meter
    },
  }
}

function trackBalancer(registry: Registry, service: ServiceFacts): void {
  const { parent, backend } = servicePolicy(service)
  const ready = registry.cell(BALANCER_ENDPOINTS, [['endpoint_state', 'ready'], ...parent, ...backend])
  registry.cell(BALANCER_ENDPOINTS, [['endpoint_state', 'pending'], ...parent, ...backend])
  registry.beforePage(() => registry.set(ready, service.endpoints.length))
}
