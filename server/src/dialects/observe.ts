import { type WorkloadRef, workloadId } from '../domain/identity.ts'
import {
  type Destination,
  destinationKey,
  type Inbound,
  type Measure,
  type Observation,
  type Outbound,
} from '../domain/observation.ts'
import { emptyTraffic, type Traffic } from '../domain/traffic.ts'

/** What a workload receives; made when it is first met. */
export function inboundOf(observation: Observation, workload: WorkloadRef): Inbound {
  const id = workloadId(workload)
  let inbound = observation.inbound.get(id)
  if (inbound === undefined) {
    inbound = { workload, total: emptyTraffic(observation.steps), byHost: new Map(), byClient: new Map() }
    observation.inbound.set(id, inbound)
  }
  return inbound
}

/** One part of a workload's traffic: of one host, of one client. */
export function partOf(parts: Map<string, Traffic>, key: string, steps: number): Traffic {
  let traffic = parts.get(key)
  if (traffic === undefined) {
    traffic = emptyTraffic(steps)
    parts.set(key, traffic)
  }
  return traffic
}

/** What a workload sends to one destination; made when it is first met. */
export function flowOf(
  observation: Observation,
  from: WorkloadRef,
  destination: Destination,
  serverId: string | null,
  measure: Measure,
): Outbound {
  const key = `${workloadId(from)} ${destinationKey(destination)}`
  let flow = observation.outbound.get(key)
  if (flow === undefined) {
    const attempts = measure === 'full' ? 'effective' : 'each'
    flow = { from, destination, traffic: emptyTraffic(observation.steps), measure, attempts, serverId }
    observation.outbound.set(key, flow)
  }
  return flow
}
