import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { listenOnLoopback, sendOnHop } from './http-hop.ts'
import type { RouteError } from './linkerd/route-metrics.ts'
import {
  answer,
  bodyOf,
  CLIENT_IDENTITY,
  DST_CANONICAL,
  dnsName,
  forwardedHeaders,
  headerOf,
  ORIGINAL_DST,
  onAbandoned,
  TIMEOUT,
} from './mesh-headers.ts'
import type { ClusterNetwork } from './network.ts'
import { createOutlet, type Endpoint, type Outlet } from './outlet.ts'
import type { Registry } from './registry.ts'

/** The side-car's outbound half: finds the destination, balances, measures, and keeps the caller's time limit. */
export async function startOutboundProxy(options: {
  registry: Registry
  network: ClusterNetwork
  identity: string
}): Promise<{ server: Server; port: number }> {
  const { registry, network, identity } = options
  const outlets = new Map<string, Outlet>()

  function outletFor(originalDst: string): Outlet | undefined {
    const known = outlets.get(originalDst)
    if (known) return known
    const destination = network.lookup(originalDst)
    if (!destination) return undefined
    const outlet = createOutlet(registry, originalDst, destination)
    outlets.set(originalDst, outlet)
    return outlet
  }

  return listenOnLoopback((request: IncomingMessage, reply: ServerResponse) => {
    const outlet = outletFor(headerOf(request, ORIGINAL_DST) ?? '')
    const endpoint = outlet?.pick()
    if (!outlet || !endpoint) return answer(reply, 503, 'no endpoint')
    outlet.accepted.track(request.socket)
    relay({ request, reply, outlet, endpoint, identity })
  })
}

function relay(hop: {
  request: IncomingMessage
  reply: ServerResponse
  outlet: Outlet
  endpoint: Endpoint
  identity: string
}): void {
  const { request, reply, outlet, endpoint, identity } = hop
  const startedAt = performance.now()
  const hostname = dnsName(request.headers.host) ?? ''
  const headers = forwardedHeaders(request.headers)
  if (outlet.meshed) headers[CLIENT_IDENTITY] = identity
  if (outlet.canonical !== undefined) headers[DST_CANONICAL] = outlet.canonical
  let timer: NodeJS.Timeout | undefined
  let ended = false

  outlet.route.requestStarted()
  endpoint.metrics.requestStarted()
  endpoint.inFlight++

  function end(status: number | undefined, error: RouteError): void {
    ended = true
    clearTimeout(timer)
    endpoint.inFlight--
    outlet.route.requestEnded({ hostname, status, error, seconds: (performance.now() - startedAt) / 1000 })
  }

  const cancel = sendOnHop({
    agent: endpoint.agent,
    port: endpoint.port,
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers,
    body: bodyOf(request),
    onResponse({ status, headers, body, firstByteAt }) {
      endpoint.metrics.responseEnded(status, firstByteAt - startedAt)
      end(status, '')
      answer(reply, status, body, headers['content-type'])
    },
    onFailure() {
      endpoint.metrics.responseEnded(502, performance.now() - startedAt)
      end(502, '')
      answer(reply, 502, '')
    },
  })

  const timeoutMs = Number(headerOf(request, TIMEOUT)?.replace(/ms$/, ''))
  if (timeoutMs > 0) {
    const giveUp = () => {
      if (ended) return
      // The endpoint's own series must not see an answer: the stream was cancelled before one came.
      cancel()
      end(undefined, 'REQUEST_TIMEOUT')
      answer(reply, 504, 'request timed out')
    }
    // On a busy machine the timer is looked at before sockets are: an answer that is there already still counts.
    timer = setTimeout(() => setImmediate(giveUp), timeoutMs)
  }
  onAbandoned(reply, () => {
    if (ended) return
    cancel()
    end(undefined, 'UNKNOWN')
  })
}
