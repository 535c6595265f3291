import type { Listen } from './listen.ts'

/** The names of `dialects/registry.ts`, which a test holds equal. */
export const DIALECT_NAMES = ['linkerd', 'istio', 'istio_recorded', 'envoy', 'otel', 'hubble'] as const

export type DialectName = (typeof DIALECT_NAMES)[number]
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** How Goldseam proves who it is; secrets stay in their files. Paths are as written in the config. */
export type EndpointAuth =
  | { readonly kind: 'none' }
  | { readonly kind: 'bearer'; readonly tokenFile: string }
  | { readonly kind: 'basic'; readonly username: string; readonly passwordFile: string }
  | ({ readonly kind: 'oauth2' } & OAuth2Config)

/** Client credentials (RFC 6749, 4.4). */
export interface OAuth2Config {
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecretFile: string
  readonly scopes: readonly string[]
  /** Sent with the token request besides what RFC 6749 names, as some identity providers require. */
  readonly params: Readonly<Record<string, string>>
}

export interface EndpointConfig {
  /** http(s), without credentials, query or trailing slash; the path is the API's prefix. */
  readonly url: string
  readonly auth: EndpointAuth
  readonly headers: Readonly<Record<string, string>>
  readonly caFile: string | null
  readonly clientCertificate: { readonly certFile: string; readonly keyFile: string } | null
  /** URL of an HTTP proxy on the way. */
  readonly proxy: string | null
  readonly timeoutSeconds: number
  /** Calls at once. */
  readonly concurrency: number
  /** The rate window it needs at least; null: four scrapes. */
  readonly rateWindowSeconds: number | null
  /** How often it is scraped; null: looked up. */
  readonly scrapeIntervalSeconds: number | null
}

/** Endpoints that hold many clusters told apart by a label. */
export interface DiscoverConfig {
  /** Replicas that hold the same data: the first good answer wins, never added up. */
  readonly endpoints: readonly EndpointConfig[]
  readonly clusterLabel: string
  /** Labels of replicas that measured the same, which Thanos is to count once. */
  readonly replicaLabels: readonly string[]
  /** Globs over the label's values; empty: all. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** The label's value -> the cluster's name. */
  readonly rename: Readonly<Record<string, string>>
  readonly refreshSeconds: number
  /** A cluster that is gone for longer is no longer shown. */
  readonly forgetAfterSeconds: number
  readonly maxClusters: number
  readonly dedup: boolean
  readonly partialResponse: boolean
  readonly dialects: 'auto' | readonly DialectName[]
  readonly overrides: Readonly<Record<string, string>>
}

export interface ClusterConfig {
  readonly name: string
  /** Replicas that hold the same data: the first good answer wins, never added up. */
  readonly endpoints: readonly EndpointConfig[]
  readonly dialects: 'auto' | readonly DialectName[]
  /** Names that metrics were recorded or renamed to, by the mesh's own. */
  readonly overrides: Readonly<Record<string, string>>
}

/** A destination no metric explains: calls to this host or address (globs) reach the workload `to`. */
export interface RouteConfig {
  readonly match: { readonly kind: 'host' | 'address'; readonly glob: string }
  /** `cluster/namespace/name` or `cluster/namespace/kind:name`. */
  readonly to: string
}

export interface IngressConfig {
  readonly cluster: string
  /** `namespace/name` or `namespace/kind:name`. */
  readonly workload: string
  readonly addresses: readonly string[]
  readonly hosts: readonly string[]
}

/** The workloads behind a service, where no metric tells. */
export interface ServiceConfig {
  /** `cluster/namespace/service`. */
  readonly service: string
  /** `cluster/namespace/name` or `cluster/namespace/kind:name`. */
  readonly workloads: readonly string[]
}

/** Another name that labels have for a cluster: the link of a mirror, a mesh's own cluster id. */
export interface AliasConfig {
  readonly name: string
  readonly cluster: string
}

/** Workloads of several clusters that are one thing to a person. */
export interface GroupConfig {
  readonly name: string
  /** Ids, or globs over ids: `*` stands for any run of characters but `/`. */
  readonly workloads: readonly string[]
}

/** What a workload, or all that match a glob, are to keep to. Several may hold for one: the later ones win. */
export interface GoalConfig {
  /** A workload's id or a glob over ids. */
  readonly workload: string
  /** Above 0 and below 1. */
  readonly successRatio: number | null
  readonly latencySeconds: Readonly<Partial<Record<'mean' | 'p50' | 'p95' | 'p99' | 'p999', number>>>
  readonly leastRequestsPerSecond: number | null
  /** Of the error budget; null: 30 days. */
  readonly periodSeconds: number | null
}

export interface LimitsConfig {
  readonly maxResponseBytes: number
  readonly maxSeries: number
  /** Of one series in an answer over time. */
  readonly maxPoints: number
  readonly queryTimeoutSeconds: number
  /** How long last good values stand in for a cluster that does not answer. */
  readonly lastGoodForSeconds: number
  /** How long a snapshot waits for a cluster before it goes out without its new values. */
  readonly softDeadlineSeconds: number
  /** Calls at once, to all endpoints together. */
  readonly concurrency: number
  /** What views of the past may hold in memory. */
  readonly pastSnapshotBytes: number
}

/** A server that several Goldseams share to keep links, from the parts of its URL. */
export interface StoreConfig {
  readonly kind: 'redis' | 'postgres'
  readonly host: string
  /** Null: the usual one. */
  readonly port: number | null
  /** Of Redis its number. */
  readonly database: string
  readonly username: string | null
  readonly tls: boolean
  /** Both as written in the config. */
  readonly passwordFile: string | null
  readonly caFile: string | null
}

/** Short links and saved evidence. */
export interface LinksConfig {
  /** As written in the config; null, without a store: in memory. */
  readonly directory: string | null
  readonly store: StoreConfig | null
  /** Null: for ever. */
  readonly keepForSeconds: number | null
  readonly maxCount: number
  /** Of one entry, compressed. */
  readonly maxBytes: number
  /** Whether pages tell programs that show previews of links what they are about. */
  readonly unfurl: boolean
  /** Signed pictures for previews: under which URL others reach them, and the file with the key. Null: none. */
  readonly preview: { readonly url: string; readonly keyFile: string } | null
}

/** Another tool's page about a workload or a cluster. */
export interface ToolConfig {
  readonly name: string
  /** With placeholders such as `{namespace}`. */
  readonly url: string
  readonly for: 'workload' | 'cluster'
  /** Globs; empty: all. */
  readonly clusters: readonly string[]
  /** Globs over `cluster/namespace/name`; empty: all. */
  readonly workloads: readonly string[]
}

/** Who may look: those who have a token. Hashes only; a token itself is kept nowhere. */
export interface AuthConfig {
  readonly tokens: readonly { readonly name: string; readonly hash: string }[]
  /** Screens that may show a part of the fleet; nothing named: all of it. */
  readonly walls: readonly {
    readonly name: string
    readonly hash: string
    readonly clusters: readonly string[]
    readonly namespaces: readonly string[]
  }[]
  /** Where screens that were paired are kept; relative to the config file. */
  readonly wallsFile: string
}

export interface Config {
  readonly listen: Listen
  readonly refreshSeconds: number
  /** How often the slow lane, the buckets, is asked. */
  /** Null: with each refresh where a cluster has few buckets, else every half minute. */
  readonly bucketRefreshSeconds: number | null
  /** Query seconds per second that each cluster may cost at most. */
  readonly maxLoad: number
  /** Null: chosen from the scrape intervals. */
  readonly rateWindowSeconds: number | null
  readonly clusters: readonly ClusterConfig[]
  readonly discover: readonly DiscoverConfig[]
  readonly routes: readonly RouteConfig[]
  readonly ingresses: readonly IngressConfig[]
  readonly services: readonly ServiceConfig[]
  readonly aliases: readonly AliasConfig[]
  readonly groups: readonly GroupConfig[]
  readonly goals: readonly GoalConfig[]
  /** `none`: the operator said that everybody who reaches the port may look. Null: nothing said, so only this machine. */
  readonly auth: 'none' | AuthConfig | null
  /** Where scripts and styles of earlier builds are kept; relative to the config file. Null: nowhere. */
  readonly assetsDirectory: string | null
  /**
   * Where last good values outlive the process; relative to the config file. `temporary`: in a folder of this user's
   * own, among the system's temporary files; `none`: nowhere.
   */
  readonly lastGoodDirectory: 'temporary' | 'none' | (string & {})
  readonly links: LinksConfig
  readonly tools: readonly ToolConfig[]
  readonly log: { readonly level: LogLevel }
  readonly limits: LimitsConfig
}
