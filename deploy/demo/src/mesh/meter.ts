import type { Connection } from '../transport/transport.ts'
import type { Destination, PodFacts } from './network.ts'
import type { Registry } from './registry.ts'

/** Who called, as the connection tells: a client certificate, or what two proxies of one mesh exchange. */
export interface Peer {
  readonly namespace: string
  readonly deployment: string
  readonly serviceAccount: string
}

/** How a request ended for the proxy that measured it. */
export interface Ended {
  /** `failed`: no connection, or it broke; `timedOut`: the route's own limit; `abandoned`: whoever asked has gone. */
  readonly how: 'answered' | 'failed' | 'timedOut' | 'abandoned'
  /** What the proxy answered; undefined when there was nobody left to answer. */
  readonly status: number | undefined
  readonly firstByteMs: number
  readonly wholeMs: number
}

/** Counts requests of one kind: one direction, one peer or endpoint, one host. */
export interface RequestMeter {
  began(): void
  ended(end: Ended): void
}

/** Counts connections of one kind, each once. */
export interface ConnectionMeter {
  track(connection: Connection): void
}

/** One original destination, as a pod's outbound proxy counts it. */
export interface OutletMeter {
  /** Connections from the application. */
  readonly accepted: ConnectionMeter
  /** Connections to the endpoint; `pod` is null where discovery knows none. */
  dialled(pod: PodFacts | null): ConnectionMeter
  request(pod: PodFacts | null, host: string | undefined): RequestMeter
}

/** What one pod's proxies count, in the words of its mesh. */
export interface PodMeter {
  /** Connections from the inbound proxy to the application. */
  readonly dialledApp: ConnectionMeter
  accepted(peer: Peer | undefined): ConnectionMeter
  arriving(request: { host: string | undefined; canonical: string | undefined; peer: Peer | undefined }): RequestMeter
  outlet(originalDst: string, destination: Destination): OutletMeter
  /** Requests to the proxy's own admin port, where the mesh counts those too. */
  readonly admin?: { readonly scrapes: RequestMeter; readonly probes: RequestMeter }
}

/** A page of metrics and how the mesh's own scrape configuration asks for it. */
export interface Page {
  readonly registry: Registry
  readonly job: string
  readonly path: string
  /** Labels that the scrape adds, `instance` included. */
  readonly labels: Readonly<Record<string, string>>
}

/** A page of the cluster rather than of a pod: a collector's, an agent's, a federation's. */
export interface SharedPage extends Page {
  readonly name: string
}

/** The mesh of one cluster. */
export interface Mesh {
  /** As it was asked for: `linkerd@2.14`. */
  readonly title: string
  readonly shared: readonly SharedPage[]
  /** Whether the ingress controller's own metrics are scraped too: where no proxy tells the host, they do. */
  readonly ingressMetrics: boolean
  /** What counts for a pod; `page` is null where only shared pages tell of it. `isNew`: it came with a roll-out. */
  pod(facts: PodFacts, isNew: boolean): { readonly meter: PodMeter; readonly page: Page | null }
}

export const UNCOUNTED: ConnectionMeter = { track: () => undefined }
