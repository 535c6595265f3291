import type { WorkloadRef } from '../identity.ts'
import type { Clues, Destination, Outbound } from '../observation.ts'
import type { Traffic } from '../traffic.ts'
import type { Exposure } from './inventory.ts'

export type RuleName = 'labels' | 'mirror' | 'identity' | 'address' | 'host' | 'ingress' | 'declared' | 'rates'
export type Confidence = 'solid' | 'dashed' | 'dotted'

/** What the configuration tells about how clusters are reached. `workload` is a workload id. */
export interface StitchConfig {
  readonly ingresses: readonly {
    readonly cluster: string
    readonly workload: string
    /** Addresses, with or without port. */
    readonly addresses: readonly string[]
    /** Host globs: `*.west.example.com`. */
    readonly hosts: readonly string[]
  }[]
  /** Declared destinations: a host or address glob leads to a workload id. */
  readonly routes: readonly {
    readonly host?: string | undefined
    readonly address?: string | undefined
    readonly to: string
  }[]
  /** `cluster/namespace/service` -> the workloads behind it, where no metric tells. */
  readonly services?: readonly { readonly service: string; readonly workloads: readonly string[] }[]
  /** Other names that clusters go by in labels: the link of a mirror, a mesh's own cluster id. */
  readonly aliases?: readonly { readonly name: string; readonly cluster: string }[]
}

/** The workloads behind a service with their share of its requests, and who says so. */
export interface Behind {
  readonly source: string
  readonly shares: ReadonlyMap<string, number>
}

/** A workload through which requests enter a cluster, and the addresses and hosts that lead to it. */
export interface Door {
  readonly cluster: string
  readonly workload: string
  readonly addresses: readonly string[]
  readonly hosts: readonly string[]
  readonly source: string
}

/** A rate at the snapshot's instant, and over the stretch before it; null where nothing was measured. */
export interface Rates {
  readonly now: number | null
  readonly before: number | null
}

/** One caller's calls to one destination, as its proxy labels them. */
export interface Call {
  readonly key: string
  readonly cluster: string
  readonly from: string
  readonly fromRef: WorkloadRef
  readonly destination: Destination
  readonly rates: Rates
  readonly measure: Outbound['measure']
  readonly attempts: Outbound['attempts']
  readonly serverId: string | null
  readonly clues: Clues
  /** Over time; null where there is no history. */
  readonly past: Traffic | null
}

export interface KnownWorkload {
  readonly id: string
  readonly ref: WorkloadRef
  readonly total: Rates
  readonly byHost: ReadonlyMap<string, Rates>
  readonly byClient: ReadonlyMap<string, Rates>
  /** By the caller's workload id, where the callee's labels name it. */
  readonly byCaller: ReadonlyMap<string, Rates>
  /** The total over time; null where there is no history. */
  readonly past: Traffic | null
  /** Only somebody in between tells of it, and its cluster is his guess. */
  readonly assumed: boolean
}

/** Everything the rules may look at. */
export interface World {
  readonly clusters: readonly string[]
  /** Clusters of which nothing is known at present. */
  readonly silent: ReadonlySet<string>
  readonly workloads: ReadonlyMap<string, KnownWorkload>
  readonly calls: readonly Call[]
  /** Calls with requests only, and so `callsTo`. */
  readonly callsFrom: ReadonlyMap<string, readonly Call[]>
  /** By destination key: everybody who calls the same name or address. */
  readonly callsTo: ReadonlyMap<string, readonly Call[]>
  /** Host (lower case, no port) -> workloads that were asked for it. */
  readonly askedFor: ReadonlyMap<string, readonly KnownWorkload[]>
  /** `cluster/namespace/service` -> workloads behind it. */
  readonly behindService: ReadonlyMap<string, Behind>
  readonly doors: readonly Door[]
  /** What ingress controllers count, with their cluster. */
  readonly exposed: readonly (Exposure & { readonly cluster: string })[]
  /** Workloads that forward requests by host. */
  readonly ingressIds: ReadonlySet<string>
  /** Mesh identity -> the workloads of a cluster that show it; keyed `cluster identity`. */
  readonly identities: ReadonlyMap<string, ReadonlySet<string>>
  /** Mesh identity, and trust domain, -> the clusters whose own workloads show it. */
  readonly homes: ReadonlyMap<string, ReadonlySet<string>>
  /** `cluster/namespace/service` -> identities that its cluster's gateway was asked for it by. */
  readonly passing: ReadonlyMap<string, ReadonlySet<string>>
  /** IP address -> ids of the workloads whose pods report it as their own; ranges may overlap between clusters. */
  readonly addressOwners: ReadonlyMap<string, ReadonlySet<string>>
  /** Range of addresses -> clusters with pods in it. */
  readonly ranges: ReadonlyMap<string, ReadonlySet<string>>
  /** Name in labels -> name in the configuration. */
  readonly clusterNames: ReadonlyMap<string, string>
  readonly config: StitchConfig
}

/** Where one call goes, by one rule. */
export interface Resolution {
  readonly rule: RuleName
  readonly confidence: Confidence
  readonly evidence: readonly string[]
  readonly targets: readonly Target[]
  /** True when the way goes on behind the target, nobody knows where. */
  readonly open?: boolean
}

export interface Target {
  readonly id: string
  /** Part of the call's rate that goes to this workload. */
  readonly share: number
  /** The ingress or gateway workload in between. */
  readonly via: string | null
  /** Set when the callee's requests of this host are the ones of this call. */
  readonly host: string | null
}

export interface Rule {
  readonly name: RuleName
  resolve(call: Call, world: World): Resolution | null
}

/** An edge between two nodes of the picture, and which flows hold its numbers. */
export interface StitchedEdge {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly seam: boolean
  readonly rule: RuleName
  readonly confidence: Confidence
  readonly evidence: readonly string[]
  readonly destination: string | null
  readonly via: string | null
  readonly host: string | null
  /** Keys into the caller cluster's outbound flows, with the share of each that belongs to this edge. */
  readonly callerFlows: readonly { readonly key: string; readonly share: number }[]
  readonly callerCluster: string
  readonly measure: Call['measure']
  readonly attempts: Call['attempts']
  /** How to single out this caller's requests at the callee. */
  readonly calleeBy: { readonly host: string } | { readonly client: string } | { readonly caller: string } | null
  readonly outside: boolean
  /**
   * More calls that a guess (dotted) leads to the same workload; absent: none. They are no part of this edge's numbers,
   * and not the caller's own time either.
   */
  readonly guess?: StitchedEdge
}

export interface UnresolvedCall {
  readonly from: string
  readonly destination: string
  readonly requestsPerSecond: number | null
  readonly candidates: readonly string[]
  readonly suggestion: string
}

export interface Stitched {
  readonly edges: readonly StitchedEdge[]
  readonly unresolved: readonly UnresolvedCall[]
  readonly ingressIds: ReadonlySet<string>
}
