/**
 * What a cluster knows of its own addresses and services beside the mesh: kube-state-metrics, and what ingress
 * controllers count by host. Workloads and services are ids (`cluster/namespace/name`).
 */
export interface Inventory {
  readonly cluster: string
  /** IP address of a pod -> workloads that own it. */
  readonly podAddresses: ReadonlyMap<string, ReadonlySet<string>>
  /** Service id -> workload id -> number of its pods behind the service. */
  readonly behindService: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** IP address or host name of a load balancer -> ids of the services it leads to. */
  readonly balancers: ReadonlyMap<string, ReadonlySet<string>>
  readonly exposures: readonly Exposure[]
}

/** Requests that one ingress sends on to one service, of one host where its controller counts by host. */
export interface Exposure {
  /** Lower case, without port. */
  readonly host: string | null
  /** Where the controller has no label for the host: a name that holds it with dashes for dots. */
  readonly router: string | null
  /** The controller's workload, where its pods tell it. */
  readonly door: string | null
  /** Id of the service; null where the controller does not tell it. */
  readonly service: string | null
  readonly requestsPerSecond: number | null
  /** Who says so: `ingress-nginx`. */
  readonly source: string
}

/** Whether these are requests of the host. */
export function isOfHost({ host, router }: Exposure, name: string): boolean {
  if (host !== null) return host === name
  // Whole names only: `a.example.com` is no part of `data.example.com`.
  return router !== null && new RegExp(`(^|-)${name.replaceAll(/[^a-z0-9]+/g, '-')}($|[-@])`).test(router)
}
