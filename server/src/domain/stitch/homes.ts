import type { Call } from './types.ts'

const TRUST_DOMAIN = /\.serviceaccount\.identity\.[^.]+\.(.+)$|^spiffe:\/\/([^/]+)\//

/** The trust domain of a mesh identity, Linkerd's or SPIFFE's; null for another shape. */
export function trustDomainOf(identity: string): string | null {
  const found = TRUST_DOMAIN.exec(identity)
  return found?.[1] ?? found?.[2] ?? null
}

/**
 * Where an identity, or a trust domain, is at home: in the clusters whose own workloads show it to their neighbours.
 * Pods of flat services and gateways of other clusters show theirs too, but are not called as workloads of the cluster.
 */
export function homes(calls: readonly Call[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { cluster, destination, clues, serverId } of calls) {
    if (destination.kind !== 'workload' || destination.workload.cluster !== cluster) continue
    for (const identity of new Set([...clues.serverIds, ...(serverId === null ? [] : [serverId])])) {
      for (const name of [identity, trustDomainOf(identity)]) {
        if (name !== null) found.set(name, (found.get(name) ?? new Set()).add(cluster))
      }
    }
  }
  return found
}
