import { type Column, emptyColumn, type Values } from '../domain/columns.ts'
import { knownId, type WorkloadRef, workloadId } from '../domain/identity.ts'
import {
  type Attempts,
  type Destination,
  type Inbound,
  knownKey,
  type Measure,
  NO_CLUES,
  NO_PARTS,
  newInbound,
  type Observation,
  type Outbound,
  type RouteFlow,
} from '../domain/observation.ts'
import { addFactInto, type SignalName } from '../domain/signals.ts'
import { emptyTraffic, rowsOf, type Traffic } from '../domain/traffic.ts'

/** What a workload receives; made when it is first met. */
export function inboundOf(observation: Observation, workload: WorkloadRef, measure: Measure = 'firstByte'): Inbound {
  return inboundAt(observation, workloadId(workload), workload, measure)
}

/** The same where the workload's id is known already. */
export function inboundAt(observation: Observation, id: string, workload: WorkloadRef, measure: Measure): Inbound {
  let inbound = observation.inbound.get(id)
  if (inbound === undefined) {
    inbound = newInbound(workload, observation.steps, measure)
    observation.inbound.set(id, inbound)
  }
  return inbound
}

/** One part of a workload's traffic: of one host, of one client, of one caller; made when it is first met. */
export function partOf(inbound: Inbound, by: 'byHost' | 'byClient' | 'byCaller', key: string): Traffic {
  const known = inbound[by].get(key)
  if (known !== undefined) return known
  const traffic = emptyTraffic(rowsOf(inbound.total).steps)
  // Made here, unless it is the one that all share that have none.
  const parts = inbound[by] === NO_PARTS ? new Map<string, Traffic>() : (inbound[by] as Map<string, Traffic>)
  inbound[by] = parts.set(key, traffic)
  return traffic
}

/** What a workload sends to one destination; made when it is first met. */
export function flowOf(
  observation: Observation,
  from: WorkloadRef,
  destination: Destination,
  serverId: string | null,
  measure: Measure,
  attempts: Attempts = measure === 'full' ? 'effective' : 'each',
): Outbound {
  return flowAt(observation, outboundKey(from, destination), { from, destination, serverId, measure, attempts })
}

/** What a flow is found by: its ends. */
export function outboundKey(from: WorkloadRef, destination: Destination): string {
  return `${knownId(from)} ${knownKey(destination)}`
}

/** `flowOf` where the flow's key is known already. */
export function flowAt(
  observation: Observation,
  key: string,
  ends: Pick<Outbound, 'from' | 'destination' | 'serverId' | 'measure' | 'attempts'> & Partial<Pick<Outbound, 'clues'>>,
): Outbound {
  let flow = observation.outbound.get(key)
  if (flow === undefined) {
    const { from, destination, serverId, measure, attempts, clues = NO_CLUES } = ends
    const traffic = emptyTraffic(observation.steps)
    // Spelled out: V8 gives objects that grow after a spread a hidden class each, larger than they are and slow to read.
    flow = { from, destination, serverId, clues, measure, attempts, traffic, tcp: null }
    observation.outbound.set(key, flow)
  }
  return flow
}

/** Pods that report for a workload; made when it is first met. */
export function podsOf(observation: Observation, workload: WorkloadRef): Column {
  const id = knownId(workload)
  const pods = observation.pods.get(id) ?? emptyColumn(observation.steps)
  observation.pods.set(id, pods)
  return pods
}

/** Adds a fact about a workload (by id) or a call (by outbound key). */
export function addSignal(observation: Observation, key: string, name: SignalName, values: Values): void {
  const signals = observation.signals.get(key) ?? new Map<SignalName, Column>()
  observation.signals.set(key, signals)
  const column = signals.get(name) ?? emptyColumn(observation.steps)
  signals.set(name, column)
  addFactInto(column, name, values)
}

/** A route of a service; made when it is first met. */
export function routeOf(
  observation: Observation,
  { workload, direction, service, route }: Pick<RouteFlow, 'workload' | 'direction' | 'service' | 'route'>,
): RouteFlow {
  const key = [workloadId(workload), direction, service, route].join(' ')
  let entry = observation.routes.get(key)
  if (entry === undefined) {
    const [effective, actual] = [emptyTraffic(observation.steps), emptyTraffic(observation.steps)]
    entry = { workload, direction, service, route, effective, actual }
    observation.routes.set(key, entry)
  }
  return entry
}
