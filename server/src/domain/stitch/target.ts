import { remembered } from '../remembered.ts'
import type { Target, World } from './types.ts'

/** A workload id with its cluster's configured name, whatever the mesh calls the cluster. */
export function underOurName(id: string, world: World): string {
  const cluster = clusterOf(id)
  const ours = world.clusterNames.get(cluster) ?? cluster
  // Mostly they agree: of a large fleet that is asked for each of a hundred thousand callers.
  return ours === cluster ? id : `${ours}${id.slice(cluster.length)}`
}

/**
 * By which of its names a workload is called among `labels`: of several the first; undefined: by none. A busy callee
 * names thousands of callers, so that the names are looked up rather than compared.
 */
export function labelOf(labels: ReadonlyMap<string, unknown>, id: string, world: World): string | undefined {
  const cluster = clusterOf(id)
  const rest = id.slice(cluster.length)
  const found = (namesOf(world).get(cluster) ?? [cluster])
    .map((name) => (name === cluster ? id : `${name}${rest}`))
    .filter((label) => labels.has(label))
  if (found.length < 2) return found[0]
  for (const label of labels.keys()) if (found.includes(label)) return label
  return undefined
}

/** Configured name of a cluster -> all names in labels that are it. */
const namesOf = remembered(({ clusterNames }: World): ReadonlyMap<string, readonly string[]> => {
  const names = new Map<string, string[]>()
  const all = new Set([...clusterNames.keys(), ...clusterNames.values()])
  for (const name of all) {
    const ours = clusterNames.get(name) ?? name
    names.set(ours, [...(names.get(ours) ?? []), name])
  }
  return names
})

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
