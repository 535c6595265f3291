import type { ClusterNetwork, PublicNetwork, ServiceFacts } from '../mesh/network.ts'
import type { ServicePlan } from '../scenarios/scenario.ts'
import { createAppClient } from '../services/app-client.ts'
import { type Behaviour, createChooser } from '../services/behaviour.ts'
import { createIngressApp } from '../services/ingress-app.ts'
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
  behave(behaviour: Behaviour): void
}

export function createServiceHost(deps: {
  transport: Transport
  plan: ServicePlan
  network: ClusterNetwork
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

  function createApp(outboundPort: number): HopHandler {
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
    return createIngressApp({ ...shared, backends })
  }

  const replicas = createReplicaSet({
    transport,
    plan,
    service,
    network,
    nextPodIp: deps.addresses.nextPodIp,
    createApp,
  })
  return {
    plan,
    service,
    replicas,
    behave(next) {
      behaviour = next
    },
  }
}
