import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createKeepAliveAgent, listenOnLoopback, sendOnHop } from './http-hop.ts'
import { createEndpointMetrics, type EndpointMetrics } from './linkerd/endpoint-metrics.ts'
import { INBOUND_DIAL_LABELS, inboundAcceptLabels, inboundLabels } from './linkerd/target-labels.ts'
import { createTcpMetrics, type TcpMetrics } from './linkerd/tcp-metrics.ts'
import {
  answer,
  bodyOf,
  CLIENT_IDENTITY,
  DST_CANONICAL,
  dnsName,
  forwardedHeaders,
  headerOf,
  onAbandoned,
} from './mesh-headers.ts'
import type { Registry } from './registry.ts'

/** The side-car's inbound half: measures every request to the pod and hands it to the application. */
export async function startInboundProxy(options: {
  registry: Registry
  address: string
  appPort: number
}): Promise<{ server: Server; port: number }> {
  const { registry, address, appPort } = options
  const dialled = createTcpMetrics(registry, INBOUND_DIAL_LABELS)
  const agent = createKeepAliveAgent((socket) => dialled.track(socket))
  const accepted = new Map<string, TcpMetrics>()
  const endpoints = new Map<string, EndpointMetrics>()

  function measure(request: IncomingMessage): EndpointMetrics {
    const clientIdentity = headerOf(request, CLIENT_IDENTITY)
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
    connections.track(request.socket)
    return endpoint
  }

  return listenOnLoopback((request: IncomingMessage, reply: ServerResponse) => {
    const startedAt = performance.now()
    const endpoint = measure(request)
    endpoint.requestStarted()
    const cancel = sendOnHop({
      agent,
      port: appPort,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: forwardedHeaders(request.headers),
      body: bodyOf(request),
      onResponse({ status, headers, body, firstByteAt }) {
        endpoint.responseEnded(status, firstByteAt - startedAt)
        answer(reply, status, body, headers['content-type'])
      },
      onFailure() {
        endpoint.responseEnded(502, performance.now() - startedAt)
        answer(reply, 502, '')
      },
    })
    onAbandoned(reply, cancel)
  })
}

/** `l5d-dst-canonical` is the service FQDN with its port; a Host is kept as sent unless it is a bare IP. */
function authorityOf(request: IncomingMessage): string | undefined {
  const canonical = headerOf(request, DST_CANONICAL)
  if (canonical !== undefined) return canonical
  return dnsName(request.headers.host) === undefined ? undefined : request.headers.host
}
