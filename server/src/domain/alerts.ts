import type { ClusterView } from './assess.ts'
import { knownId, parseWorkloadId } from './identity.ts'
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
  readonly ids: ReadonlySet<string>
  readonly cluster: string
  /** `namespace/service` -> the workloads that calls to it reach. */
  readonly services: ReadonlyMap<string, ReadonlySet<string>>
}

function knownIn({ name, now, history }: ClusterView): Known {
  const services = new Map<string, Set<string>>()
  for (const { destination } of now?.outbound.values() ?? []) {
    if (destination.kind !== 'workload' || destination.service === null || destination.workload.cluster !== name)
      continue
    const key = `${destination.workload.namespace}/${destination.service}`
    services.set(key, (services.get(key) ?? new Set()).add(knownId(destination.workload)))
  }
  return { cluster: name, ids: new Set([...(now?.inbound.keys() ?? []), ...(history?.inbound.keys() ?? [])]), services }
}

function workloadOf({ labels }: FiringAlert, known: Known | undefined): { id: string; label: string } | null {
  if (known === undefined) return null
  const namespace = NAMESPACES.map((label) => labels[label]).find((value) => value) ?? null
  for (const [label, kind] of Object.entries(NAMES)) {
    const id = labels[label] ? byName(known, namespace, labels[label], kind) : null
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
    const id = only !== undefined && others.length === 0 ? only : byName(known, namespace, service, '')
    if (id !== null) return { id, label }
  }
  return null
}

/** A name without a namespace counts where one workload of the cluster bears it. */
function byName({ ids, cluster }: Known, namespace: string | null, name: string, kind: string): string | null {
  const meant = [...ids].filter((id) => {
    const ref = parseWorkloadId(id)
    if (ref === undefined || ref.cluster !== cluster || ref.name !== name) return false
    return (kind === '' || ref.kind === kind) && (namespace === null || ref.namespace === namespace)
  })
  return meant.length === 1 ? (meant[0] ?? null) : null
}

/** `cart-5d8f9c7b6-x2x4q` of a deployment, `db-0` of a stateful set, `agent-x2x4q` of a daemon set. */
function byPod(known: Known, namespace: string | null, pod: string): string | null {
  const owners = [/^(.+)-[a-z0-9]{1,10}-[a-z0-9]{5}$/, /^(.+)-\d+$/, /^(.+)-[a-z0-9]{5}$/]
  for (const shape of owners) {
    const name = shape.exec(pod)?.[1]
    const id = name === undefined ? null : byName(known, namespace, name, '')
    if (id !== null) return id
  }
  return null
}
