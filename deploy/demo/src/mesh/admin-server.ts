import { get, type Server } from 'node:http'
import { listenOnLoopback } from './http-hop.ts'
import { createEndpointMetrics } from './linkerd/endpoint-metrics.ts'
import { inboundLabels } from './linkerd/target-labels.ts'
import { answer } from './mesh-headers.ts'
import type { Registry } from './registry.ts'

const ADMIN_ADDRESS = '0.0.0.0:4191'
const PROMETHEUS_IDENTITY = 'prometheus.linkerd-viz.serviceaccount.identity.linkerd.cluster.local'

/** The proxy's admin port, simulated 4191. It measures itself as inbound traffic: that noise is Linkerd's, not ours. */
export async function startAdminServer(registry: Registry): Promise<{ server: Server; port: number }> {
  const source = { authority: undefined, clientIdentity: PROMETHEUS_IDENTITY }
  const scrapes = createEndpointMetrics(registry, inboundLabels(ADMIN_ADDRESS, source))
  const probes = createEndpointMetrics(
    registry,
    inboundLabels(ADMIN_ADDRESS, { authority: undefined, clientIdentity: undefined }, 'probe'),
  )
  return listenOnLoopback((request, reply) => {
    const startedAt = performance.now()
    const measured = (metrics: typeof scrapes, status: number, body: () => string) => {
      metrics.requestStarted()
      answer(reply, status, body())
      metrics.responseEnded(status, performance.now() - startedAt)
    }
    if (request.url === '/metrics') measured(scrapes, 200, () => registry.page())
    else if (request.url === '/ready') measured(probes, 200, () => 'ready\n')
    else answer(reply, 404, 'not found\n')
  })
}

/** What the kubelet does: ask the admin port whether the proxy is ready. Failures show as a missing probe, as there. */
export function probeReadiness(adminPort: number): Promise<void> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port: adminPort, path: '/ready', agent: false }, (response) => {
      response.resume()
      response.on('end', resolve)
    }).on('error', () => resolve())
  })
}
