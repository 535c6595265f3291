import { createMesh } from '../mesh/catalog.ts'
import { type Exporter, type RunningExporter, startExporter } from '../mesh/exporter.ts'
import { type ClusterNetwork, createClusterNetwork, type PublicNetwork } from '../mesh/network.ts'
import type { Pod } from '../mesh/pod.ts'
import { type PhasePlan, type Scenario, serviceId } from '../scenarios/scenario.ts'
import type { Transport } from '../transport/transport.ts'
import { createAddresses } from './addresses.ts'
import { createServiceHost, type ServiceHost } from './service-host.ts'

/** All clusters of a scenario, running. */
export interface World {
  allPods(): readonly Pod[]
  pods(cluster: string): readonly Pod[]
  /** What there is to scrape. */
  exporters(cluster: string): readonly Exporter[]
  allExporters(): readonly Exporter[]
  /** A real loopback port behind a public host name, the next one of its ingress pods. */
  entryPort(host: string): number
  apply(phase: PhasePlan): Promise<void>
  close(): Promise<void>
}

export async function startWorld(transport: Transport, scenario: Scenario): Promise<World> {
  const publicNetwork: PublicNetwork = { hosts: new Map(), ingresses: new Map() }
  const services = new Map<string, ServiceHost>()
  const shared = new Map<string, RunningExporter[]>()
  let turn = 0
  for (const cluster of scenario.clusters) {
    const network: ClusterNetwork = createClusterNetwork(publicNetwork)
    const addresses = createAddresses()
    const mesh = createMesh(cluster, scenario.meshes?.[cluster])
    shared.set(cluster, await Promise.all(mesh.shared.map((page) => startExporter(transport, page))))
    for (const plan of scenario.services.filter((service) => service.cluster === cluster)) {
      services.set(
        serviceId(plan),
        createServiceHost({ transport, plan, network, mesh, addresses, publicNetwork, find }),
      )
    }
  }
  await Promise.all([...services.values()].map((service) => service.replicas.scale(service.plan.replicas)))

  const hostsOf = (cluster: string) => [...services.values()].filter(({ plan }) => plan.cluster === cluster)
  const exporters = (cluster: string): Exporter[] => [
    ...hostsOf(cluster).flatMap((host) => [
      ...host.replicas.pods().flatMap(({ exporter }) => exporter ?? []),
      ...host.ingressExporters(),
    ]),
    ...(shared.get(cluster) ?? []),
  ]

  function find(id: string): ServiceHost | undefined {
    return services.get(id)
  }

  return {
    allPods: () => [...services.values()].flatMap((service) => service.replicas.pods()),
    pods: (cluster) => hostsOf(cluster).flatMap((host) => host.replicas.pods()),
    exporters,
    allExporters: () => scenario.clusters.flatMap(exporters),
    entryPort(host) {
      const ingress = publicNetwork.ingresses.get(publicNetwork.hosts.get(host) ?? '')
      const port = ingress?.endpoints[turn++ % ingress.endpoints.length]?.inboundPort
      if (port === undefined) throw new Error(`No ingress serves ${host}`)
      return port
    },
    async apply(phase) {
      for (const [id, service] of services) {
        const change = phase.changes[id]
        service.behave({ ...service.plan.behaviour, ...change?.behaviour })
        await service.replicas.scale(change?.replicas ?? service.plan.replicas)
      }
    },
    async close() {
      await Promise.all([...services.values()].map((service) => service.close()))
      await Promise.all([...shared.values()].flat().map((exporter) => exporter.close()))
    },
  }
}
