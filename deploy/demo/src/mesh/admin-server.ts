import type { Listener, Transport } from '../transport/transport.ts'
import { createEndpointMetrics } from './linkerd/endpoint-metrics.ts'
import { inboundLabels } from './linkerd/target-labels.ts'
import type { Registry } from './registry.ts'

const ADMIN_ADDRESS = '0.0.0.0:4191'
const PROMETHEUS_IDENTITY = 'prometheus.linkerd-viz.serviceaccount.identity.linkerd.cluster.local'

/** The proxy's admin port, simulated 4191. It measures itself as inbound traffic: that noise is Linkerd's, not ours. */
export function startAdminServer(transport: Transport, registry: Registry): Promise<Listener> {
  const source = { authority: undefined, clientIdentity: PROMETHEUS_IDENTITY }
  const scrapes = createEndpointMetrics(registry, inboundLabels(ADMIN_ADDRESS, source))
  const probes = createEndpointMetrics(
    registry,
    inboundLabels(ADMIN_ADDRESS, { authority: undefined, clientIdentity: undefined }, 'probe'),
  )
  return transport.listen((request, reply) => {
    const startedAtMs = transport.nowMs()
    const measured = (metrics: typeof scrapes, body: () => string) => {
      metrics.requestStarted()
      reply.answer(200, body())
      metrics.responseEnded(200, transport.nowMs() - startedAtMs)
    }
    if (request.path === '/metrics') measured(scrapes, () => registry.page())
    else if (request.path === '/ready') measured(probes, () => 'ready\n')
    else reply.answer(404, 'not found\n')
  })
}
