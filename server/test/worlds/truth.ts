/** The Linkerd releases whose label sets differ. */
export const LINKERD = ['2.8', '2.9', '2.10', '2.11', '2.12', '2.14', '2.15', '2.16', '2.17', '2.18', '2.20'] as const
export type LinkerdVersion = (typeof LINKERD)[number]

/** How a call finds its callee: what the caller's proxy can know of it follows from this. */
export type Style =
  /** By a service of the same cluster. */
  | 'local'
  /** By a service mirrored through a gateway. */
  | 'mirror'
  /** By a service mirrored pod to pod (flat network). */
  | 'flat'
  /** By a federated service, whose pods are here and there. */
  | 'federated'
  /** By the address of a pod of another cluster (flat network), without discovery. */
  | 'podAddress'
  /** By a host name that leads to another cluster's ingress. */
  | 'ingress'
  /** By a service of an Istio mesh over several clusters. */
  | 'mesh'
  /** Somewhere that no cluster measures. */
  | 'outside'

export interface Pod {
  readonly name: string
  readonly ip: string
}

export interface TrueWorkload {
  readonly id: string
  readonly cluster: string
  readonly namespace: string
  readonly kind: 'deployment' | 'statefulset'
  readonly name: string
  readonly serviceAccount: string
  /** The service it is called by; two workloads behind one are a canary. */
  readonly service: string
  readonly pods: readonly Pod[]
}

/** Ingress controllers whose own metrics tell hosts, services, both, or the one only with a setting. */
export const CONTROLLERS = ['nginx', 'traefik', 'haproxy', 'envoy', 'envoyByHost'] as const
export type Controller = (typeof CONTROLLERS)[number]

/** What stands between the world and a cluster's workloads. */
export interface Ingress {
  readonly workload: TrueWorkload
  /** Address of the load balancer in front of it, without port. */
  readonly address: string
  readonly meshed: boolean
  /** The controller whose own metrics are scraped; null: none are. */
  readonly metrics: Controller | null
}

export interface TrueCluster {
  readonly name: string
  readonly linkerd: LinkerdVersion
  /** Istio's sidecars and ingress gateway in Linkerd's place. */
  readonly istio: boolean
  /** The name its mirrors carry in the other clusters; mostly, but not always, the name it is known by here. */
  readonly linkName: string
  readonly trustDomain: string
  /** Whether proxies of the cluster name the hosts they call (the default of 2.17, opt-in from 2.18). */
  readonly hostnames: boolean
  readonly kubeStateMetrics: boolean
  readonly ingress: Ingress
  readonly gateway: TrueWorkload
}

/**
 * One caller's calls by one name or address. Rates are whole requests a step, so that counters are whole numbers at
 * every step.
 */
export interface TrueCall {
  readonly from: TrueWorkload
  readonly style: Style
  /** Who answers, with requests a step as the caller counts them; empty for `outside`. */
  readonly to: readonly { readonly workload: TrueWorkload; readonly perStep: number }[]
  readonly perStep: number
  readonly failuresPerStep: number
  /** Attempts for each request: more than one where the caller's proxy retries. */
  readonly attempts: number
  readonly meanMs: number
  /** `ingress`, `outside`: the host that is asked for. */
  readonly host: string | null
  /** `ingress`, `outside`, `podAddress`: what is dialled, `ip:port`. */
  readonly address: string | null
}

export interface Truth {
  readonly seed: number
  readonly clusters: readonly TrueCluster[]
  readonly workloads: readonly TrueWorkload[]
  /** Envoys at the clusters' edges, outside of every mesh: they call, and nobody who is measured calls them. */
  readonly proxies: readonly TrueWorkload[]
  readonly calls: readonly TrueCall[]
  /** What the operator has told Goldseam: ingresses of some clusters. */
  readonly told: { readonly ingressesOf: readonly string[] }
}

/** Seconds between two looks at the counters. */
export const STEP_SECONDS = 10
