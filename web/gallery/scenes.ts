import type { Cluster, Fleet, Truth, Workload } from '@goldseam/server/contract'
import { X } from '../test/incident.ts'
import { type Scene, scenes } from '../test/scenes.ts'

const { incident, partial, quiet } = scenes

const wordless: Fleet['verdict'] = { ...partial.fleet.verdict, subject: null, suspect: null, since: null }
const saying = (text: string): Fleet['verdict'] => ({ ...wordless, text })

/** The same head in every answer of a scene: clusters, what is missing, the sentence. */
function withHead(scene: Scene, head: Partial<Pick<Fleet, 'clusters' | 'gaps' | 'verdict' | 'suspects'>>): Scene {
  const { clusters = scene.fleet.clusters, suspects, ...rest } = head
  const told = suspects === undefined ? {} : { suspects }
  return {
    ...scene,
    fleet: { ...scene.fleet, ...rest, ...told, clusters },
    detail: { ...scene.detail, ...rest, ...told, clusters },
    suspects: { ...scene.suspects, ...rest, ...told, clusters },
    clusters: {
      ...scene.clusters,
      ...rest,
      clusters: scene.clusters.clusters.map((status) => ({
        ...status,
        ...clusters.find(({ name }) => name === status.name),
      })),
    },
  }
}

/** Nothing is wrong: in the argument and in the clusters' page, too. */
export const calmScene: Scene = (() => {
  const { clusters, gaps, verdict } = quiet.fleet
  const calm = withHead(quiet, { clusters, gaps, verdict, suspects: [] })
  const nobody = { contributions: [], cleared: [], cannotJudge: [], problems: [], deltaSeconds: null }
  return { ...calm, suspects: { ...calm.suspects, ...nobody } }
})()

function stale(workload: Workload, ageSeconds: number): Workload {
  const aged = (truth: Truth): Truth => (truth === 'noTraffic' || truth === 'neverSeen' ? truth : 'stale')
  const truths = Object.fromEntries(Object.entries(workload.truths).map(([name, truth]) => [name, aged(truth)]))
  return {
    ...workload,
    truth: 'stale',
    truths: { ...workload.truths, ...truths },
    ageSeconds,
    health: 'none',
    suspectRank: null,
    via: null,
    own: { ...workload.own, share: null, reason: 'the numbers are old' },
  }
}

const silent = (cluster: Cluster, ageSeconds: number, state: Cluster['state'] = 'stale'): Cluster => ({
  ...cluster,
  state,
  ageSeconds: state === 'down' ? null : ageSeconds,
  percentilesAgeSeconds: state === 'down' ? null : ageSeconds,
  reason: 'timeout after 5 s',
})
const silence = (cluster: string): Fleet['gaps'][number] => ({
  cluster,
  what: 'inbound responses',
  why: 'timeout',
  detail: 'timeout after 5 s',
  since: '2026-11-21T03:29:00Z',
})

const AGE_SECONDS = 120
const old = withHead(incident, {
  clusters: incident.fleet.clusters.map((cluster) => silent(cluster, AGE_SECONDS)),
  gaps: incident.fleet.clusters.map(({ name }) => silence(name)),
  verdict: saying('No cluster has answered for 2 min: nothing can be said about now.'),
  suspects: [],
})

/** Every cluster silent for two minutes; its last good values. */
export const staleScene: Scene = {
  ...old,
  fleet: { ...old.fleet, workloads: old.fleet.workloads.map((workload) => stale(workload, AGE_SECONDS)) },
  detail: { ...old.detail, workload: stale(old.detail.workload, AGE_SECONDS) },
  suspects: { ...old.suspects, contributions: [], cleared: [], cannotJudge: [], problems: [], deltaSeconds: null },
}

/** West has answered nothing at all; what east sees is left. */
export const partialScene: Scene = {
  ...withHead(partial, { suspects: [] }),
  suspects: {
    ...incident.suspects,
    clusters: partial.fleet.clusters,
    gaps: partial.fleet.gaps,
    verdict: partial.fleet.verdict,
    suspects: incident.suspects.suspects.map((suspect) => ({ ...suspect, word: 'weak' as const })),
    cannotJudge: [{ id: 'west/stock/catalog', why: 'west does not answer' }],
  },
  clusters: withHead(partial, {
    clusters: partial.fleet.clusters.map((cluster) => (cluster.name === 'west' ? silent(cluster, 0, 'down') : cluster)),
  }).clusters,
}

/** Few requests before the change, and a store behind east's endpoint that does not answer. */
export const doubtfulScene: Scene = (() => {
  const { detail } = incident
  const { series } = detail
  const clusters = detail.clusters.map((cluster) =>
    cluster.name === 'east'
      ? { ...cluster, state: 'partial' as const, reason: 'partial response: store-3 does not answer' }
      : cluster,
  )
  const percentileSamples = series.requestsPerSecond.map((rate) => rate && Math.round(rate * 40))
  const enoughFor = percentileSamples.map((count) => ((count ?? 0) < 1_000 ? 2 : 3))
  return { ...incident, detail: { ...detail, clusters, series: { ...series, percentileSamples, enoughFor } } }
})()

/** Clusters that answer and have no mesh's metrics. */
export const meshlessScene: Scene = (() => {
  const clusters = incident.fleet.clusters.map((cluster) => ({ ...cluster, workloads: 0, dialects: [] }))
  const bare = withHead(incident, { clusters, suspects: [], verdict: saying('No service metrics were found.') })
  return { ...bare, fleet: { ...bare.fleet, workloads: [] }, calls: [] }
})()

const [LONG_AGO, ITS_END] = ['2026-08-01T10:00:00Z', '2026-08-01T10:30:00Z']
/** The address of a moment that no Prometheus remembers. */
export const FORGOTTEN = `from=${LONG_AGO}&to=${ITS_END}`

/** A moment that no Prometheus remembers: they answer, with nothing. */
export const forgottenScene: Scene = {
  ...meshlessScene,
  fleet: {
    ...meshlessScene.fleet,
    snapshot: { ...meshlessScene.fleet.snapshot, at: ITS_END, compare: null },
    verdict: saying('Nothing is known of this window.'),
  },
}

const idle = quiet.fleet.workloads.find(({ id }) => id === 'west/mailing/letters') ?? quiet.detail.workload
export const IDLE = idle.id

/** A workload that nobody calls any more. */
export const idleScene: Scene = {
  ...quiet,
  detail: {
    ...quiet.detail,
    workload: idle,
    callers: [],
    alerts: [],
    goals: [],
    dependencies: { ...quiet.detail.dependencies, ...idOf(idle), workload: idle, children: [], deltaSeconds: null },
    series: silentSeries(quiet.detail.series),
  },
}

function idOf({ id, cluster, namespace, name }: Workload) {
  return { id, cluster, namespace, name }
}

function silentSeries(series: Scene['detail']['series']): Scene['detail']['series'] {
  const none = series.at.map(() => null)
  return {
    ...series,
    requestsPerSecond: series.at.map(() => 0),
    ...{ successRatio: none, inFlight: none, mean: none, p50: none, p95: none, p99: none, p999: none },
  }
}

/** Something slow, and nothing that is measured explains it. */
export const unexplainedScene: Scene = withHead(incident, {
  suspects: [],
  verdict: {
    ...saying('Something is off in shop/storefront (p99 x7.7), and nothing that is measured explains it.'),
    subject: X,
  },
})
