import { workloadId } from '../../domain/identity.ts'
import type { Observation } from '../../domain/observation.ts'
import { addTraffic, isCounted } from '../../domain/traffic.ts'
import { inboundOf } from '../observe.ts'

/** What ingress gateways are called: Istio's own, and those that it makes for the Gateway API. */
const GATEWAY = /gateway|-istio$/

/**
 * A gateway reports what it sends on and never what it was sent: without this it would have no row. What it passes on
 * is what it was asked for, in rate and outcome; the time is that of the services behind it as it waited for them.
 */
export function addGateways(observation: Observation): void {
  const reported = new Set([...observation.inbound].flatMap(([id, { total }]) => (isCounted(total) ? [id] : [])))
  for (const flow of observation.outbound.values()) {
    const { from, traffic } = flow
    if (reported.has(workloadId(from)) || !GATEWAY.test(from.name) || !isCounted(traffic)) continue
    const inbound = inboundOf(observation, from, 'full')
    addTraffic(inbound.total, traffic)
    inbound.passesOn = true
  }
}
