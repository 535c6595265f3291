import type { Cluster, ClusterDetail, ClusterStatus, Clusters, Scope } from '../contract/index.ts'
import type { ClusterReader } from '../federation/cluster-reader.ts'
import type { SnapshotEngine } from '../federation/engine.ts'
import type { Roster } from '../federation/roster.ts'
import type { Snapshot } from '../federation/snapshot.ts'
import { bucketLayouts, presentRequests, presentRules, presentSeam } from './present-cluster.ts'
import { timeOrNull } from './present-golden.ts'
import { presentHead } from './present-head.ts'
import { presentLoad } from './present-load.ts'
import { presentMeshes } from './present-mesh.ts'
import { presentUnresolved } from './present-topology.ts'
import { type HttpProblem, notFound } from './problem.ts'

/** The config as it takes effect for a cluster; null where the name is nobody's. */
export type SettingsOf = (cluster: string) => readonly { readonly name: string; readonly value: string }[] | null

export interface ClustersDeps {
  readonly engine: SnapshotEngine
  /** Through what clusters are reached. */
  readonly roster: Pick<Roster, 'originOf'>
  readonly settingsOf: SettingsOf
  /** Unix seconds. */
  readonly clock: () => number
  readonly take: (query: Scope, signal: AbortSignal) => Promise<{ taken: Snapshot }>
}

interface Asked {
  readonly params: Readonly<Record<string, string>>
  readonly query: Scope
  readonly signal: AbortSignal
}

/** Goldseam's own eyesight: of all clusters in a line each, and of one in full. */
export function clustersHandler({ engine, roster, settingsOf, clock, take }: ClustersDeps) {
  function statusOf(taken: Snapshot, shown: Cluster): ClusterStatus {
    const { name } = shown
    const reader = engine.readers.find((one) => one.name === name)
    const origin = roster.originOf(name)
    const endpoints = reader?.endpoints() ?? []
    const skew = reader?.clockSkew ?? null
    const seams = taken.situation.edges.filter(({ edge }) => edge.seam)
    return {
      ...shown,
      endpoints: endpoints.map(presentEndpoint),
      discoveredAt: origin.discoveredAt,
      alsoAt: [...origin.alsoAt],
      scrapeIntervalSeconds: reader?.scrapeIntervalSeconds ?? null,
      clockSkewSeconds: skew?.seconds ?? null,
      clockSkewWithinSeconds: skew?.withinSeconds ?? null,
      seriesRead: reader?.seriesRead ?? null,
      load: presentLoad(endpoints, reader?.lanes.pace),
      meshes: presentMeshes(
        taken.clusters.find((cluster) => cluster.name === name)?.speaks ?? [],
        taken.situation.clusters.get(name)?.now,
      ),
      seamsOut: seams.filter(({ edge }) => clusterIn(edge.from) === name).length,
      seamsIn: seams.filter(({ edge }) => clusterIn(edge.to) === name).length,
      seamsWith: seamsWith(
        name,
        seams.map(({ edge }) => [clusterIn(edge.from), clusterIn(edge.to)] as const),
      ),
      kubeState: reader?.detection.kubeState ?? null,
      workloadsLastSeen: taken.clusters.find((cluster) => cluster.name === name)?.workloadsLastSeen ?? null,
    }
  }

  return {
    async clusters({ query, signal }: Asked): Promise<Clusters> {
      const { taken } = await take(query, signal)
      const head = presentHead(taken)
      return {
        ...head,
        clusters: head.clusters.map((shown) => statusOf(taken, shown)),
        unresolved: taken.situation.stitched.unresolved.map(presentUnresolved),
      }
    },

    async cluster({ params, query, signal }: Asked): Promise<ClusterDetail> {
      const { taken } = await take(query, signal)
      const name = params.cluster ?? ''
      const head = presentHead(taken)
      const shown = head.clusters.find((cluster) => cluster.name === name)
      const reader = engine.readers.find((one) => one.name === name)
      if (shown === undefined) throw noSuchCluster(name, head.clusters)
      const endpoints = reader?.endpoints() ?? []
      const { edges, stitched, clusters } = taken.situation
      return {
        ...head,
        gaps: head.gaps.filter(({ cluster }) => cluster === name),
        cluster: statusOf(taken, shown),
        requests: presentRequests(endpoints),
        lastHour: endpoints.map(({ url, log }) => ({ endpoint: url, ...log.lastHour(clock()) })),
        retention: endpoints.map(({ url, retention }) => ({ endpoint: url, text: retention })),
        settings: [...(settingsOf(name) ?? [])],
        lookedFor: lookedFor(reader),
        beside: besideMesh(reader),
        recordingRules: presentRules(reader, taken.windowSeconds),
        bucketLayouts: bucketLayouts(clusters.get(name)?.now),
        seams: edges
          .filter(({ edge }) => edge.seam && [edge.from, edge.to].some((id) => clusterIn(id) === name))
          .map((measured) => presentSeam(taken.situation, measured)),
        unresolved: stitched.unresolved.filter(({ from }) => clusterIn(from) === name).map(presentUnresolved),
      }
    },
  }
}

/** Never another in its place: those that are there are named. */
function noSuchCluster(name: string, clusters: readonly Cluster[]): HttpProblem {
  const known = clusters.map((cluster) => cluster.name)
  return notFound(`cluster ${name.slice(0, 100)} is not configured here (known: ${known.join(', ') || 'none'})`, known)
}

/** How many seams run between a cluster and each other one; `ends`: the clusters of every seam. */
function seamsWith(name: string, ends: readonly (readonly [from: string, to: string])[]) {
  const others = new Set(ends.flatMap(([from, to]) => (from === name ? [to] : to === name ? [from] : [])))
  return [...others].sort().map((cluster) => ({
    cluster,
    out: ends.filter(([from, to]) => from === name && to === cluster).length,
    in: ends.filter(([from, to]) => to === name && from === cluster).length,
  }))
}

function clusterIn(id: string): string {
  return id.split('/', 1)[0] ?? ''
}

function presentEndpoint({
  lastAnswerAtSeconds,
  certificateEndsAtSeconds,
  breaker,
  clockSkew: _skew,
  querySecondsTotal: _total,
  retention: _retention,
  log: _log,
  ...endpoint
}: ReturnType<ClusterReader['endpoints']>[number]): ClusterStatus['endpoints'][number] {
  return {
    ...endpoint,
    lastAnswerAt: timeOrNull(lastAnswerAtSeconds),
    certificateEndsAt: timeOrNull(certificateEndsAtSeconds),
    breaker: { state: breaker.state, nextTryAt: timeOrNull(breaker.nextTryAtSeconds) },
  }
}

function lookedFor(reader: ClusterReader | undefined): ClusterDetail['lookedFor'] {
  if (reader === undefined) return []
  const { dialects, lookedFor: all } = reader.detection
  if (dialects.length === 0) return [{ dialect: 'any', metrics: [...new Set(all)] }]
  return dialects.map(({ name, detectedBy, labelUses }) => ({
    dialect: name,
    metrics: [...detectedBy],
    labelUses: labelUses.map((use) => ({ ...use, labels: [...use.labels] })),
  }))
}

function besideMesh(reader: ClusterReader | undefined): ClusterDetail['beside'] {
  const inventory = reader?.detection.inventory ?? null
  if (inventory === null) return null
  return {
    podAddresses: inventory.podAddresses.size,
    services: inventory.behindService.size,
    balancers: inventory.balancers.size,
    exposedHosts: new Set(inventory.exposures.flatMap(({ host, router }) => host ?? router ?? [])).size,
  }
}
