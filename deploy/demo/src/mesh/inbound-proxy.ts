import type { HopIncoming, Listener, Transport } from '../transport/transport.ts'
import { createEndpointMetrics, type EndpointMetrics } from './linkerd/endpoint-metrics.ts'
import { INBOUND_DIAL_LABELS, inboundAcceptLabels, inboundLabels } from './linkerd/target-labels.ts'
import { createTcpMetrics, type TcpMetrics } from './linkerd/tcp-metrics.ts'
import { CLIENT_IDENTITY, DST_CANONICAL, dnsName, forwardedHeaders } from './mesh-headers.ts'
import type { Registry } from './registry.ts'

/** The side-car's inbound half: measures every request to the pod and hands it to the application. */
export function startInboundProxy(options: {
  transport: Transport
  registry: Registry
  address: string
  appPort: number
}): Promise<Listener> {
  const { transport, registry, address, appPort } = options
  const dialled = createTcpMetrics(registry, INBOUND_DIAL_LABELS)
  const pool = transport.pool(dialled.track)
  const accepted = new Map<string, TcpMetrics>()
  const endpoints = new Map<string, EndpointMetrics>()

  function measure(request: HopIncoming): EndpointMetrics {
    const clientIdentity = request.headers[CLIENT_IDENTITY]
    const authority = authorityOf(request)
    const key = `${clientIdentity ?? ''} ${authority ?? ''}`
    let endpoint = endpoints.get(key)
    if (!endpoint) {
      endpoint = createEndpointMetrics(registry, inboundLabels(address, { authority, clientIdentity }))
      endpoints.set(key, endpoint)
    }
    let connections = accepted.get(clientIdentity ?? '')
    if (!connections) {
      connections = createTcpMetrics(registry, inboundAcceptLabels(address, clientIdentity))
      accepted.set(clientIdentity ?? '', connections)
    }
    connections.track(request.connection)
    return endpoint
  }

  return transport.listen((request, reply) => {
    const startedAtMs = transport.nowMs()
    const endpoint = measure(request)
    endpoint.requestStarted()
    const cancel = transport.send({
      pool,
      port: appPort,
      path: request.path,
      headers: forwardedHeaders(request.headers),
      onResponse({ status, contentType, body, firstByteAtMs }) {
        endpoint.responseEnded(status, firstByteAtMs - startedAtMs)
        reply.answer(status, body, contentType)
      },
      onFailure() {
        endpoint.responseEnded(502, transport.nowMs() - startedAtMs)
        reply.answer(502, '')
      },
    })
    reply.onAbandoned(cancel)
  })
}

/** `l5d-dst-canonical` is the service FQDN with its port; a Host is kept as sent unless it is a bare IP. */
function authorityOf(request: HopIncoming): string | undefined {
  const canonical = request.headers[DST_CANONICAL]
  if (canonical !== undefined) return canonical
  return dnsName(request.headers.host) === undefined ? undefined : request.headers.host
}
