import type { PrometheusApi } from '../prometheus/api.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { Discovery, type DiscoveryOptions } from './discovery.ts'
import { type Kept, NOT_KEPT } from './kept.ts'
import type { Names } from './known-names.ts'

const signal = new AbortController().signal

/** An endpoint that answers as `world` says at the moment; no Thanos unless it has stores. */
export function discover(more: Partial<DiscoveryOptions> = {}) {
  const world = {
    nowSeconds: 1_000,
    values: ['west', 'east'] as readonly string[] | Promise<readonly string[]> | UpstreamError,
    /** That come with the values. */
    warnings: [] as readonly string[],
    stores: null as Readonly<Record<string, string | null>> | null,
    /** Of each store. */
    storesReplicas: ['a'] as readonly string[],
    /** The label that tells its stores apart. */
    storesLabel: 'replica',
    asked: 0,
    storesAsked: 0,
    /** How many replicas of each cluster its targets tell apart. */
    replicas: {} as Readonly<Record<string, number>>,
    queries: [] as string[],
  }
  const api = {
    async labelValues() {
      world.asked += 1
      if (world.values instanceof UpstreamError) throw world.values
      return { data: await world.values, warnings: world.warnings }
    },
    async query(promql: string) {
      world.queries.push(promql)
      const counts = Object.entries(world.replicas)
      return { data: counts.map(([cluster, value]) => ({ labels: { cluster }, apart: {}, value })), warnings: [] }
    },
    async forward() {
      world.storesAsked += 1
      if (world.stores === null) throw new UpstreamError('malformed', 'HTTP 404')
      const sidecar = Object.entries(world.stores).flatMap(([cluster, lastError]) =>
        world.storesReplicas.map((replica) => ({ lastError, labelSets: [{ cluster, [world.storesLabel]: replica }] })),
      )
      return { state: 'answered', data: { sidecar }, warnings: [], infos: [], bytes: 0 }
    },
  } as unknown as PrometheusApi
  const discovery = new Discovery({
    url: 'http://thanos:10902',
    api,
    clusterLabel: 'cluster',
    replicaLabels: [],
    dedup: true,
    include: [],
    exclude: [],
    rename: {},
    refreshSeconds: 10,
    forgetAfterSeconds: 3_600,
    maxClusters: 100,
    kept: NOT_KEPT,
    clock: () => world.nowSeconds,
    ...more,
  })
  const after = async (seconds: number, change: Partial<typeof world> = {}) => {
    Object.assign(world, change, { nowSeconds: world.nowSeconds + seconds })
    await discovery.refresh(signal)
    return discovery.found().map(({ name, absence }) => (absence() === null ? name : `${name} gone`))
  }
  return { world, discovery, after }
}

/** What outlives a process. */
export function outliving(): Kept<Names> & { held: Names | null } {
  return {
    held: null,
    async load() {
      return this.held
    },
    async save(make) {
      this.held = make()
    },
    async forget() {
      this.held = null
    },
  }
}
