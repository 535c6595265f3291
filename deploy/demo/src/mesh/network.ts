/** What the mesh knows of a pod: the simulated side (10.x addresses, as in the labels) and the loopback port behind it. */
export interface PodFacts {
  readonly name: string
  readonly namespace: string
  readonly deployment: string
  readonly templateHash: string
  readonly serviceAccount: string
  readonly zone: string
  /** Simulated `ip:port` of the application. */
  readonly address: string
  /** Real loopback port of the pod's inbound proxy. */
  readonly inboundPort: number
}

export interface ServiceFacts {
  readonly namespace: string
  readonly name: string
  readonly port: number
  /** `name.namespace.svc.cluster.local:port` */
  readonly authority: string
  /** Simulated `clusterIP:port`. */
  readonly address: string
  /** Changes while the demo runs: replicas come and go. */
  readonly endpoints: PodFacts[]
}

export type Destination =
  | { kind: 'service'; service: ServiceFacts }
  | { kind: 'pod'; pod: PodFacts }
  | { kind: 'external'; address: string; ports: () => readonly number[] }

/** One cluster's view of addresses. The same 10.x address means another pod in another cluster, hence one network each. */
export interface ClusterNetwork {
  addService(service: ServiceFacts): void
  addPod(service: ServiceFacts, pod: PodFacts): void
  removePod(service: ServiceFacts, pod: PodFacts): void
  /** DNS: what an application gets for `host[:port]`. */
  resolve(host: string): string | undefined
  lookup(address: string): Destination | undefined
}

/** Addresses outside every cluster: the ingresses, found by host name or by their public address. */
export interface PublicNetwork {
  readonly hosts: Map<string, string>
  readonly ingresses: Map<string, ServiceFacts>
}

export function createClusterNetwork(publicNetwork: PublicNetwork): ClusterNetwork {
  const services = new Map<string, ServiceFacts>()
  const pods = new Map<string, PodFacts>()
  const names = new Map<string, string>()
  return {
    addService(service) {
      services.set(service.address, service)
      names.set(service.authority, service.address)
    },
    addPod(service, pod) {
      pods.set(pod.address, pod)
      service.endpoints.push(pod)
    },
    removePod(service, pod) {
      pods.delete(pod.address)
      service.endpoints.splice(service.endpoints.indexOf(pod), 1)
    },
    resolve: (host) => names.get(host) ?? publicNetwork.hosts.get(host),
    lookup(address) {
      const service = services.get(address)
      if (service) return { kind: 'service', service }
      const pod = pods.get(address)
      if (pod) return { kind: 'pod', pod }
      const ingress = publicNetwork.ingresses.get(address)
      return (
        ingress && { kind: 'external', address, ports: () => ingress.endpoints.map((endpoint) => endpoint.inboundPort) }
      )
    },
  }
}
