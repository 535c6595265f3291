import type { Listener, Transport } from '../transport/transport.ts'
import { DST_CANONICAL, forwardedHeaders, peerOf } from './mesh-headers.ts'
import type { Ended, PodMeter } from './meter.ts'

/** The side-car's inbound half: measures every request to the pod and hands it to the application. */
export function startInboundProxy(options: {
  transport: Transport
  meter: PodMeter
  appPort: number
}): Promise<Listener> {
  const { transport, meter, appPort } = options
  const pool = transport.pool(meter.dialledApp.track)

  return transport.listen((request, reply) => {
    const startedAtMs = transport.nowMs()
    const peer = peerOf(request.headers)
    meter.accepted(peer).track(request.connection)
    const measured = meter.arriving({
      host: request.headers.host,
      canonical: request.headers[DST_CANONICAL],
      peer,
    })
    let ended = false
    const end = (how: Ended['how'], status: number | undefined, firstByteAtMs = transport.nowMs()) => {
      if (ended) return
      ended = true
      measured.ended({
        how,
        status,
        firstByteMs: firstByteAtMs - startedAtMs,
        wholeMs: transport.nowMs() - startedAtMs,
      })
    }
    measured.began()
    const cancel = transport.send({
      pool,
      port: appPort,
      path: request.path,
      headers: forwardedHeaders(request.headers),
      onResponse({ status, contentType, body, firstByteAtMs }) {
        end('answered', status, firstByteAtMs)
        reply.answer(status, body, contentType)
      },
      onFailure() {
        end('failed', 502)
        reply.answer(502, '')
      },
    })
    reply.onAbandoned(() => {
      cancel()
      end('abandoned', undefined)
    })
  })
}
