import type { WorkloadRef } from './identity.ts'
import type { Traffic } from './traffic.ts'

/** Where a proxy says its calls go: as much as its labels tell. */
export type Destination =
  /** Labels name the workload (in the caller's own cluster), and the service it was called by. */
  | { readonly kind: 'workload'; readonly workload: WorkloadRef; readonly service: string | null }
  /** A service mirrored from another cluster. */
  | { readonly kind: 'mirror'; readonly cluster: string; readonly namespace: string; readonly service: string }
  /** An in-cluster service whose pods nobody names. */
  | { readonly kind: 'service'; readonly cluster: string; readonly namespace: string; readonly service: string }
  /** A DNS name outside the mesh. */
  | { readonly kind: 'host'; readonly host: string }
  /** An address outside the mesh, `ip:port`. */
  | { readonly kind: 'address'; readonly address: string }

export function destinationKey(destination: Destination): string {
  switch (destination.kind) {
    case 'workload':
      return `workload ${destination.workload.namespace}/${destination.workload.kind}:${destination.workload.name}`
    case 'mirror':
    case 'service':
      return `${destination.kind} ${destination.cluster}/${destination.namespace}/${destination.service}`
    case 'host':
      return `host ${destination.host}`
    case 'address':
      return `address ${destination.address}`
    default:
      return destination satisfies never
  }
}

/** `firstByte`: until the first response frame; `full`: until the response is complete. */
export type Measure = 'firstByte' | 'full'

/** `each`: every attempt; `effective`: after retries. */
export type Attempts = 'each' | 'effective'

export interface Inbound {
  readonly workload: WorkloadRef
  readonly total: Traffic
  /** By the host the caller asked for, where the proxy tells it. */
  readonly byHost: Map<string, Traffic>
  /** By the caller's mesh identity, where the proxy tells it. */
  readonly byClient: Map<string, Traffic>
}

export interface Outbound {
  readonly from: WorkloadRef
  readonly destination: Destination
  readonly traffic: Traffic
  readonly measure: Measure
  readonly attempts: Attempts
  /** The mesh identity the callee showed. */
  readonly serverId: string | null
}

/** Everything one cluster's proxies say, over the same time steps. Keys: workload ids, and id + destination key. */
export interface Observation {
  readonly cluster: string
  readonly steps: number
  readonly inbound: Map<string, Inbound>
  readonly outbound: Map<string, Outbound>
  /** Pods that report, per workload id and step. */
  readonly pods: Map<string, Float64Array>
}

export function emptyObservation(cluster: string, steps: number): Observation {
  return { cluster, steps, inbound: new Map(), outbound: new Map(), pods: new Map() }
}
