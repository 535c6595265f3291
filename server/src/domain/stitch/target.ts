import type { Target, World } from './types.ts'

/** A workload id with its cluster's configured name, whatever the mesh calls the cluster. */
export function underOurName(id: string, world: World): string {
  const cluster = clusterOf(id)
  const ours = world.clusterNames.get(cluster) ?? cluster
  // Mostly they agree: of a large fleet that is asked for each of a hundred thousand callers.
  return ours === cluster ? id : `${ours}${id.slice(cluster.length)}`
}

/** All of a call to one workload. */
export function target(id: string): Target {
  return { id, share: 1, via: null, host: null }
}

/** Several that may be meant: each may be the one, so each may have all of the calls. */
export function candidates(ids: Iterable<string>): Target[] {
  return [...new Set(ids)].map(target)
}

/** The workloads behind a service by their share; null where nobody tells. */
export function targetsBehind(service: string, world: World): Target[] | null {
  const behind = world.behindService.get(service)
  return behind === undefined ? null : [...behind.shares].map(([id, share]) => ({ ...target(id), share }))
}

export function clusterOf(id: string): string {
  return id.slice(0, id.indexOf('/'))
}
