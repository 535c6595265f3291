import type { Pool, Transport } from '../transport/transport.ts'
import type { Labels } from './labels.ts'
import { createEndpointMetrics, type EndpointMetrics } from './linkerd/endpoint-metrics.ts'
import { BALANCER_ENDPOINTS } from './linkerd/families.ts'
import { forwardPolicy, servicePolicy } from './linkerd/policy-labels.ts'
import { createRouteMetrics, type RouteMetrics } from './linkerd/route-metrics.ts'
import { endpointLabels, externalLabels, outboundAcceptLabels, outboundDialLabels } from './linkerd/target-labels.ts'
import { createTcpMetrics, type TcpMetrics } from './linkerd/tcp-metrics.ts'
import type { Destination, PodFacts, ServiceFacts } from './network.ts'
import type { Registry } from './registry.ts'

export interface Endpoint {
  readonly metrics: EndpointMetrics
  readonly pool: Pool
  readonly port: number
  inFlight: number
}

/** Everything an outbound proxy keeps for one original destination. */
export interface Outlet {
  readonly accepted: TcpMetrics
  readonly route: RouteMetrics
  /** Set for a Service: the callee sees it as `l5d-dst-canonical`. */
  readonly canonical: string | undefined
  /** mTLS exists only towards endpoints that discovery knows. */
  readonly meshed: boolean
  pick(): Endpoint | undefined
}

export function createOutlet(deps: {
  transport: Transport
  registry: Registry
  originalDst: string
  destination: Destination
}): Outlet {
  const { transport, registry, originalDst, destination } = deps
  const accepted = createTcpMetrics(registry, outboundAcceptLabels(originalDst))

  function endpoint(labels: Labels, port: number): Endpoint {
    const dialled = createTcpMetrics(registry, outboundDialLabels(labels))
    return {
      metrics: createEndpointMetrics(registry, labels),
      pool: transport.pool(dialled.track),
      port,
      inFlight: 0,
    }
  }

  switch (destination.kind) {
    case 'service': {
      const { service } = destination
      const route = createRouteMetrics(registry, servicePolicy(service))
      trackBalancer(registry, service)
      const known = new Map<PodFacts, Endpoint>()
      const pick = () =>
        leastLoaded(service.endpoints, (pod) => {
          let found = known.get(pod)
          if (!found) {
            found = endpoint(endpointLabels(pod, service), pod.inboundPort)
            known.set(pod, found)
          }
          return found
        })
      return { accepted, route, canonical: service.authority, meshed: true, pick }
    }
    case 'pod': {
      const route = createRouteMetrics(registry, forwardPolicy('endpoint'))
      const only = endpoint(endpointLabels(destination.pod, undefined), destination.pod.inboundPort)
      return { accepted, route, canonical: undefined, meshed: true, pick: () => only }
    }
    case 'external': {
      const route = createRouteMetrics(registry, forwardPolicy('egress-fallback'))
      const labels = externalLabels(destination.address)
      const metrics = createEndpointMetrics(registry, labels)
      const dialled = createTcpMetrics(registry, outboundDialLabels(labels))
      const pool = transport.pool(dialled.track)
      let turn = 0
      const pick = () => {
        // The public address stands for a load balancer in front of the ingress pods.
        const ports = destination.ports()
        const port = ports[turn++ % ports.length]
        return port === undefined ? undefined : { metrics, pool, port, inFlight: 0 }
      }
      return { accepted, route, canonical: undefined, meshed: false, pick }
    }
    default:
      return destination satisfies never
  }
}

/** Least requests in flight, in turn among equals. */
function leastLoaded(pods: readonly PodFacts[], endpointOf: (pod: PodFacts) => Endpoint): Endpoint | undefined {
  let best: Endpoint | undefined
  const offset = turns++
  for (let i = 0; i < pods.length; i++) {
    const pod = pods[(i + offset) % pods.length]
    if (!pod) continue
    const candidate = endpointOf(pod)
    if (!best || candidate.inFlight < best.inFlight) best = candidate
  }
  return best
}
let turns = 0

function trackBalancer(registry: Registry, service: ServiceFacts): void {
  const { parent, backend } = servicePolicy(service)
  const ready = registry.cell(BALANCER_ENDPOINTS, [['endpoint_state', 'ready'], ...parent, ...backend])
  registry.cell(BALANCER_ENDPOINTS, [['endpoint_state', 'pending'], ...parent, ...backend])
  registry.beforePage(() => registry.set(ready, service.endpoints.length))
}
