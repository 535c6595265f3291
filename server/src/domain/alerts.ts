import type { ClusterView } from './assess.ts'
import { knownId, type WorkloadRef } from './identity.ts'
import type { FiringAlert } from './surroundings.ts'

export interface JoinedAlert extends FiringAlert {
  readonly cluster: string
  /** The workload that its labels name; null where they name none that is seen. */
  readonly workload: string | null
  /** The label it was joined by. */
  readonly by: string | null
}

/** A scrape that does not honour labels moves the metric's own out of the way: then the plain ones are the scraper's. */
const NAMESPACES = [
  'exported_namespace',
  'destination_workload_namespace',
  'dst_namespace',
  'namespace',
  'kubernetes_namespace',
]
const NAMES: Readonly<Record<string, string>> = {
  workload: '',
  exported_workload: '',
  destination_workload: '',
  deployment: 'deployment',
  exported_deployment: 'deployment',
  statefulset: 'statefulset',
  exported_statefulset: 'statefulset',
  daemonset: 'daemonset',
  exported_daemonset: 'daemonset',
  dst_deployment: 'deployment',
}
const PODS = ['exported_pod', 'pod', 'pod_name', 'kubernetes_pod_name']
const SERVICES = ['exported_service', 'destination_service_name', 'dst_service', 'service', 'app']

/** Joins what fires to the workloads that are seen, by what the labels name: the workload, its pod, or its service. */
export function joinAlerts(clusters: readonly ClusterView[]): JoinedAlert[] {
  const names = new Set(clusters.map(({ name }) => name))
  const known = new Map<string, Known>()
  // Mostly nothing fires.
  const knownOf = (name: string): Known | undefined => {
    const view = clusters.find((cluster) => cluster.name === name)
    const found = known.get(name) ?? (view && knownIn(view))
    if (found !== undefined) known.set(name, found)
    return found
  }
  return clusters.flatMap((source) =>
    (source.surroundings?.alerts?.firing ?? []).map((alert): JoinedAlert => {
      const told = alert.labels.cluster
      const cluster = told !== undefined && names.has(told) ? told : source.name
      const found = workloadOf(alert, knownOf(cluster))
      return { ...alert, cluster, workload: found?.id ?? null, by: found?.label ?? null }
    }),
  )
}

interface Known {
  /** The cluster's workloads by their names. */
  readonly named: ReadonlyMap<string, readonly Named[]>
  /** Whether its meshes tell kinds: where none does, everything passes for a deployment. */
  readonly tellsKinds: boolean
  /** `namespace/service` -> the workloads that calls to it reach. */
  readonly services: ReadonlyMap<string, ReadonlySet<string>>
}

interface Named {
  readonly id: string
  readonly ref: WorkloadRef
}

function knownIn({ name, now, history }: ClusterView): Known {
  const services = new Map<string, Set<string>>()
  for (const { destination } of now?.outbound.values() ?? []) {
    if (destination.kind !== 'workload' || destination.service === null || destination.workload.cluster !== name)
      continue
    const key = `${destination.workload.namespace}/${destination.service}`
    services.set(key, (services.get(key) ?? new Set()).add(knownId(destination.workload)))
  }
  const named = new Map<string, Named[]>()
  let tellsKinds = false
  for (const [id, { workload: ref }] of new Map([...(history?.inbound ?? []), ...(now?.inbound ?? [])])) {
    if (ref.cluster !== name) continue
    tellsKinds ||= ref.kind !== DEPLOYMENT
    const others = named.get(ref.name)
    if (others === undefined) named.set(ref.name, [{ id, ref }])
    else others.push({ id, ref })
  }
  return { named, tellsKinds, services }
}

const DEPLOYMENT = 'deployment'

function workloadOf({ labels }: FiringAlert, known: Known | undefined): { id: string; label: string } | null {
  if (known === undefined) return null
  const namespace = NAMESPACES.map((label) => labels[label]).find((value) => value) ?? null
  for (const [label, kind] of Object.entries(NAMES)) {
    const id = labels[label] ? byName(known, namespace, labels[label], kind === '' ? null : [kind]) : null
    if (id !== null) return { id, label }
  }
  for (const label of PODS) {
    const id = labels[label] ? byPod(known, namespace, labels[label]) : null
    if (id !== null) return { id, label }
  }
  for (const label of SERVICES) {
    const service = labels[label]
    if (!service) continue
    const behind = namespace === null ? undefined : known.services.get(`${namespace}/${service}`)
    const [only, ...others] = behind ?? []
    const id = only !== undefined && others.length === 0 ? only : byName(known, namespace, service, null)
    if (id !== null) return { id, label }
  }
  return null
}

/**
 * A name without a namespace counts where one workload of the cluster bears it. `kinds`: what it may be; null: anything.
 */
function byName(
  { named }: Known,
  namespace: string | null,
  name: string,
  kinds: readonly string[] | null,
): string | null {
  const [meant, ...others] = (named.get(name) ?? []).filter(
    ({ ref }) => (kinds === null || kinds.includes(ref.kind)) && (namespace === null || ref.namespace === namespace),
  )
  return meant !== undefined && others.length === 0 ? meant.id : null
}

/**
 * How Kubernetes names pods, and for whom: `cart-5d8f9c7b6-x2x4q`, `backup-29384710-x2x4q`, `db-0`, `agent-x2x4q`. The
 * hash of a pod template has no vowels, so that the second half of `loki-canary` is none.
 */
const POD_SHAPES: readonly { readonly shape: RegExp; readonly kinds: readonly string[] }[] = [
  { shape: /^(.+)-[bcdfghjklmnpqrstvwxz2456789]{6,10}-[a-z0-9]{5}$/, kinds: [DEPLOYMENT, 'rollout'] },
  { shape: /^(.+)-\d+-[a-z0-9]{5}$/, kinds: ['cronjob'] },
  { shape: /^(.+)-\d+$/, kinds: ['statefulset'] },
  { shape: /^(.+)-[a-z0-9]{5}$/, kinds: ['daemonset', 'replicaset', 'replicationcontroller', 'job'] },
]

function byPod(known: Known, namespace: string | null, pod: string): string | null {
  for (const { shape, kinds } of POD_SHAPES) {
    const name = shape.exec(pod)?.[1]
    const id = name === undefined ? null : byName(known, namespace, name, known.tellsKinds ? kinds : [DEPLOYMENT])
    if (id !== null) return id
  }
  return null
}
