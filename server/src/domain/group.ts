import type { Assessed } from './assess.ts'
import { addInto } from './columns.ts'
import { type GoldenReading, readGolden, type Truth, type Truths } from './golden.ts'
import type { WorkloadRef } from './identity.ts'
import { mergeLatencies } from './latency-histogram.ts'
import type { Situation } from './situation.ts'
import { emptyTraffic, type Flow, flowAt, type Traffic } from './traffic.ts'

/** One workload as it runs in several clusters: same namespace, kind and name. */
export interface WorkloadGroup {
  readonly ref: Omit<WorkloadRef, 'cluster'>
  readonly members: readonly Assessed[]
  readonly reading: GoldenReading
  /** Boundaries in seconds that only some of the clusters have: percentiles are exact to those that all have. */
  readonly lostBounds: readonly number[]
  /** Age of the oldest part; null when all were just measured. */
  readonly ageSeconds: number | null
}

/**
 * Several flows as one: requests and failures are summed, so that the success ratio is one of counts; the mean is the
 * sum of latencies over the sum of their counts; percentiles come from histograms added up. Nothing is averaged.
 */
export function mergedFlow(parts: readonly Traffic[], step = 0): Flow {
  const flows = parts.map((part) => flowAt(part, step))
  const sum = emptyTraffic(1)
  for (const part of parts) {
    for (const name of ['success', 'failures', 'latencySeconds', 'latencyCount'] as const) {
      addInto(sum[name], part[name].slice(step, step + 1))
    }
  }
  const histograms = flows.flatMap(({ histogram }) => histogram ?? [])
  const { merged, lostBounds } = mergeLatencies(histograms)
  const lost = [...new Set([...flows.flatMap((flow) => flow.lostBounds ?? []), ...lostBounds])].sort((a, b) => a - b)
  return { ...flowAt(sum, 0), histogram: histograms.length === 0 ? null : merged, lostBounds: lost }
}

/** The workloads grouped by namespace, kind and name over the clusters, in the order they are met. */
export function groupsOf(situation: Situation, workloads: readonly Assessed[]): WorkloadGroup[] {
  const members = new Map<string, Assessed[]>()
  for (const workload of workloads) {
    const { namespace, kind, name } = workload.ref
    const key = `${namespace}/${kind}:${name}`
    members.set(key, [...(members.get(key) ?? []), workload])
  }
  return [...members.values()].flatMap((group) => groupOf(situation, group) ?? [])
}

function groupOf({ clusters, windowSeconds }: Situation, members: readonly Assessed[]): WorkloadGroup | null {
  const [first] = members
  if (first === undefined) return null
  const parts = members.flatMap(({ id, ref }) => clusters.get(ref.cluster)?.now?.inbound.get(id)?.total ?? [])
  const flow = mergedFlow(parts)
  const states = members.map(({ ref }) => clusters.get(ref.cluster)?.state)
  const reading = readGolden(flow, { windowSeconds, seen: true, stale: states.includes('stale') })
  const { namespace, kind, name } = first.ref
  return {
    ref: { namespace, kind, name },
    members,
    reading: states.includes('missing') ? partial(reading) : reading,
    lostBounds: flow.lostBounds ?? [],
    ageSeconds: states.includes('stale') ? Math.max(...members.map(({ ageSeconds }) => ageSeconds)) : null,
  }
}

/** A sum that lacks a cluster is no total; what is unknown or old already says something graver. */
function partial(reading: GoldenReading): GoldenReading {
  const lessen = (truth: Truth): Truth => (truth === 'stale' || truth === 'neverSeen' ? truth : 'partial')
  const truths = Object.fromEntries(
    Object.entries(reading.truths).map(([name, truth]) => [name, lessen(truth)]),
  ) as Truths
  return { ...reading, truths, truth: lessen(reading.truth) }
}
