import type { Assessed } from './assess.ts'
import { instantOf } from './baseline.ts'
import type { Observation } from './observation.ts'
import { count } from './phrase.ts'
import type { SignalName } from './signals.ts'
import type { Situation } from './situation.ts'
import { meanAt, requestsAt } from './traffic.ts'

/** Rate and mean of a window multiplied are requests under way only while neither moves by more than this in it. */
const STEADY = 0.2

/** Requests under way at any moment: rate x mean (Little's law). Null where either is not known. */
export function inFlightOf(flow: { requestsPerSecond: number | null; meanSeconds: number | null }): number | null {
  return flow.requestsPerSecond === null || flow.meanSeconds === null ? null : flow.requestsPerSecond * flow.meanSeconds
}

/** Whether the rate or the mean still moves within the rate window: then what is in flight is an estimate. */
export function isInFlightEstimated(situation: Situation, { id, ref, now, stale }: Assessed): boolean {
  if (stale || now.requestsPerSecond === null || now.meanSeconds === null) return false
  const { axis, atSeconds, windowSeconds } = situation
  const past = situation.clusters.get(ref.cluster)?.history?.inbound.get(id)?.total
  if (past === undefined) return false
  const { requestsPerSecond, meanSeconds } = now
  let [leastRate, mostRate, leastMean, mostMean] = [requestsPerSecond, requestsPerSecond, meanSeconds, meanSeconds]
  for (let step = axis.steps - 1; step >= 0 && instantOf(axis, step) >= atSeconds - windowSeconds; step -= 1) {
    const [rate, mean] = [requestsAt(past, step), meanAt(past, step)]
    if (rate !== null) [leastRate, mostRate] = [Math.min(leastRate, rate), Math.max(mostRate, rate)]
    if (mean !== null) [leastMean, mostMean] = [Math.min(leastMean, mean), Math.max(mostMean, mean)]
  }
  return mostRate - leastRate > STEADY * mostRate || mostMean - leastMean > STEADY * mostMean
}

/** `31 (was 0.4)`, `~31 (was 0.4)` where it is an estimate; null where it is not known. */
export function inFlightText(situation: Situation, workload: Assessed): string | null {
  const [now, usual] = [inFlightOf(workload.now), inFlightOf(workload.usual)]
  if (now === null || usual === null) return null
  return `${isInFlightEstimated(situation, workload) ? '~' : ''}${count(now)} (was ${count(usual)})`
}

/** What the proxies count beside golden signals, on a workload and on the calls to it. */
export function signalsOn(situation: Situation, id: string): (readonly [SignalName, number])[] {
  const cluster = situation.assessment.workloads.get(id)?.ref.cluster ?? ''
  const found: (readonly [SignalName, number])[] = []
  const take = (observed: Observation | null | undefined, key: string) => {
    for (const [name, column] of observed?.signals.get(key) ?? []) found.push([name, column[0] ?? Number.NaN])
  }
  take(situation.clusters.get(cluster)?.now, id)
  for (const { edge } of situation.callersOf.get(id) ?? []) {
    const observed = situation.clusters.get(edge.callerCluster)?.now
    if (observed != null && observed.signals.size > 0) for (const { key } of edge.callerFlows) take(observed, key)
  }
  return found
}

/** Share of the nearest limit to requests in flight (a circuit breaker's) that is left; null where none is counted. */
export function limitLeft(situation: Situation, id: string): number | null {
  // Where nobody counts such things, nobody need be looked through for them.
  if (![...situation.clusters.values()].some(({ now }) => now !== null && now.signals.size > 0)) return null
  let least: number | null = null
  for (const [name, value] of signalsOn(situation, id))
    if (name === 'breakerHeadroom' && Number.isFinite(value) && value < (least ?? Number.POSITIVE_INFINITY))
      least = value
  return least
}
