import type { WorkloadRef } from '../../domain/identity.ts'
import type { Matcher } from '../promql.ts'
import type { Labels } from '../read-series.ts'

export const ENDS = [
  'reporter',
  ...['source', 'destination'].flatMap((end) => [end, `${end}_namespace`, `${end}_workload`, `${end}_app`]),
]
export const FAILED: Matcher = { label: 'status', op: '=~', value: '5..' }

/** By labelsContext, else by a context that writes `namespace/name`. */
export function endOf(cluster: string, labels: Labels, end: 'source' | 'destination'): WorkloadRef | null {
  const [, inNamespace, inName] = /^([^/]+)\/([^/]+)$/.exec(labels[end] ?? '') ?? []
  const namespace = labels[`${end}_namespace`] || inNamespace
  const name = labels[`${end}_workload`] || labels[`${end}_app`] || inName
  return namespace && name ? { cluster, namespace, kind: 'deployment', name } : null
}

/** What a context says of an end that is no workload: a DNS name, an address, a reserved identity. */
export function textOf(labels: Labels, end: 'source' | 'destination'): string {
  return labels[end] || 'unknown'
}
