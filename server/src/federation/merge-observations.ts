import { emptyObservation, type Observation } from '../domain/observation.ts'

/**
 * Several dialects of one cluster as one observation. A workload or call seen by two dialects is taken from the one
 * named first in the registry, so that nothing is counted twice.
 */
export function mergeObservations(cluster: string, steps: number, list: readonly Observation[]): Observation {
  const [only, ...more] = list
  if (only !== undefined && more.length === 0) return only
  const merged = emptyObservation(cluster, steps)
  for (const observation of list) {
    for (const [id, inbound] of observation.inbound) if (!merged.inbound.has(id)) merged.inbound.set(id, inbound)
    for (const [key, outbound] of observation.outbound)
      if (!merged.outbound.has(key)) merged.outbound.set(key, outbound)
    for (const [id, pods] of observation.pods) if (!merged.pods.has(id)) merged.pods.set(id, pods)
  }
  return merged
}
