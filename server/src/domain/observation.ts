import { type Column, emptyColumn } from './columns.ts'
import type { WorkloadRef } from './identity.ts'
import { InstantTcp } from './instant-tcp.ts'
import { OneOfEach } from './one-of-each.ts'
import { remembered } from './remembered.ts'
import type { Signals } from './signals.ts'
import { emptyTraffic, type Traffic } from './traffic.ts'

/** Where a proxy says its calls go: as much as its labels tell. */
export type Destination =
  /**
   * Labels name the workload and its cluster, and the service it was called by. `assumed`: the cluster is that of who
   * tells it, who writes no other (Istio's waypoints).
   */
  | {
      readonly kind: 'workload'
      readonly workload: WorkloadRef
      readonly service: string | null
      readonly assumed?: boolean
    }
  /**
   * Labels name the workload and not its cluster: the service that was asked for (`cart-west`, `cart-federated`) has
   * its pods in other clusters, or in several. `workload` says the caller's own cluster until stitching knows better.
   */
  | {
      readonly kind: 'pod'
      readonly workload: WorkloadRef
      readonly asked: string
      readonly service: string | null
      /** `ip:port` that was dialled; null where nobody asked for it. */
      readonly address: string | null
    }
  /** A service mirrored from another cluster. */
  | { readonly kind: 'mirror'; readonly cluster: string; readonly namespace: string; readonly service: string }
  /** An in-cluster service whose pods nobody names. */
  | { readonly kind: 'service'; readonly cluster: string; readonly namespace: string; readonly service: string }
  /** A DNS name outside the mesh. */
  | { readonly kind: 'host'; readonly host: string }
  /** An address outside the mesh, `ip:port`. */
  | { readonly kind: 'address'; readonly address: string }
  /** The proxy does not know where it sent them; `what` is the name it has for that ("PassthroughCluster"). */
  | { readonly kind: 'unknown'; readonly what: string }

export function destinationKey(destination: Destination): string {
  switch (destination.kind) {
    case 'workload':
      return `workload ${place(destination.workload)}`
    case 'pod':
      return `pod ${place(destination.workload)} ${destination.asked} ${destination.address ?? ''}`
    case 'mirror':
    case 'service':
      return `${destination.kind} ${destination.cluster}/${destination.namespace}/${destination.service}`
    case 'host':
      return `host ${destination.host}`
    case 'address':
      return `address ${destination.address}`
    case 'unknown':
      return `unknown ${destination.what}`
    default:
      return destination satisfies never
  }
}

/** The same of a destination that lives on: one and the same text each time. */
export const knownKey = remembered(destinationKey)

const destinations = new OneOfEach<Destination>()

/** One destination for all calls to it that say the same. */
export function oneDestination(destination: Destination): Destination {
  return destinations.of(JSON.stringify(destination), () => destination)
}

function place({ cluster, namespace, kind, name }: WorkloadRef): string {
  return `${cluster}/${namespace}/${kind}:${name}`
}

/** `firstByte`: until the first response frame; `full`: until the response is complete. */
export type Measure = 'firstByte' | 'full'

/** `each`: every attempt; `effective`: after retries. */
export type Attempts = 'each' | 'effective'

/** Bytes and connections, where a proxy sees no requests. */
export interface Tcp {
  /** Bytes per second that the workload received. */
  readonly bytesIn: Column
  /** Bytes per second that the workload sent back. */
  readonly bytesOut: Column
  /** Connections open at the time. */
  readonly openConnections: Column
}

export interface Inbound {
  readonly workload: WorkloadRef
  readonly total: Traffic
  /** By the host the caller asked for (lower case, no port), where the proxy tells it. */
  byHost: ReadonlyMap<string, Traffic>
  /** By the caller's mesh identity, where the proxy tells it. */
  byClient: ReadonlyMap<string, Traffic>
  /** By the caller's workload id, where the callee's labels name it; `outsideCaller` for the rest. */
  byCaller: ReadonlyMap<string, Traffic>
  /** IP addresses that the workload's pods report as their own. */
  readonly addresses: Set<string>
  readonly measure: Measure
  readonly attempts: Attempts
  tcp: Tcp | null
  /** Set where nobody counts what arrives: these are the requests that a gateway passes on. */
  passesOn?: true
  /** Set where only somebody in between tells of it, who writes his own cluster whatever he sends to. */
  assumed?: boolean
  /** The dialects that see this workload; the first is the one whose numbers these are. */
  readonly seenBy: string[]
}

/**
 * What the labels of a flow tell beside its destination: what may join it to its other end. Flows share them, from one
 * snapshot to the next as well: whoever has more to tell makes new ones.
 */
export interface Clues {
  /** Mesh identities that the callees showed. */
  readonly serverIds: ReadonlySet<string>
  /** `ip:port` that were dialled. */
  readonly addresses: ReadonlySet<string>
  /** Names that were asked for: authority, service host. Lower case, no port. */
  readonly hosts: ReadonlySet<string>
}

export interface Outbound {
  readonly from: WorkloadRef
  readonly destination: Destination
  readonly traffic: Traffic
  readonly measure: Measure
  readonly attempts: Attempts
  /** The mesh identity the callee showed; of several, the one met first. */
  readonly serverId: string | null
  clues: Clues
  tcp: Tcp | null
}

/** Stands for a namespace where a mesh's labels tell none. */
export const NO_NAMESPACE = '-'

/** The node that stands for callers nobody names: probes, plain text, what is outside the mesh. */
export function outsideCaller(cluster: string): string {
  return `outside/${cluster}/unknown`
}

/** A route of a service, where somebody wrote one. Both stay empty where nothing of the kind is counted. */
export interface RouteFlow {
  readonly workload: WorkloadRef
  /** `outbound`: as the workload calls it; `inbound`: as it is called. */
  readonly direction: 'inbound' | 'outbound'
  /** `name.namespace` */
  readonly service: string
  readonly route: string
  /** After retries. */
  readonly effective: Traffic
  /** Every attempt. */
  readonly actual: Traffic
}

/** Everything one cluster's proxies say, over the same time steps. Keys: workload ids, and id + destination key. */
export interface Observation {
  readonly cluster: string
  /** The dialect that read it; empty for none, and for several. */
  readonly dialect: string
  readonly steps: number
  readonly inbound: Map<string, Inbound>
  readonly outbound: Map<string, Outbound>
  /** Pods that report, per workload id and step. */
  readonly pods: Map<string, Column>
  /** What the mesh's own labels call this cluster, where it differs from the configured name. */
  readonly aliases: Set<string>
  /** Facts beside the golden signals, by workload id or by outbound key. */
  readonly signals: Map<string, Signals>
  readonly routes: Map<string, RouteFlow>
  /** `namespace/service` -> identities of callers elsewhere, as a gateway between clusters names both. */
  readonly passing: Map<string, Set<string>>
}

export function emptyObservation(cluster: string, steps: number, dialect = ''): Observation {
  return {
    cluster,
    dialect,
    steps,
    inbound: new Map(),
    outbound: new Map(),
    pods: new Map(),
    aliases: new Set(),
    signals: new Map(),
    routes: new Map(),
    passing: new Map(),
  }
}

/** Most flows have no parts of some kind, and thousands of empty maps are megabytes. */
export const NO_PARTS: ReadonlyMap<string, Traffic> = new Map()

/** A workload of which nothing is known yet. */
export function newInbound(workload: WorkloadRef, steps: number, measure: Measure = 'firstByte'): Inbound {
  return {
    workload,
    total: emptyTraffic(steps),
    byHost: NO_PARTS,
    byClient: NO_PARTS,
    byCaller: NO_PARTS,
    addresses: new Set(),
    measure,
    attempts: 'each',
    tcp: null,
    seenBy: [],
  }
}

const NONE: ReadonlySet<string> = new Set()
export const NO_CLUES: Clues = { serverIds: NONE, addresses: NONE, hosts: NONE }

const clues = new OneOfEach<Clues>()

/** One of each, where there is one; the same for all that tell the same. */
export function cluesOf(of: {
  readonly serverId?: string | null | undefined
  readonly address?: string | null | undefined
  readonly host?: string | null | undefined
}): Clues {
  const told = [of.serverId || null, of.address || null, of.host || null] as const
  return clues.of(JSON.stringify(told), () => {
    const [serverIds, addresses, hosts] = [onlyOf(told[0]), onlyOf(told[1]), onlyOf(told[2])]
    return { serverIds, addresses, hosts }
  })
}

function onlyOf(one: string | null): ReadonlySet<string> {
  return one === null ? NONE : new Set([one])
}

/** All of both; the first ones themselves where the others tell nothing new. */
export function bothClues(clues: Clues, more: Clues): Clues {
  if (more === clues) return clues
  const serverIds = unionOf(clues.serverIds, more.serverIds)
  const addresses = unionOf(clues.addresses, more.addresses)
  const hosts = unionOf(clues.hosts, more.hosts)
  const same = serverIds === clues.serverIds && addresses === clues.addresses && hosts === clues.hosts
  return same ? clues : { serverIds, addresses, hosts }
}

/** The first set itself where the other holds nothing new. */
export function unionOf<T>(set: ReadonlySet<T>, more: ReadonlySet<T>): ReadonlySet<T> {
  for (const one of more) if (!set.has(one)) return set.size === 0 ? more : new Set([...set, ...more])
  return set
}

export function noTcp(steps: number): Tcp {
  if (steps === 1) return new InstantTcp()
  return { bytesIn: emptyColumn(steps), bytesOut: emptyColumn(steps), openConnections: emptyColumn(steps) }
}
