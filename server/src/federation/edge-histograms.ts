import type { MeasuredEdge } from '../domain/graph-of.ts'
import { parseWorkloadId, type WorkloadRef } from '../domain/identity.ts'
import { type LatencyHistogram, mergeLatencies } from '../domain/latency-histogram.ts'
import { flowAt } from '../domain/traffic.ts'
import type { ClusterReader } from './cluster-reader.ts'
import type { Gap, Snapshot } from './snapshot.ts'

/** Edge id -> the caller's latency buckets; what could not be asked is a gap. */
export interface EdgeHistograms {
  readonly byEdge: ReadonlyMap<string, LatencyHistogram>
  readonly gaps: readonly Gap[]
}

/**
 * The callers' latency buckets of the edges on screen: one question per cluster, at the snapshot's own instant.
 * Clusters that do not answer at present are not asked.
 */
export async function edgeHistograms(
  readers: readonly ClusterReader[],
  snapshot: Snapshot,
  edges: readonly MeasuredEdge[],
  signal: AbortSignal,
): Promise<EdgeHistograms> {
  const { clusters } = snapshot.situation
  const byEdge = new Map<string, LatencyHistogram>()
  const gaps: Gap[] = []
  await Promise.all(
    readers.map(async (reader) => {
      const mine = edges.filter(({ edge }) => edge.callerCluster === reader.name)
      const callers = callersOf(mine)
      if (callers.length === 0 || clusters.get(reader.name)?.state !== 'current') return
      const observation = await reader.lanes.edgeBuckets(callers, snapshot, signal)
      if ('error' in observation) {
        const { kind, message } = observation.error
        gaps.push({
          cluster: reader.name,
          what: 'percentiles of calls',
          why: kind,
          detail: message,
          sinceSeconds: snapshot.atSeconds,
        })
        return
      }
      for (const { edge } of mine) {
        const parts = edge.callerFlows.flatMap(({ key }) => {
          const flow = observation.outbound.get(key)
          const histogram = flow === undefined ? null : flowAt(flow.traffic, 0).histogram
          return histogram === null ? [] : [histogram]
        })
        if (parts.length > 0) byEdge.set(edge.id, mergeLatencies(parts).merged)
      }
    }),
  )
  return { byEdge, gaps }
}

function callersOf(edges: readonly MeasuredEdge[]): WorkloadRef[] {
  const ids = new Set(edges.map(({ edge }) => edge.from))
  return [...ids].flatMap((id) => parseWorkloadId(id) ?? [])
}
