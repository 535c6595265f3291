import { knownId } from '../identity.ts'
import { knownKey, type Observation } from '../observation.ts'
import { remembered } from '../remembered.ts'
import { EVERY_STEP } from '../step-mask.ts'
import { flowOfMeans, meansOver, requestsAt, type Traffic } from '../traffic.ts'
import { allAtOnce, Pieces, type Turns } from '../turns.ts'
import { homes } from './homes.ts'
import type { Inventory } from './inventory.ts'
import { behindServices, doorsOf, rangesOf } from './places.ts'
import type { Behind, Call, Door, KnownWorkload, Rates, StitchConfig, World } from './types.ts'

/** One cluster's observations at the snapshot's instant, and over the stretch before it (null: none yet). */
export interface ClusterObservations {
  readonly now: Observation
  readonly before: Observation | null
  /** True when the cluster does not answer and nothing is known of it. */
  readonly silent?: boolean
  /** What the cluster knows beside its mesh. */
  readonly inventory?: Inventory | null
}

/**
 * What the stitching rules may know. Structure comes from the present and the stretch before it together, so that an
 * edge does not vanish from the picture in the second in which its traffic stops.
 */
export function buildWorld(observations: readonly ClusterObservations[], config: StitchConfig): World {
  return allAtOnce(buildingWorld(observations, config))
}

/** The same in turns. */
export function* buildingWorld(observations: readonly ClusterObservations[], config: StitchConfig): Turns<World> {
  const pieces = new Pieces()
  const workloads = new Map<string, KnownWorkload>()
  const reported: Call[] = []
  for (const { now, before } of observations) {
    for (const id of keysOf(now.inbound, before?.inbound)) {
      const current = now.inbound.get(id)
      const past = before?.inbound.get(id)
      const ref = (current ?? past)?.workload
      if (ref === undefined) continue
      if (pieces.ended) yield
      workloads.set(id, {
        id,
        ref,
        total: new RatesOf(current?.total, past?.total),
        byHost: partRates(current?.byHost, past?.byHost),
        byClient: partRates(current?.byClient, past?.byClient),
        byCaller: partRates(current?.byCaller, past?.byCaller),
        past: past?.total ?? null,
        assumed: (current ?? past)?.assumed === true,
      })
    }
    for (const key of keysOf(now.outbound, before?.outbound)) {
      const flow = now.outbound.get(key) ?? before?.outbound.get(key)
      if (flow === undefined) continue
      if (pieces.ended) yield
      reported.push({
        key,
        cluster: now.cluster,
        from: knownId(flow.from),
        fromRef: flow.from,
        destination: flow.destination,
        rates: new RatesOf(now.outbound.get(key)?.traffic, before?.outbound.get(key)?.traffic),
        measure: flow.measure,
        attempts: flow.attempts,
        serverId: flow.serverId,
        clues: flow.clues,
        past: before?.outbound.get(key)?.traffic ?? null,
      })
    }
  }
  const byLabels = new Set<string>()
  for (const { from, destination } of reported) if (destination.kind === 'workload') byLabels.add(from)
  const calls = reported.filter((call) => !(byLabels.has(call.from) && forwards(call, workloads)))
  yield
  const inventories = observations.flatMap(({ inventory }) => inventory ?? [])
  const behindService = behindServices(calls, inventories, config)
  yield
  const doors = doorsOf(config, inventories, behindService)
  const addressOwners = ownersOf(observations, inventories)
  yield
  const counted = calls.filter(hasRequests)
  const callsFrom = groupBy(counted, callerOf)
  yield
  const callsTo = groupBy(counted, calleeOf)
  yield
  const forwarders = ingressIds(workloads, calls, doors, inventories, behindService)
  yield
  const shownBy = identities(calls)
  yield
  return {
    clusters: observations.map(({ now }) => now.cluster),
    silent: new Set(observations.flatMap(({ now, silent }) => (silent ? [now.cluster] : []))),
    workloads,
    calls,
    callsFrom,
    callsTo,
    askedFor: askedFor(workloads),
    behindService,
    doors,
    exposed: inventories.flatMap(({ cluster, exposures }) => exposures.map((one) => ({ ...one, cluster }))),
    ingressIds: new Set([
      ...forwarders,
      ...observations.flatMap(({ now }) => [...now.inbound].flatMap(([id, { passesOn }]) => (passesOn ? [id] : []))),
    ]),
    identities: shownBy,
    homes: homes(calls),
    passing: new Map(
      observations.flatMap(({ now }) =>
        [...now.passing].map(([service, clients]) => [`${now.cluster}/${service}`, clients] as const),
      ),
    ),
    addressOwners,
    ranges: rangesOf(addressOwners),
    clusterNames: clusterNames(observations, config),
    config,
  }
}

const callerOf = ({ from }: Call) => from
const calleeOf = ({ destination }: Call) => knownKey(destination)

/** Bytes alone say nothing about whose requests arrive where. */
function hasRequests({ rates }: Call): boolean {
  return rates.now !== null || rates.before !== null
}

/**
 * A proxy in front of an ingress reports a forwarded request twice: by host, and by the pod that got it. The labels
 * of the pod tell more; keeping both would count the request twice.
 */
function forwards({ from, destination }: Call, workloads: ReadonlyMap<string, KnownWorkload>): boolean {
  return destination.kind === 'host' && workloads.get(from)?.byHost.has(destination.host) === true
}

function keysOf(now: ReadonlyMap<string, unknown>, before: ReadonlyMap<string, unknown> | undefined): Set<string> {
  return new Set([...now.keys(), ...(before?.keys() ?? [])])
}

/** What was before is averaged where a rule asks for it: of most flows none does. */
class RatesOf implements Rates {
  readonly now: number | null
  readonly #past: Traffic | undefined

  constructor(now: Traffic | undefined, past: Traffic | undefined) {
    this.now = now === undefined ? null : requestsAt(now, 0)
    this.#past = past
  }

  get before(): number | null {
    return this.#past === undefined ? null : average(this.#past)
  }
}

/** A past is looked at in every snapshot until there is more of it. */
const average = remembered((traffic: Traffic): number | null => {
  return flowOfMeans(meansOver(traffic, EVERY_STEP)).requestsPerSecond
})

function partRates(
  now: ReadonlyMap<string, Traffic> | undefined,
  before: ReadonlyMap<string, Traffic> | undefined,
): Map<string, Rates> {
  const rates = new Map<string, Rates>()
  if (now !== undefined) for (const [key, traffic] of now) rates.set(key, new RatesOf(traffic, before?.get(key)))
  if (before !== undefined)
    for (const [key, traffic] of before) if (!rates.has(key)) rates.set(key, new RatesOf(undefined, traffic))
  return rates
}

function askedFor(workloads: ReadonlyMap<string, KnownWorkload>): Map<string, KnownWorkload[]> {
  const byHost = new Map<string, KnownWorkload[]>()
  for (const workload of workloads.values()) {
    for (const host of workload.byHost.keys()) {
      const asked = byHost.get(host)
      if (asked === undefined) byHost.set(host, [workload])
      else asked.push(workload)
    }
  }
  return byHost
}

/** A forwarder's calls to a workload are that workload's requests of the hosts they share, but for this part. */
const FORWARDED = 0.8

/**
 * A workload forwards by host when a load balancer or the configuration leads to it, or when it is asked for a host and
 * passes on what a workload of its own cluster gets of that same host. Two versions behind one service share hosts as
 * well, and one may call the other: it is told by the rates, and by the service.
 */
function ingressIds(
  workloads: ReadonlyMap<string, KnownWorkload>,
  calls: readonly Call[],
  doors: readonly Door[],
  inventories: readonly Inventory[],
  behind: ReadonlyMap<string, Behind>,
): Set<string> {
  const controllers = inventories.flatMap(({ exposures }) => exposures.flatMap(({ door }) => door ?? []))
  const ids = new Set([...doors.map((door) => door.workload), ...controllers])
  const servicesOf = new Map<string, Set<string>>()
  for (const [service, { shares }] of behind) {
    for (const id of shares.keys()) servicesOf.set(id, (servicesOf.get(id) ?? new Set()).add(service))
  }
  for (const { from, destination, rates: calling } of calls) {
    if (destination.kind !== 'workload') continue
    const caller = workloads.get(from)
    const callee = workloads.get(knownId(destination.workload))
    // Who calls itself forwards nothing.
    if (caller === undefined || callee === undefined || caller === callee) continue
    const common = [...caller.byHost.keys()].filter((host) => callee.byHost.has(host))
    if (common.length === 0) continue
    // Now, or over the stretch before: a queue that fills keeps the two ends apart for a while.
    const forwards = (['now', 'before'] as const).some((when) => {
      const rateAt = ({ byHost }: KnownWorkload) =>
        common.reduce((sum, host) => sum + (byHost.get(host)?.[when] ?? 0), 0)
      const [asked, got] = [rateAt(caller), rateAt(callee)]
      return got > 0 && got <= asked / FORWARDED && (calling[when] ?? 0) >= FORWARDED * got
    })
    if (!forwards) continue
    const twins = [...(servicesOf.get(caller.id) ?? [])].some((service) => servicesOf.get(callee.id)?.has(service))
    if (!twins) ids.add(from)
  }
  return ids
}

function identities(calls: readonly Call[]): Map<string, Set<string>> {
  const shownBy = new Map<string, Set<string>>()
  for (const { cluster, destination, serverId } of calls) {
    if (serverId === null || destination.kind !== 'workload') continue
    const key = `${cluster} ${serverId}`
    const ids = shownBy.get(key) ?? new Set<string>()
    ids.add(knownId(destination.workload))
    shownBy.set(key, ids)
  }
  return shownBy
}

/** Everybody who calls the same name or address. */
export function sameDestination(call: Call, world: World): readonly Call[] {
  return world.callsTo.get(knownKey(call.destination)) ?? []
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

function ownersOf(
  observations: readonly ClusterObservations[],
  inventories: readonly Inventory[],
): Map<string, Set<string>> {
  const owners = new Map<string, Set<string>>()
  for (const { now, before } of observations) {
    for (const observation of before === null ? [now] : [now, before]) {
      for (const [id, { addresses }] of observation.inbound) for (const address of addresses) own(owners, address, id)
    }
  }
  for (const { podAddresses } of inventories) {
    for (const [address, ids] of podAddresses) for (const id of ids) own(owners, address, id)
  }
  return owners
}

function own(owners: Map<string, Set<string>>, address: string, id: string): void {
  const known = owners.get(address)
  if (known === undefined) owners.set(address, new Set([id]))
  else known.add(id)
}

function clusterNames(observations: readonly ClusterObservations[], config: StitchConfig): Map<string, string> {
  const names = new Map<string, string>()
  for (const { now } of observations) for (const alias of now.aliases) names.set(alias, now.cluster)
  for (const { name, cluster } of config.aliases ?? []) names.set(name, cluster)
  for (const { now } of observations) names.set(now.cluster, now.cluster)
  return names
}
