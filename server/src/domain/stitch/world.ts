import { averageOver } from '../columns.ts'
import { workloadId } from '../identity.ts'
import { destinationKey, type Observation } from '../observation.ts'
import { requestsAt, type Traffic } from '../traffic.ts'
import { matchesGlob } from './glob.ts'
import type { Call, KnownWorkload, Rates, StitchConfig, World } from './types.ts'

/** One cluster's observations at the snapshot's instant, and over the stretch before it (null: none yet). */
export interface ClusterObservations {
  readonly now: Observation
  readonly before: Observation | null
  /** True when the cluster does not answer and nothing is known of it. */
  readonly silent?: boolean
}

/**
 * What the stitching rules may know. Structure comes from the present and the stretch before it together, so that an
 * edge does not vanish from the picture in the second in which its traffic stops.
 */
export function buildWorld(observations: readonly ClusterObservations[], config: StitchConfig): World {
  const workloads = new Map<string, KnownWorkload>()
  const reported: Call[] = []
  for (const { now, before } of observations) {
    for (const id of keysOf(now.inbound, before?.inbound)) {
      const current = now.inbound.get(id)
      const past = before?.inbound.get(id)
      const ref = (current ?? past)?.workload
      if (ref === undefined) continue
      workloads.set(id, {
        id,
        ref,
        total: rates(current?.total, past?.total),
        byHost: partRates(current?.byHost, past?.byHost),
        byClient: partRates(current?.byClient, past?.byClient),
        byCaller: partRates(current?.byCaller, past?.byCaller),
      })
    }
    for (const key of keysOf(now.outbound, before?.outbound)) {
      const flow = now.outbound.get(key) ?? before?.outbound.get(key)
      if (flow === undefined) continue
      reported.push({
        key,
        cluster: now.cluster,
        from: workloadId(flow.from),
        fromRef: flow.from,
        destination: flow.destination,
        rates: rates(now.outbound.get(key)?.traffic, before?.outbound.get(key)?.traffic),
        measure: flow.measure,
        attempts: flow.attempts,
        serverId: flow.serverId,
        clues: flow.clues,
      })
    }
  }
  const calls = reported.filter((call) => !forwardsByLabels(call, workloads, reported))
  return {
    clusters: observations.map(({ now }) => now.cluster),
    silent: new Set(observations.flatMap(({ now, silent }) => (silent ? [now.cluster] : []))),
    workloads,
    calls,
    callsFrom: groupBy(calls, (call) => call.from),
    callsTo: groupBy(calls, (call) => destinationKey(call.destination)),
    askedFor: askedFor(workloads),
    behindService: behindService(calls),
    ingressIds: ingressIds(workloads, calls, config),
    identities: identities(calls),
    addressOwners: addressOwners(observations),
    config,
  }
}

/**
 * A proxy in front of an ingress reports a forwarded request twice: by host, and by the pod that got it. The labels
 * of the pod tell more; keeping both would count the request twice.
 */
function forwardsByLabels(
  { from, destination }: Call,
  workloads: ReadonlyMap<string, KnownWorkload>,
  calls: readonly Call[],
): boolean {
  if (destination.kind !== 'host' || !workloads.get(from)?.byHost.has(destination.host)) return false
  return calls.some((other) => other.from === from && other.destination.kind === 'workload')
}

function keysOf(now: ReadonlyMap<string, unknown>, before: ReadonlyMap<string, unknown> | undefined): Set<string> {
  return new Set([...now.keys(), ...(before?.keys() ?? [])])
}

function rates(now: Traffic | undefined, before: Traffic | undefined): Rates {
  return { now: now === undefined ? null : requestsAt(now, 0), before: before === undefined ? null : average(before) }
}

function average(traffic: Traffic): number | null {
  const all = () => true
  const success = averageOver(traffic.success, all)
  const failures = averageOver(traffic.failures, all)
  return success === null && failures === null ? null : (success ?? 0) + (failures ?? 0)
}

function partRates(
  now: ReadonlyMap<string, Traffic> | undefined,
  before: ReadonlyMap<string, Traffic> | undefined,
): Map<string, Rates> {
  const keys = new Set([...(now?.keys() ?? []), ...(before?.keys() ?? [])])
  return new Map([...keys].map((key) => [key, rates(now?.get(key), before?.get(key))]))
}

/** The rate to weigh and compare by: the present one, or the one before where the present has none. */
export function knownRate({ now, before }: Rates): number {
  return now !== null && now > 0 ? now : (before ?? 0)
}

function askedFor(workloads: ReadonlyMap<string, KnownWorkload>): Map<string, KnownWorkload[]> {
  const byHost = new Map<string, KnownWorkload[]>()
  for (const workload of workloads.values()) {
    for (const host of workload.byHost.keys()) byHost.set(host, [...(byHost.get(host) ?? []), workload])
  }
  return byHost
}

function behindService(calls: readonly Call[]): Map<string, Map<string, number>> {
  const rateByService = new Map<string, Map<string, number>>()
  for (const { destination, rates: callRates } of calls) {
    if (destination.kind !== 'workload' || destination.service === null) continue
    const { cluster, namespace } = destination.workload
    const service = `${cluster}/${namespace}/${destination.service}`
    const workloads = rateByService.get(service) ?? new Map<string, number>()
    const id = workloadId(destination.workload)
    workloads.set(id, (workloads.get(id) ?? 0) + knownRate(callRates))
    rateByService.set(service, workloads)
  }
  for (const workloads of rateByService.values()) {
    const total = [...workloads.values()].reduce((a, b) => a + b, 0)
    for (const [id, rate] of workloads) workloads.set(id, total > 0 ? rate / total : 1 / workloads.size)
  }
  return rateByService
}

/**
 * A workload forwards by host when it is declared as an ingress, or when it is asked for a host and itself calls,
 * in its own cluster, a workload that is asked for that same host.
 */
function ingressIds(
  workloads: ReadonlyMap<string, KnownWorkload>,
  calls: readonly Call[],
  config: StitchConfig,
): Set<string> {
  const ids = new Set(config.ingresses.map((ingress) => ingress.workload))
  for (const { from, destination } of calls) {
    if (destination.kind !== 'workload') continue
    const caller = workloads.get(from)
    const callee = workloads.get(workloadId(destination.workload))
    if (caller === undefined || callee === undefined) continue
    for (const host of caller.byHost.keys()) if (callee.byHost.has(host)) ids.add(from)
  }
  return ids
}

function identities(calls: readonly Call[]): Map<string, Set<string>> {
  const shownBy = new Map<string, Set<string>>()
  for (const { cluster, destination, serverId } of calls) {
    if (serverId === null || destination.kind !== 'workload') continue
    const key = `${cluster} ${serverId}`
    const ids = shownBy.get(key) ?? new Set<string>()
    ids.add(workloadId(destination.workload))
    shownBy.set(key, ids)
  }
  return shownBy
}

/** The clusters that expose a host by configuration. */
export function declaredFor(world: World, host: string): string[] {
  return world.config.ingresses
    .filter((ingress) => ingress.hosts.some((glob) => matchesGlob(glob, host)))
    .map((ingress) => ingress.cluster)
}

/** Everybody who calls the same name or address. */
export function sameDestination(call: Call, world: World): readonly Call[] {
  return world.callsTo.get(destinationKey(call.destination)) ?? []
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

function addressOwners(observations: readonly ClusterObservations[]): Map<string, Set<string>> {
  const owners = new Map<string, Set<string>>()
  for (const { now, before } of observations) {
    for (const observation of before === null ? [now] : [now, before]) {
      for (const [id, { addresses }] of observation.inbound) {
        for (const address of addresses) owners.set(address, (owners.get(address) ?? new Set()).add(id))
      }
    }
  }
  return owners
}
