import { type WorkloadRef, workloadId } from '../domain/identity.ts'
import {
  type Destination,
  destinationKey,
  type Inbound,
  type Measure,
  newInbound,
  noClues,
  type Observation,
  type Outbound,
} from '../domain/observation.ts'
import { emptyTraffic, type Traffic } from '../domain/traffic.ts'

/** What a workload receives; made when it is first met. */
export function inboundOf(observation: Observation, workload: WorkloadRef): Inbound {
  const id = workloadId(workload)
  let inbound = observation.inbound.get(id)
  if (inbound === undefined) {
    inbound = newInbound(workload, observation.steps)
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
    const traffic = emptyTraffic(observation.steps)
    flow = { from, destination, traffic, measure, attempts, serverId, clues: noClues() }
    observation.outbound.set(key, flow)
  }
  return flow
}
