/** A world that requests run through. Times in seconds, rates per second; workloads and calls are named by their place. */
export interface SimWorld {
  readonly seed: number
  readonly clusters: readonly SimCluster[]
  readonly workloads: readonly SimWorkload[]
  readonly calls: readonly SimCall[]
  readonly entries: readonly { readonly workload: number; readonly requestsPerSecond: number }[]
  /** Whether a callee's proxy counts requests whose caller gave up. */
  readonly countsAbandoned: boolean
}

export interface SimCluster {
  readonly name: string
  readonly scrapeSeconds: number
  /** The workload of its plain ingress; null: it has none. */
  readonly ingress: number | null
}

export interface SimWorkload {
  readonly index: number
  readonly cluster: number
  readonly namespace: string
  readonly name: string
  /** The service account, which workloads may share. */
  readonly account: string
  readonly role: 'workload' | 'ingress'
  /** False: it has no proxy, so that nobody counts what it does. */
  readonly meshed: boolean
  readonly pods: number
  /** Requests that one pod works on at a time. */
  readonly workers: number
  /** A worker is held while the request waits for calls, else only while it computes. */
  readonly holdsWorkers: boolean
  /** Requests that may wait at a pod before it turns them away. */
  readonly queueLimit: number
  /** Its own work per request, without waiting. */
  readonly ownSeconds: number
  /** Spread of the logarithm of it. */
  readonly ownSigma: number
  readonly failureRatio: number
  /** One after the other; the calls of a stage all at once. */
  readonly stages: readonly (readonly number[])[]
}

export interface SimCall {
  readonly index: number
  readonly from: number
  readonly to: number
  /** Per request of the caller. */
  readonly count: number
  readonly timeoutSeconds: number
  readonly retries: number
  /** False: nobody waits for it. */
  readonly waits: boolean
  /** Whether the caller fails when it does. */
  readonly critical: boolean
  /** What this caller's requests cost at the callee, against the average one. */
  readonly cost: number
  /** There and back. */
  readonly linkSeconds: number
  /** `forward`: from an ingress to what lies behind it. */
  readonly style: 'local' | 'mirror' | 'ingress' | 'forward'
  readonly host: string | null
}

/** What goes wrong, from when to when; `ramp` seconds until it is all there. */
export interface Effect {
  readonly fromSeconds: number
  readonly untilSeconds: number
  readonly rampSeconds: number
  readonly what:
    | { readonly kind: 'slow'; readonly workload: number; readonly addSeconds: number }
    | { readonly kind: 'link'; readonly calls: readonly number[]; readonly addSeconds: number }
    | { readonly kind: 'fail'; readonly workload: number; readonly ratio: number }
    | { readonly kind: 'workers'; readonly workload: number; readonly workers: number }
    | { readonly kind: 'queue'; readonly workload: number; readonly limit: number }
    | { readonly kind: 'pods'; readonly workload: number; readonly pods: number }
    | { readonly kind: 'surge'; readonly entry: number; readonly factor: number }
}

/** One thing that a proxy counts, at one pod. */
export interface Flow {
  readonly direction: 'inbound' | 'outbound'
  readonly workload: number
  readonly pod: number
  /** Outbound: the call. Inbound: the call it came over, null from outside. */
  readonly call: number | null
  /** One value a scrape, aligned with the pod's scrape times from `firstScrape` on. */
  readonly succeeded: number[]
  readonly failed: number[]
  readonly seconds: number[]
  readonly firstScrape: number
}

export interface Recording {
  readonly world: SimWorld
  readonly flows: readonly Flow[]
  /** By workload and pod: when it was scraped. */
  readonly scrapes: readonly (readonly number[][])[]
  readonly fromSeconds: number
  readonly untilSeconds: number
  readonly requests: number
}
