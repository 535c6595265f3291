import { alerts } from './alerts.ts'
import { cluster } from './cluster-detail.ts'
import { clusters } from './clusters.ts'
import { compare, compareSide } from './compare.ts'
import { failover, outlooks } from './failover.ts'
import { fleet } from './fleet.ts'
import { link } from './links.ts'
import { suspects } from './suspects.ts'
import { tools } from './tools.ts'
import { topology } from './topology.ts'
import { workload } from './workload.ts'
import { events, heatmap, intervals, pods, queries } from './workload-parts.ts'

export * from './alerts.ts'
export * from './cluster-detail.ts'
export * from './clusters.ts'
export * from './compare.ts'
export * from './endpoint.ts'
export * from './explore.ts'
export * from './failover.ts'
export * from './fleet.ts'
export * from './goals.ts'
export * from './golden.ts'
export * from './links.ts'
export * from './mesh.ts'
export * from './own.ts'
export * from './problem.ts'
export * from './scope.ts'
export * from './snapshot.ts'
export * from './suspects.ts'
export * from './table.ts'
export * from './tools.ts'
export * from './topology.ts'
export * from './wall.ts'
export * from './workload.ts'
export * from './workload-parts.ts'

/** Every endpoint of `/api/v1`, by name. */
export const endpoints = {
  alerts,
  cluster,
  clusters,
  compare,
  compareSide,
  events,
  failover,
  fleet,
  heatmap,
  intervals,
  link,
  outlooks,
  pods,
  queries,
  suspects,
  tools,
  topology,
  workload,
} as const
