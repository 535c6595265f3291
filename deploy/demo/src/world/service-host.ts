import { type Exporter, type RunningExporter, startExporter } from '../mesh/exporter.ts'
import type { Mesh } from '../mesh/meter.ts'
import type { ClusterNetwork, PublicNetwork, ServiceFacts } from '../mesh/network.ts'
import type { CreateApp } from '../mesh/pod.ts'
import type { ServicePlan } from '../scenarios/scenario.ts'
import { createAppClient } from '../services/app-client.ts'
import { type Behaviour, createChooser } from '../services/behaviour.ts'
import { createIngressApp } from '../services/ingress-app.ts'
import { createIngressMetrics } from '../services/ingress-metrics.ts'
import { createServiceApp } from '../services/service-app.ts'
import { createWorkerQueue, type WorkerQueue } from '../services/worker-queue.ts'
import type { HopHandler, Transport } from '../transport/transport.ts'
import type { Addresses } from './addresses.ts'
import { createReplicaSet, type ReplicaSet } from './replica-set.ts'

/** A service with its pods and its present behaviour. */
export interface ServiceHost {
  readonly plan: ServicePlan
  readonly service: ServiceFacts
  readonly replicas: ReplicaSet
  /** The ingress controllers' own pages, where they are scraped. */
  ingressExporters(): readonly Exporter[]
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

export function createServiceHost(deps: {
  transport: Transport
  plan: ServicePlan
  network: ClusterNetwork
  mesh: Mesh
  addresses: Addresses
  publicNetwork: PublicNetwork
  find: (id: string) => ServiceHost | undefined
}): ServiceHost {
  const { transport, plan, network, publicNetwork } = deps
  const service: ServiceFacts = {
    namespace: plan.namespace,
    name: plan.name,
    port: plan.port,
    authority: `${plan.name}.${plan.namespace}.svc.cluster.local:${plan.port}`,
    address: `${deps.addresses.nextServiceIp()}:${plan.port}`,
    endpoints: [],
  }
  network.addService(service)
  if (plan.ingress) {
    publicNetwork.ingresses.set(plan.ingress.address, service)
    for (const host of Object.keys(plan.ingress.hosts)) publicNetwork.hosts.set(host, plan.ingress.address)
  }

  let behaviour = plan.behaviour
  const lock = createWorkerQueue(1, transport)
  const choose = createChooser()

  /** A change of the number of workers takes a new queue; jobs already in the old one end as they would have. */
  function createQueue(): () => WorkerQueue {
    let workers = behaviour.workers
    let queue = createWorkerQueue(workers, transport)
    return () => {
      if (behaviour.workers !== workers) {
        workers = behaviour.workers
        queue = createWorkerQueue(workers, transport)
      }
      return queue
    }
  }

  const controllers: RunningExporter[] = []

  const createApp: CreateApp = async (outboundPort, facts): Promise<HopHandler> => {
    const shared = {
      behaviour: () => behaviour,
      queue: createQueue(),
      lock,
      client: createAppClient(transport, outboundPort),
    }
    const routes = plan.ingress?.hosts
    if (!routes) return createServiceApp({ ...shared, choose, resolve: network.resolve })
    const backends = (host: string) => {
      const backend = routes[host]
      return backend === undefined ? undefined : deps.find(`${plan.cluster}/${backend}`)?.service.endpoints
    }
    if (!deps.mesh.ingressMetrics) return createIngressApp({ ...shared, backends })
    const metrics = createIngressMetrics(facts)
    controllers.push(await startExporter(transport, { ...metrics.page, name: `${facts.name}/controller` }))
    const answered = (host: string, status: number) => metrics.answered(host, routes[host] ?? '', status)
    return createIngressApp({ ...shared, backends, answered })
  }

  const replicas = createReplicaSet({
    transport,
    plan,
    service,
    network,
    mesh: deps.mesh,
    nextPodIp: deps.addresses.nextPodIp,
    createApp,
  })
  return {
    plan,
    service,
    replicas,
    ingressExporters: () => controllers,
    behave(next) {
      behaviour = next
    },
    async close() {
      await replicas.close()
      await Promise.all(controllers.map((exporter) => exporter.close()))
    },
  }
}
