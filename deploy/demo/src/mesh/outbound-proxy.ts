import type { HopIncoming, HopReply, Listener, Transport } from '../transport/transport.ts'
import type { RouteError } from './linkerd/route-metrics.ts'
import { CLIENT_IDENTITY, DST_CANONICAL, dnsName, forwardedHeaders, ORIGINAL_DST, TIMEOUT } from './mesh-headers.ts'
import type { ClusterNetwork } from './network.ts'
import { createOutlet, type Endpoint, type Outlet } from './outlet.ts'
import type { Registry } from './registry.ts'

/** The side-car's outbound half: finds the destination, balances, measures, and keeps the caller's time limit. */
export function startOutboundProxy(options: {
  transport: Transport
  registry: Registry
  network: ClusterNetwork
  identity: string
}): Promise<Listener> {
  const { transport, registry, network, identity } = options
  const outlets = new Map<string, Outlet>()

  function outletFor(originalDst: string): Outlet | undefined {
    const known = outlets.get(originalDst)
    if (known) return known
    const destination = network.lookup(originalDst)
    if (!destination) return undefined
    const outlet = createOutlet({ transport, registry, originalDst, destination })
    outlets.set(originalDst, outlet)
    return outlet
  }

  return transport.listen((request, reply) => {
    const outlet = outletFor(request.headers[ORIGINAL_DST] ?? '')
    const endpoint = outlet?.pick()
    if (!outlet || !endpoint) return reply.answer(503, 'no endpoint')
    outlet.accepted.track(request.connection)
    relay({ transport, request, reply, outlet, endpoint, identity })
  })
}

function relay(hop: {
  transport: Transport
  request: HopIncoming
  reply: HopReply
  outlet: Outlet
  endpoint: Endpoint
  identity: string
}): void {
  const { transport, request, reply, outlet, endpoint, identity } = hop
  const startedAtMs = transport.nowMs()
  const hostname = dnsName(request.headers.host) ?? ''
  const headers = forwardedHeaders(request.headers)
  if (outlet.meshed) headers[CLIENT_IDENTITY] = identity
  if (outlet.canonical !== undefined) headers[DST_CANONICAL] = outlet.canonical
  let stopTimer = () => {}
  let ended = false

  outlet.route.requestStarted()
  endpoint.metrics.requestStarted()
  endpoint.inFlight++

  function end(status: number | undefined, error: RouteError): void {
    ended = true
    stopTimer()
    endpoint.inFlight--
    outlet.route.requestEnded({ hostname, status, error, seconds: (transport.nowMs() - startedAtMs) / 1000 })
  }

  const cancel = transport.send({
    pool: endpoint.pool,
    port: endpoint.port,
    path: request.path,
    headers,
    onResponse({ status, contentType, body, firstByteAtMs }) {
      endpoint.metrics.responseEnded(status, firstByteAtMs - startedAtMs)
      end(status, '')
      reply.answer(status, body, contentType)
    },
    onFailure() {
      endpoint.metrics.responseEnded(502, transport.nowMs() - startedAtMs)
      end(502, '')
      reply.answer(502, '')
    },
  })

  const timeoutMs = Number(request.headers[TIMEOUT]?.replace(/ms$/, ''))
  if (timeoutMs > 0) {
    const giveUp = () => {
      if (ended) return
      // The endpoint's own series must not see an answer: the stream was cancelled before one came.
      cancel()
      end(undefined, 'REQUEST_TIMEOUT')
      reply.answer(504, 'request timed out')
    }
    // On a busy machine the timer is looked at before sockets are: an answer that is there already still counts.
    stopTimer = transport.after(timeoutMs, () => setImmediate(giveUp))
  }
  reply.onAbandoned(() => {
    if (ended) return
    cancel()
    end(undefined, 'UNKNOWN')
  })
}
