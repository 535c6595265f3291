import { type Alerts, type Problem, Workload } from '@goldseam/server/contract'
import { firing, unjoined } from './alerts.ts'
import { clusterAnswer } from './cluster.ts'
import { failoverOf, outlooksOf } from './failover.ts'
import { linkAnswer, madeLink, tools } from './links.ts'
import { compareOf, compareSideOf, partOf } from './parts.ts'
import type { Scene } from './scenes.ts'
import { tableOf } from './table.ts'
import { topologyOf } from './topology.ts'

/** The fixture server's reply to one path of the API. */
export function answer(
  scene: Scene,
  pathname: string,
  params = new URLSearchParams(),
): { status: number; body: unknown } {
  const path = decodeURIComponent(pathname)
  if (path === '/api/v1/fleet') return { status: 200, body: fleetOf(scene, params) }
  if (path === '/api/v1/topology') return { status: 200, body: topologyOf(scene) }
  if (path === '/api/v1/clusters') return { status: 200, body: scene.clusters }
  if (path.startsWith('/api/v1/clusters/')) return clusterAnswer(scene, path.slice('/api/v1/clusters/'.length))
  if (path === '/api/v1/suspects') return { status: 200, body: scene.suspects }
  if (path === '/api/v1/tools') return { status: 200, body: { tools } }
  if (path === '/api/v1/links') return { status: 201, body: madeLink }
  if (path.startsWith('/api/v1/links/')) return linkAnswer(path.slice('/api/v1/links/'.length))
  if (path === '/api/v1/alerts') return { status: 200, body: alertsIn(scene) }
  if (path === '/api/v1/failover/clusters') return { status: 200, body: outlooksOf(scene) }
  if (path === '/api/v1/failover') return { status: 200, body: failoverOf(scene, params) }
  const nowhere = unknownSide(scene, path, params)
  if (nowhere !== null) return { status: 400, body: nowhere }
  if (path === '/api/v1/compare') return { status: 200, body: compareOf(scene, params) }
  if (path === '/api/v1/compare/side') return { status: 200, body: compareSideOf(scene, params) }
  const [, id = path, part] =
    /^\/api\/v1\/workloads\/(.+?)(?:\/(heatmap|intervals|pods|events|queries))?$/.exec(path) ?? []
  const workload = scene.fleet.workloads.find((candidate) => candidate.id === id)
  if (!workload) return { status: 404, body: notFound(id, scene) }
  if (part !== undefined) return { status: 200, body: partOf(scene, workload, part) }
  if (id === scene.detail.workload.id) return { status: 200, body: scene.detail }
  const bare = {
    ...scene.detail.dependencies,
    ...workload,
    edge: null,
    workload,
    children: [],
    suspect: workload.suspectRank !== null,
  }
  const { cluster, namespace, name } = workload
  const dependencies = {
    ...bare,
    kind: 'workload',
    cluster,
    namespace,
    name,
    share: workload.own.share,
    deltaSeconds: null,
  }
  return {
    status: 200,
    body: {
      ...scene.detail,
      workload,
      callers: [],
      dependencies,
      suspects: workload.suspectRank ? scene.fleet.suspects : [],
    },
  }
}

function alertsIn({ fleet: { snapshot, clusters, gaps, verdict } }: Scene): Alerts {
  const sources = clusters.map(({ name, state }) => ({
    cluster: name,
    state: state === 'ok' ? ('told' as const) : ('unknown' as const),
  }))
  return { snapshot, clusters, gaps, verdict, alerts: verdict.form === 'quiet' ? [] : [unjoined, ...firing], sources }
}

/** A side that names no cluster here is refused, with both sides or alone. */
function unknownSide({ fleet }: Scene, path: string, params: URLSearchParams): Problem | null {
  const known = fleet.clusters.map(({ name }) => name)
  const asked =
    path === '/api/v1/compare' ? ['a', 'b'] : path === '/api/v1/compare/side' ? [params.get('side') ?? ''] : []
  const wrong = asked.find((side) => !['*', ...known].includes((params.get(side) ?? '*').split(/[/@]/)[0] ?? ''))
  if (wrong === undefined) return null
  const detail = `cluster ${params.get(wrong)} is not configured here (known: ${known.join(', ')})`
  return { type: '/problems/invalid-request', title: 'Invalid request', status: 400, detail }
}

function notFound(id: string, scene: Scene): Problem {
  return {
    type: 'about:blank',
    title: 'No such workload',
    status: 404,
    detail: `No series for ${id} in this window.`,
    near: scene.fleet.workloads.slice(0, 3).map((workload) => workload.id),
  }
}

function fleetOf({ fleet }: Scene, params: URLSearchParams): object {
  const first = Number(params.get('first') ?? fleet.workloads.length)
  const more = fleet.workloads.length - first
  const shown = more <= 0 ? fleet : { ...fleet, workloads: fleet.workloads.slice(0, first), more }
  return params.get('as') === 'table' ? { ...shown, workloads: tableOf(Workload, shown.workloads) } : shown
}
