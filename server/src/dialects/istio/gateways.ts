import { addInto } from '../../domain/columns.ts'
import { type WorkloadRef, workloadId } from '../../domain/identity.ts'
import type { Observation } from '../../domain/observation.ts'
import { emptyTraffic, isCounted } from '../../domain/traffic.ts'
import type { SeriesColumn } from '../dialect.ts'
import { inboundOf } from '../observe.ts'
import type { Matcher } from '../promql.ts'
import { addBucket } from '../read-series.ts'

/** What ingress gateways are called: Istio's own, and those that it makes for the Gateway API. */
const NAMES = '.*gateway.*|.*-istio'
const GATEWAY = new RegExp(`^(${NAMES})$`)

/** Series of what gateways send on. */
export const BY_GATEWAYS: readonly Matcher[] = [
  { label: 'reporter', op: '=', value: 'source' },
  { label: 'source_workload', op: '=~', value: NAMES },
]

export function isGateway(name: string): boolean {
  return GATEWAY.test(name)
}

/** Buckets of a gateway, which is the source of the series. */
export interface PassedOn {
  readonly gateway: WorkloadRef
  readonly series: SeriesColumn
}

/**
 * A gateway reports what it sends on and never what it was sent: without this it would have no row. What it passes on
 * is what it was asked for, in rate and outcome; the time is that of the services behind it as it waited for them.
 * `areCounted`: requests are in the same answers; else buckets alone tell of it. `isReported`: whether something that
 * receives on behalf of a workload counts its requests; callers within the mesh tell but their own of a gateway.
 */
export function addGateways(
  observation: Observation,
  buckets: readonly PassedOn[],
  unitsPerSecond: number,
  areCounted: boolean,
  isReported: (id: string) => boolean,
): void {
  for (const { from, traffic } of observation.outbound.values()) {
    const id = workloadId(from)
    if (!isGateway(from.name) || !isCounted(traffic) || isReported(id)) continue
    let inbound = inboundOf(observation, from, 'full')
    if (inbound.passesOn !== true) {
      inbound = { ...inbound, total: emptyTraffic(observation.steps) }
      observation.inbound.set(id, inbound)
    }
    for (const name of ['success', 'failures', 'latencySeconds', 'latencyCount'] as const) {
      addInto(inbound.total[name], traffic[name])
    }
    inbound.passesOn = true
  }
  for (const { gateway, series } of buckets) {
    let inbound = observation.inbound.get(workloadId(gateway))
    if (inbound === undefined && !areCounted && isGateway(gateway.name)) {
      inbound = inboundOf(observation, gateway, 'full')
      inbound.passesOn = true
    }
    if (inbound?.passesOn) addBucket(inbound.total, series, unitsPerSecond)
  }
}
