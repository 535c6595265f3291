import { parseWorkloadId, spoken, workloadId } from '../identity.ts'
import { percent } from '../phrase.ts'
import { remembered } from '../remembered.ts'
import { candidates, clusterOf, labelOf, target, underOurName } from './target.ts'
import type { Call, KnownWorkload, Resolution, Target, World } from './types.ts'
import { knownRate } from './weigh.ts'

/** Less than this of a call is what two ends count differently. */
const LEAST_REST = 0.2

/**
 * Where a waypoint's call goes: it names the workload, and its own cluster whatever it sends to. A namesake elsewhere
 * that counts this caller has the calls; one that merely exists may have them, unless the workload is seen at home by
 * somebody else as well. Null: nothing speaks against the cluster it writes.
 */
export function assumedTarget({ destination, from, rates }: Call, world: World): Resolution | null {
  if (destination.kind !== 'workload') return null
  const home = workloadId(destination.workload)
  const isToldHere = world.workloads.get(home)?.assumed === false || isOwner(home, world)
  const namesakes = world.clusters
    .filter((cluster) => cluster !== destination.workload.cluster)
    .map((cluster) => workloadId({ ...destination.workload, cluster }))
    .flatMap((id) => world.workloads.get(id) ?? [])
    .filter(({ assumed }) => !assumed)
  const evidence = [`a waypoint names ${spoken(home)}, and writes its own cluster whatever it sends to`]
  const naming = namesakes.flatMap((workload) => {
    const label = callerAt(workload, from, world)
    return label === undefined ? [] : [{ workload, label }]
  })
  if (naming.length > 0) {
    const calling = knownRate(rates)
    const told = naming.map(({ workload, label }): Target => {
      const counted = knownRate(workload.byCaller.get(label) ?? { now: null, before: null })
      const share = calling > 0 && counted > 0 ? Math.min(1, counted / calling) : 1 / naming.length
      return { ...target(workload.id), share }
    })
    const all = told.reduce((sum, { share }) => sum + share, 0)
    const rest = 1 - all
    const some = (isToldHere || !isSeen(destination.workload.cluster, world)) && rest > LEAST_REST
    const targets = some ? [...told, { ...target(home), share: rest }] : told.map((one) => scaled(one, all))
    const names = naming.map(({ workload, label }) => `${spoken(workload.id)} names its caller: ${spoken(label)}`)
    const isNamed = naming.every(({ label }) => underOurName(label, world) === from)
    return {
      rule: 'labels',
      confidence: targets.length === 1 && !isToldHere && isNamed ? 'solid' : 'dashed',
      evidence: [...evidence, ...names, ...(some ? [`the rest, ${percent(rest)}, stays`] : [])],
      targets,
    }
  }
  if (isToldHere) return null
  if (namesakes.length === 0) {
    if (world.silent.size === 0) return null
    const doubt = `${[...world.silent].join(' and ')} may have a workload of that name, and cannot be asked`
    return { rule: 'labels', confidence: 'dashed', evidence: [...evidence, doubt], targets: [target(home)] }
  }
  const isHomeless = isSeen(destination.workload.cluster, world)
  const ids = [...(isHomeless ? [] : [home]), ...namesakes.map(({ id }) => id)]
  const one = ids.length === 1
  return {
    rule: 'labels',
    confidence: one ? 'dashed' : 'dotted',
    evidence: [...evidence, one ? `${ids.map(spoken)} alone reports` : `it may be ${ids.map(spoken).join(' or ')}`],
    targets: candidates(ids),
  }
}

/** How a workload names this caller, or the waypoint that its calls come through; undefined: it does neither. */
function callerAt(workload: KnownWorkload, from: string, world: World): string | undefined {
  return labelOf(workload.byCaller, from, world) ?? waypointsAt(workload, world).get(clusterOf(from))
}

/** Cluster -> the first waypoint of it that a workload names as its caller. */
const waypointsAt = remembered(({ byCaller }: KnownWorkload, world: World): ReadonlyMap<string, string> => {
  const waypoints = new Map<string, string>()
  for (const label of byCaller.keys()) {
    if (!/waypoint[^/]*$/.test(label)) continue
    const cluster = clusterOf(underOurName(label, world))
    if (!waypoints.has(cluster)) waypoints.set(cluster, label)
  }
  return waypoints
})

function scaled(one: Target, all: number): Target {
  return all > 0 ? { ...one, share: one.share / all } : one
}

/** Whether workloads of the cluster are told of by themselves: then one that is not, is not there. */
function isSeen(cluster: string, world: World): boolean {
  return seenClusters(world).has(cluster)
}

const seenClusters = remembered(({ workloads }: World): ReadonlySet<string> => {
  const seen = new Set<string>()
  for (const { ref, assumed } of workloads.values()) if (!assumed) seen.add(ref.cluster)
  return seen
})

/** Whether kube-state-metrics knows pods of it. */
function isOwner(id: string, world: World): boolean {
  return owners(world).has(id)
}

const owners = remembered(({ addressOwners }: World): ReadonlySet<string> => {
  const all = new Set<string>()
  for (const ids of addressOwners.values()) for (const id of ids) all.add(id)
  return all
})

/** Whether calls that a waypoint tells of as its own cluster's go elsewhere for certain. */
export function isElsewhere(id: string, world: World): boolean {
  const known = world.workloads.get(id)
  const place = parseWorkloadId(id)
  if (known?.assumed !== true || place === undefined || !isSeen(place.cluster, world) || isOwner(id, world))
    return false
  return world.clusters.some((cluster) => {
    const namesake = cluster === place.cluster ? undefined : world.workloads.get(workloadId({ ...place, cluster }))
    if (namesake === undefined || namesake.assumed) return false
    return [...namesake.byCaller.keys()].some((label) => clusterOf(underOurName(label, world)) === place.cluster)
  })
}
