import type { GroupWanted } from '../group.ts'
import { localName, parseWorkloadId } from '../identity.ts'
import type { Situation } from '../situation.ts'
import { matchesGlob } from '../stitch/glob.ts'

/** One workload's calls to another, per second; `via`: the ingress or gateway in between. */
export interface PlacedCall {
  readonly from: string
  readonly to: string
  readonly requestsPerSecond: number
  readonly via: string | null
}

/** Who gets how many requests, and from whom: all that the question needs. */
export interface Picture {
  /** Workload id -> requests per second. */
  readonly rates: ReadonlyMap<string, number>
  readonly calls: readonly PlacedCall[]
  /** Workloads that only pass requests on: their calls are counted as their callers' where those are known. */
  readonly doors: ReadonlySet<string>
  /** The workloads in other clusters that stand in for one. */
  twinsOf(id: string): readonly string[]
}

/**
 * The picture of a snapshot. Of a cluster that is silent already the last good rates are taken, or the usual ones. Joins
 * that are guesses (dotted) are left out: such requests count as coming from outside.
 */
export function pictureOf(situation: Situation, groups: readonly GroupWanted[]): Picture {
  const { assessment, clusters, edges, stitched } = situation
  const isSilent = (cluster: string) => clusters.get(cluster)?.state !== 'current'
  const rates = new Map<string, number>()
  for (const { id, ref, now, usual } of assessment.workloads.values()) {
    rates.set(id, now.requestsPerSecond ?? (isSilent(ref.cluster) ? usual.requestsPerSecond : null) ?? 0)
  }
  const calls = edges.flatMap(({ edge, flows }): PlacedCall[] => {
    const { from, to, via, confidence, callerCluster } = edge
    const now = flows.callerNow.requestsPerSecond ?? flows.calleeNow.requestsPerSecond
    const rate = now ?? (isSilent(callerCluster) ? flows.callerUsual.requestsPerSecond : null)
    const known = rates.has(from) && rates.has(to) && from !== to
    return confidence === 'dotted' || !rate || !known ? [] : [{ from, to, via, requestsPerSecond: rate }]
  })
  return { rates, calls, doors: stitched.ingressIds, twinsOf: twinsAmong([...rates.keys()], groups) }
}

/** The same service elsewhere: as the configuration groups them, else by namespace, kind and name. */
export function twinsAmong(ids: readonly string[], groups: readonly GroupWanted[]): Picture['twinsOf'] {
  const keyOf = (id: string) => {
    const group = groups.find(({ workloads }) => workloads.some((pattern) => isNamed(pattern, id)))
    const ref = parseWorkloadId(id)
    if (group !== undefined) return `group ${group.name}`
    return ref === undefined ? id : `${ref.namespace}/${localName(ref)}`
  }
  const byKey = new Map<string, string[]>()
  for (const id of ids) {
    const key = keyOf(id)
    byKey.set(key, [...(byKey.get(key) ?? []), id])
  }
  return (id) => (byKey.get(keyOf(id)) ?? []).filter((other) => clusterOf(other) !== clusterOf(id))
}

function isNamed(pattern: string, id: string): boolean {
  const [globs, parts] = [pattern.split('/'), id.split('/')]
  return globs.length === parts.length && globs.every((glob, at) => matchesGlob(glob, parts[at] ?? ''))
}

export function clusterOf(id: string): string {
  return id.split('/', 1)[0] ?? ''
}
