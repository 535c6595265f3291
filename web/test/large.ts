import type { Cluster, Edge, Workload } from '@goldseam/server/contract'
import { edge, golden, snapshot, steady, workload } from './builders.ts'
import { fleet, troubled } from './incident.ts'
import { type Scene, scenes } from './scenes.ts'

const CLUSTERS = ['east', 'west', 'north', 'south', 'lab', 'edge-1', 'edge-2', 'edge-3']
const NAMESPACES = 10
const REFRESH_SECONDS = 3

function calm(cluster: string, index: number, tick: number): Workload {
  const id = `${cluster}/team-${index % NAMESPACES}/service-${String(index).padStart(3, '0')}`
  const seed = index + cluster.length * 100
  // Each refresh moves every number a little, as a live fleet does.
  const moved = 0.95 + 0.1 * steady(seed + tick)
  const rate = 1 + 400 * steady(seed)
  const mean = 0.002 + 0.08 * steady(seed + 7)
  return asSent(workload(id, golden(rate * moved, mean * moved), golden(rate, mean)))
}

/** With as many digits as the server sends to a screen: they are most of the bytes. */
function asSent(row: Workload): Workload {
  const { now, usual, changeRatio, trend } = row
  const { p99Seconds, usualP99Seconds } = trend
  return {
    ...row,
    now: { ...withDigits(now, 6), latencySeconds: withDigits(now.latencySeconds, 5) },
    usual: withDigits(usual, 4),
    changeRatio: withDigits(changeRatio, 4),
    trend: { ...trend, p99Seconds: withDigits(p99Seconds, 2), usualP99Seconds: withDigits(usualP99Seconds, 4) },
  }
}

function withDigits<T>(given: T, digits: number): T {
  const text = JSON.stringify(given, (_, value) =>
    typeof value === 'number' ? Number(value.toPrecision(digits)) : value,
  )
  return JSON.parse(text) as T
}

function clustersOf(count: number): Cluster[] {
  const [model] = fleet.clusters
  if (!model) throw new Error('the incident has clusters')
  return CLUSTERS.map((name) => ({ ...model, name, workloads: count / CLUSTERS.length }))
}

/** The incident among `count` workloads in eight clusters; another `tick` is the same fleet some seconds later. */
export function largeScene(count: number, tick: number): Scene {
  const each = count / CLUSTERS.length
  const rest = CLUSTERS.flatMap((cluster) => Array.from({ length: each }, (_, index) => calm(cluster, index, tick)))
  const at = new Date(Date.parse(snapshot.at) + tick * REFRESH_SECONDS * 1000).toISOString()
  return {
    ...scenes.incident,
    fleet: {
      ...fleet,
      snapshot: { ...snapshot, id: `large-${tick}`, at, refreshSeconds: REFRESH_SECONDS },
      clusters: clustersOf(count),
      workloads: [...troubled, ...rest.slice(0, count - troubled.length)],
    },
  }
}

/** A map of `nodes` workloads that make `calls` calls, in layers as real ones do; a tenth of them cross clusters. */
export function callsScene(nodes: number, calls: number): Scene {
  const scene = largeScene(nodes, 0)
  const ids = scene.fleet.workloads.map(({ id }) => id)
  const edges = new Map<string, Edge>()
  for (let draw = 0; edges.size < calls; draw += 1) {
    const from = Math.floor(steady(draw) * (ids.length - 1))
    const to = Math.min(ids.length - 1, from + 1 + Math.floor(steady(draw + 0.5) * ids.length * 0.4))
    const [caller = '', callee = ''] = [ids[from], ids[to]]
    if (caller !== callee) edges.set(`${caller}~${callee}`, edge(caller, callee, golden(20, 0.02), golden(20, 0.02)))
  }
  return { ...scene, calls: [...edges.values()] }
}
