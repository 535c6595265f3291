import type { HopIncoming, HopReply, Listener, Transport } from '../transport/transport.ts'
import { DST_CANONICAL, forwardedHeaders, ORIGINAL_DST, PEER, peerHeader, TIMEOUT } from './mesh-headers.ts'
import type { Ended, Peer, PodMeter } from './meter.ts'
import type { ClusterNetwork } from './network.ts'
import { createOutlet, type Endpoint, type Outlet } from './outlet.ts'

/** The side-car's outbound half: finds the destination, balances, measures, and keeps the caller's time limit. */
export function startOutboundProxy(options: {
  transport: Transport
  meter: PodMeter
  network: ClusterNetwork
  /** The pod itself, as its connections show it to others. */
  self: Peer
}): Promise<Listener> {
  const { transport, meter, network } = options
  const outlets = new Map<string, Outlet>()
  const peer = peerHeader(options.self)

  function outletFor(originalDst: string): Outlet | undefined {
    const known = outlets.get(originalDst)
    if (known) return known
    const destination = network.lookup(originalDst)
    if (!destination) return undefined
    const outlet = createOutlet({ transport, meter: meter.outlet(originalDst, destination), destination })
    outlets.set(originalDst, outlet)
    return outlet
  }

  return transport.listen((request, reply) => {
    const outlet = outletFor(request.headers[ORIGINAL_DST] ?? '')
    const endpoint = outlet?.pick()
    if (!outlet || !endpoint) return reply.answer(503, 'no endpoint')
    outlet.meter.accepted.track(request.connection)
    relay({ transport, request, reply, outlet, endpoint, peer })
  })
}

function relay(hop: {
  transport: Transport
  request: HopIncoming
  reply: HopReply
  outlet: Outlet
  endpoint: Endpoint
  peer: string
}): void {
  const { transport, request, reply, outlet, endpoint, peer } = hop
  const startedAtMs = transport.nowMs()
  const headers = forwardedHeaders(request.headers)
  if (outlet.meshed) headers[PEER] = peer
  if (outlet.canonical !== undefined) headers[DST_CANONICAL] = outlet.canonical
  let stopTimer = () => {}
  let ended = false

  const measured = outlet.meter.request(endpoint.pod, request.headers.host)
  measured.began()
  endpoint.inFlight++

  function end(how: Ended['how'], status: number | undefined, firstByteAtMs = transport.nowMs()): void {
    ended = true
    stopTimer()
    endpoint.inFlight--
    const nowMs = transport.nowMs()
    measured.ended({ how, status, firstByteMs: firstByteAtMs - startedAtMs, wholeMs: nowMs - startedAtMs })
  }

  const cancel = transport.send({
    pool: endpoint.pool,
    port: endpoint.port,
    path: request.path,
    headers,
    onResponse({ status, contentType, body, firstByteAtMs }) {
      end('answered', status, firstByteAtMs)
      reply.answer(status, body, contentType)
    },
    onFailure() {
      end('failed', 502)
      reply.answer(502, '')
    },
  })

  const timeoutMs = Number(request.headers[TIMEOUT]?.replace(/ms$/, ''))
  if (timeoutMs > 0) {
    const giveUp = () => {
      if (ended) return
      // The endpoint's own series must not see an answer: the stream was cancelled before one came.
      cancel()
      end('timedOut', 504)
      reply.answer(504, 'request timed out')
    }
    // On a busy machine the timer is looked at before sockets are: an answer that is there already still counts.
    stopTimer = transport.after(timeoutMs, () => setImmediate(giveUp))
  }
  reply.onAbandoned(() => {
    if (ended) return
    cancel()
    end('abandoned', undefined)
  })
}
