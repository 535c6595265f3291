import { OneOfEach } from './one-of-each.ts'
import { remembered } from './remembered.ts'

/** A workload's place: cluster, namespace, kind of its owner, name. */
export interface WorkloadRef {
  readonly cluster: string
  readonly namespace: string
  readonly kind: string
  readonly name: string
}

const DEPLOYMENT = 'deployment'

/** `cluster/namespace/name` for a deployment, `cluster/namespace/kind:name` for other kinds. */
export function workloadId(ref: WorkloadRef): string {
  return `${ref.cluster}/${ref.namespace}/${localName(ref)}`
}

/**
 * The same of a reference that lives on: one and the same text each time. What is looked up by a text that was just put
 * together has to have it put together and hashed each time.
 */
export const knownId = remembered(workloadId)

const refs = new OneOfEach<WorkloadRef>()

/** One reference for all that say the same: its id is put together once, and is one and the same text. */
export function oneRef(ref: WorkloadRef): WorkloadRef {
  return refs.of(workloadId(ref), () => ref)
}

/** The last part of an id: `name`, or `kind:name` for other kinds than deployment. */
export function localName(ref: WorkloadRef): string {
  return ref.kind === DEPLOYMENT ? ref.name : `${ref.kind}:${ref.name}`
}

/** The cluster in an id; empty where the text has another shape. */
export function clusterOf(id: string): string {
  return id.slice(0, Math.max(0, id.indexOf('/')))
}

/** Parses what `workloadId` makes; undefined when the text has another shape. */
export function parseWorkloadId(id: string): WorkloadRef | undefined {
  const parts = id.split('/')
  const [cluster, namespace, last] = parts
  if (parts.length !== 3 || !cluster || !namespace || !last) return undefined
  const colon = last.indexOf(':')
  if (colon < 0) return { cluster, namespace, kind: DEPLOYMENT, name: last }
  const kind = last.slice(0, colon)
  const name = last.slice(colon + 1)
  return kind && name ? { cluster, namespace, kind, name } : undefined
}

/** How a workload is written inside `namespace/name` config values, within a known cluster. */
export function workloadIn(cluster: string, namespaceAndName: string): WorkloadRef | undefined {
  return parseWorkloadId(`${cluster}/${namespaceAndName}`)
}

/** `name (cluster)`, as sentences name a workload; the namespace keeps equal names apart. */
export function spoken(id: string): string {
  const ref = parseWorkloadId(id)
  return ref === undefined ? id : `${ref.namespace}/${localName(ref)} (${ref.cluster})`
}
