import type { Clusters, DependencyNode, Edge, Fleet, Suspects, WorkloadDetail } from '@goldseam/server/contract'
import { golden, truthsOf } from './builders.ts'
import { B, fleet, troubled } from './incident.ts'
import { clusterStatus, detail, suspects } from './incident-detail.ts'

/** Everything the server would say at one moment. */
export interface Scene {
  readonly fleet: Fleet
  readonly detail: WorkloadDetail
  readonly suspects: Suspects
  readonly clusters: Clusters
  /** Calls of the map, where they are not those of the dependency tree. */
  readonly calls?: readonly Edge[]
}

const incident: Scene = { fleet, detail, suspects, clusters: clusterStatus }

const allQuiet: Fleet['verdict'] = {
  form: 'quiet',
  text: 'All quiet. 24 deployments in 2 clusters within their usual range.',
  subject: null,
  suspect: null,
  since: null,
  word: null,
  seenTrouble: { last: '2026-11-20T23:31:10Z', lookingSince: '2026-11-20T20:02:00Z' },
}

const calmWorkloads = fleet.workloads.map((workload) => ({
  ...workload,
  now: workload.health === 'none' ? workload.now : workload.usual,
  health: workload.health === 'none' ? ('none' as const) : ('ok' as const),
  change: '' as const,
  changeRatio: 1,
  suspectRank: null,
  via: null,
  own: { ...workload.own, share: null, seconds: null, of: null },
  trend: { ...workload.trend, p99Seconds: workload.trend.p99Seconds.slice(0, 24) },
}))

/** What the configuration put together: a part in each cluster, and one that nobody sees. */
const groups: Fleet['groups'] = [
  {
    namespace: null,
    kind: 'deployment',
    name: 'profiles',
    by: 'config',
    clusters: ['east', 'west'],
    ids: ['east/accounts/profile', 'west/ship/rates'],
    absent: ['west/accounts/profile'],
    truth: 'value',
    truths: truthsOf(golden(155, 0.022)),
    bounds: { p50: null, p95: null, p99: null, p999: null },
    now: golden(155, 0.022),
    lostBoundsSeconds: [],
    ageSeconds: null,
  },
]

const nobody = { ...suspects, suspects: [], contributions: [], cleared: [], cannotJudge: [], problems: [], entries: [] }

const quiet: Scene = {
  ...incident,
  fleet: { ...fleet, verdict: allQuiet, suspects: [], workloads: calmWorkloads, groups },
  suspects: {
    ...nobody,
    verdict: allQuiet,
    margin: { id: 'east/pay/ledger', share: 0.82, text: 'pay/ledger (east), mean 40 ms at 82 % of its limit (49 ms)' },
  },
  detail: {
    ...detail,
    verdict: allQuiet,
    suspects: [],
    workload: { ...(calmWorkloads[0] ?? detail.workload), pods: null },
    limits: [{ about: 'pods', text: 'recorded series do not tell pods apart' }],
    callers: detail.callers.map((caller, index) =>
      index > 0
        ? caller
        : {
            ...caller,
            caller: null,
            callee: null,
            tcp: { bytesPerSecondIn: 500, bytesPerSecondOut: 2_000, openConnections: 5 },
          },
    ),
    deltaSeconds: 0,
    dependencies: {
      ...detail.dependencies,
      onSuspectPath: false,
      share: null,
      children: detail.dependencies.children.map((child) => ({
        ...child,
        onSuspectPath: false,
        share: null,
        children: [],
      })),
    },
  },
}

const unknown: Fleet['verdict'] = {
  form: 'unknown',
  text: 'Something is off in shop/storefront (p99 x7.7), but I cannot say why: west has not answered for 40 s.',
  subject: 'east/shop/storefront',
  suspect: null,
  since: '2026-11-21T03:12:40Z',
  word: null,
}

const halfClusters: Fleet['clusters'] = fleet.clusters.map((cluster) =>
  cluster.name === 'west' ? { ...cluster, state: 'stale', ageSeconds: 40, reason: 'timeout after 5 s' } : cluster,
)
const gaps: Fleet['gaps'] = [
  {
    cluster: 'west',
    what: 'inbound responses',
    why: 'timeout',
    detail: 'timeout after 5 s',
    since: '2026-11-21T03:30:30Z',
  },
]

const halfWorkloads = fleet.workloads.map((workload) => {
  const calm = {
    ...workload,
    suspectRank: null,
    via: null,
    own: { ...workload.own, share: null, reason: 'west does not answer' },
  }
  if (workload.cluster !== 'west') return calm
  const truths = Object.fromEntries(
    Object.entries(workload.truths).map(([name, truth]) => [name, truth === 'value' ? 'stale' : truth]),
  )
  return {
    ...calm,
    truth: 'stale' as const,
    truths: { ...workload.truths, ...truths },
    ageSeconds: 40,
    health: 'none' as const,
  }
})

/** West has been silent for a while: what is known of it is what it said last, and its breaker is open. */
const halfStatus: Clusters = {
  ...clusterStatus,
  gaps,
  verdict: unknown,
  clusters: clusterStatus.clusters.map((cluster) =>
    cluster.name === 'west'
      ? {
          ...cluster,
          state: 'stale',
          ageSeconds: 40,
          reason: 'timeout after 5 s',
          clockSkewSeconds: -4.2,
          endpoints: cluster.endpoints.map((endpoint) => ({
            ...endpoint,
            state: 'failing' as const,
            reason: 'no answer within 5 s; raise limits.queryTimeout or look at its load',
            lastAnswerAt: '2026-11-21T03:30:30Z',
            breaker: { state: 'open' as const, nextTryAt: '2026-11-21T03:31:25Z' },
          })),
        }
      : cluster,
  ),
}

/** Of one what it said last is still there, of the others nothing is. */
function silentEnd({ id, edge }: DependencyNode): Pick<DependencyNode, 'workload' | 'edge'> {
  if (id !== B) return { workload: null, edge: edge && { ...edge, callee: null, seenFrom: 'caller' } }
  const ages = { ageSeconds: 40, callerAgeSeconds: null, calleeAgeSeconds: 40 }
  return { workload: halfWorkloads.find((workload) => workload.id === id) ?? null, edge: edge && { ...edge, ...ages } }
}

const partial: Scene = {
  ...incident,
  clusters: halfStatus,
  fleet: { ...fleet, clusters: halfClusters, gaps, verdict: unknown, suspects: [], workloads: halfWorkloads },
  detail: {
    ...detail,
    clusters: halfClusters,
    gaps,
    verdict: unknown,
    suspects: [],
    workload: halfWorkloads[0] ?? detail.workload,
    dependencies: {
      ...detail.dependencies,
      children: detail.dependencies.children.map((child) =>
        child.cluster === 'west' ? { ...child, children: [], share: null, ...silentEnd(child) } : child,
      ),
    },
  },
}

const empty: Scene = {
  ...incident,
  fleet: {
    ...fleet,
    clusters: [],
    workloads: [],
    suspects: [],
    verdict: { ...allQuiet, seenTrouble: undefined, form: 'unknown', text: 'No clusters are configured.' },
  },
  clusters: { ...clusterStatus, clusters: [], unresolved: [] },
}

/** More rows than are drawn at once. */
const many: Scene = {
  ...incident,
  fleet: {
    ...fleet,
    workloads: Array.from({ length: 20 }, (_, copy) =>
      copy === 0
        ? fleet.workloads
        : fleet.workloads
            .filter((workload) => !troubled.includes(workload) && workload.health === 'ok')
            .map((workload) => ({ ...workload, id: `${workload.id}-${copy}`, name: `${workload.name}-${copy}` })),
    ).flat(),
  },
}

export const scenes = { incident, quiet, partial, empty, many } as const
export type SceneName = keyof typeof scenes
