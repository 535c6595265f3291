import type { Pool, Transport } from '../transport/transport.ts'
import type { OutletMeter } from './meter.ts'
import type { Destination, PodFacts } from './network.ts'

export interface Endpoint {
  /** Null where discovery knows nothing. */
  readonly pod: PodFacts | null
  readonly pool: Pool
  readonly port: number
  inFlight: number
}

/** Everything an outbound proxy keeps for one original destination. */
export interface Outlet {
  readonly meter: OutletMeter
  /** Set for a Service: the callee sees it as `l5d-dst-canonical`. */
  readonly canonical: string | undefined
  /** mTLS exists only towards endpoints that discovery knows. */
  readonly meshed: boolean
  pick(): Endpoint | undefined
}

export function createOutlet(deps: { transport: Transport; meter: OutletMeter; destination: Destination }): Outlet {
  const { transport, meter, destination } = deps
  const endpoint = (pod: PodFacts): Endpoint => ({
    pod,
    pool: transport.pool(meter.dialled(pod).track),
    port: pod.inboundPort,
    inFlight: 0,
  })

  switch (destination.kind) {
    case 'service': {
      const { service } = destination
      const known = new Map<PodFacts, Endpoint>()
      const pick = () =>
        leastLoaded(service.endpoints, (pod) => {
          let found = known.get(pod)
          if (!found) {
            found = endpoint(pod)
            known.set(pod, found)
          }
          return found
        })
      return { meter, canonical: service.authority, meshed: true, pick }
    }
    case 'pod': {
      const only = endpoint(destination.pod)
      return { meter, canonical: undefined, meshed: true, pick: () => only }
    }
    case 'external': {
      const pool = transport.pool(meter.dialled(null).track)
      let turn = 0
      const pick = () => {
        // The public address stands for a load balancer in front of the ingress pods.
        const ports = destination.ports()
        const port = ports[turn++ % ports.length]
        return port === undefined ? undefined : { pod: null, pool, port, inFlight: 0 }
      }
      return { meter, canonical: undefined, meshed: false, pick }
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
