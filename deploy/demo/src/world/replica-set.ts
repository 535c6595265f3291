import type { Mesh } from '../mesh/meter.ts'
import type { ClusterNetwork, ServiceFacts } from '../mesh/network.ts'
import type { CreateApp, Pod } from '../mesh/pod.ts'
import { startPod } from '../mesh/pod.ts'
import type { ServicePlan } from '../scenarios/scenario.ts'
import type { Transport } from '../transport/transport.ts'
import { generatedName } from './names.ts'

/** The pods of one service. Growing adds pods with new names and addresses; shrinking removes the newest. */
export interface ReplicaSet {
  pods(): readonly Pod[]
  scale(replicas: number): Promise<void>
  close(): Promise<void>
}

/** How long a removed pod may finish what it has. */
const GRACE_MS = 8000

export function createReplicaSet(deps: {
  transport: Transport
  plan: ServicePlan
  service: ServiceFacts
  network: ClusterNetwork
  mesh: Mesh
  nextPodIp: () => string
  createApp: CreateApp
}): ReplicaSet {
  const { plan, service, network } = deps
  const pods: Pod[] = []
  const leaving = new Map<Pod, NodeJS.Timeout>()
  let born = 0

  async function add(isNew: boolean): Promise<void> {
    const serial = born++
    const seed = `${plan.cluster}/${plan.namespace}/${plan.name}`
    const templateHash = generatedName(seed, 9)
    const pod = await startPod({
      transport: deps.transport,
      network,
      mesh: deps.mesh,
      createApp: deps.createApp,
      isNew,
      facts: {
        name: `${plan.name}-${templateHash}-${generatedName(`${seed}/${serial}`, 5)}`,
        namespace: plan.namespace,
        deployment: plan.name,
        templateHash,
        serviceAccount: plan.serviceAccount,
        zone: `${plan.cluster}-a`,
        address: `${deps.nextPodIp()}:${plan.port}`,
      },
    })
    pods.push(pod)
    network.addPod(service, pod.facts)
  }

  function retire(pod: Pod): void {
    network.removePod(service, pod.facts)
    const timer = setTimeout(() => {
      leaving.delete(pod)
      void pod.close()
    }, GRACE_MS)
    leaving.set(pod, timer)
  }

  return {
    pods: () => pods,
    async scale(replicas) {
      const isNew = born > 0
      while (pods.length < replicas) await add(isNew)
      while (pods.length > replicas) {
        const pod = pods.pop()
        if (pod) retire(pod)
      }
    },
    async close() {
      for (const timer of leaving.values()) clearTimeout(timer)
      await Promise.all([...pods, ...leaving.keys()].map((pod) => pod.close()))
    },
  }
}
