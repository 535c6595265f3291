import type { ClusterStatus } from '../contract/index.ts'
import type { ClusterReader } from '../federation/cluster-reader.ts'

/** What a cluster's endpoints cost together, and how often it is therefore asked. */
export function presentLoad(
  endpoints: ReturnType<ClusterReader['endpoints']>,
  pace: ClusterReader['lanes']['pace'] | undefined,
): ClusterStatus['load'] {
  return {
    querySecondsPerSecond: endpoints.reduce((sum, { querySecondsPerSecond }) => sum + querySecondsPerSecond, 0),
    maxLoad: pace?.maxLoad ?? 0,
    refreshSeconds: pace?.refreshSeconds ?? 0,
    bucketRefreshSeconds: pace?.bucketRefreshSeconds ?? 0,
    stretched: pace?.why ?? null,
  }
}
