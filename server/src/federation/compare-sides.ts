import { addTraffic } from '../domain/add-traffic.ts'
import type { Axis } from '../domain/baseline.ts'
import { parseWorkloadId } from '../domain/identity.ts'
import { versionOf } from '../domain/pod-balance.ts'
import { emptyTraffic, type Traffic } from '../domain/traffic.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import { bucketAxis } from './bucket-steps.ts'
import type { ClusterReader } from './cluster-reader.ts'
import type { Gap } from './snapshot.ts'
import { inboundIn, podTraffics } from './workload-parts.ts'

/** What a side is of; seconds are unix. */
export interface SideWanted {
  readonly clusters: readonly string[]
  readonly namespace: string | null
  readonly name: string | null
  readonly version: string | null
  readonly fromSeconds: number
  readonly toSeconds: number
}

/** One workload of a side. */
export interface SideMember {
  readonly id: string
  /** Requests, failures and time in fine steps. */
  readonly rates: Traffic
  /** Latency buckets in coarser steps; null where they are not to be had. */
  readonly buckets: Traffic | null
}

export interface SideRead {
  readonly wanted: SideWanted
  readonly rateAxis: Axis
  readonly bucketAxis: Axis
  readonly members: readonly SideMember[]
  /** Clusters that did not answer. */
  readonly missing: readonly string[]
  /** Clusters that answered, but for their latency buckets. */
  readonly withoutPercentiles: readonly string[]
  readonly gaps: readonly Gap[]
}

const PERCENTILES = 'percentiles of a comparison'
/** More steps than these are not told apart in a chart. */
const MOST_STEPS = 240

/** Reads one side from all its clusters. Never rejects for what a cluster does: it becomes a gap. */
export async function readSide(
  readers: readonly ClusterReader[],
  wanted: SideWanted,
  windowSeconds: number,
  signal: AbortSignal,
): Promise<SideRead> {
  const { fromSeconds, toSeconds } = wanted
  const stepSeconds = Math.max(windowSeconds / 4, Math.ceil((toSeconds - fromSeconds) / MOST_STEPS))
  const steps = Math.max(2, Math.floor((toSeconds - fromSeconds) / stepSeconds) + 1)
  const rateAxis: Axis = { fromSeconds: toSeconds - (steps - 1) * stepSeconds, stepSeconds, steps }
  const mine = readers.filter(({ name }) => wanted.clusters.includes(name))
  const busiest = Math.max(0, ...mine.map((reader) => reader.lanes.bucketSeries(windowSeconds)))
  // One axis for all its clusters, or their sums would be of different instants.
  const coarse = bucketAxis(wanted, windowSeconds, busiest)
  const stretch = { windowSeconds: Math.max(windowSeconds, stepSeconds), axis: rateAxis }
  const read = await Promise.all(
    mine.map((reader) =>
      wanted.version === null
        ? clusterOf(reader, wanted, stretch, { windowSeconds, coarse }, signal)
        : podsOf(reader, wanted, stretch, signal),
    ),
  )
  const gaps = read.flatMap((one) => one.gaps)
  const ofVersion = wanted.version !== null
  return {
    wanted,
    rateAxis,
    bucketAxis: ofVersion ? rateAxis : coarse,
    members: read.flatMap(({ members }) => members),
    missing: gaps.flatMap(({ cluster, what }) => (what === PERCENTILES ? [] : [cluster])),
    withoutPercentiles: gaps.flatMap(({ cluster, what }) => (what === PERCENTILES ? [cluster] : [])),
    gaps,
  }
}

type ReadOne = Pick<SideRead, 'members' | 'gaps'>
type Stretch = { readonly windowSeconds: number; readonly axis: Axis }

async function clusterOf(
  reader: ClusterReader,
  wanted: SideWanted,
  stretch: Stretch,
  over: { windowSeconds: number; coarse: Axis },
  signal: AbortSignal,
): Promise<ReadOne> {
  const { coarse, windowSeconds } = over
  const [rates, buckets] = await Promise.all([
    reader.past.rates({ ...stretch, live: false }, reader.fastSeries, signal),
    reader.past.bucketsOn({ windowSeconds, live: false }, coarse, reader.lanes.bucketSeries(windowSeconds), signal),
  ])
  const gap = (what: string, { kind, message }: UpstreamError): Gap => ({
    cluster: reader.name,
    what,
    why: kind,
    detail: message,
    sinceSeconds: wanted.toSeconds,
  })
  if ('error' in rates) return { members: [], gaps: [gap('comparison', rates.error)] }
  const found = rates.observation === null ? [] : inboundIn(rates.observation, wanted)
  const bucketsOf = (id: string) => ('error' in buckets ? null : (buckets.observation.inbound.get(id)?.total ?? null))
  return {
    members: found.map(({ id, traffic }) => ({ id, rates: traffic, buckets: bucketsOf(id) })),
    gaps: 'error' in buckets ? [gap(PERCENTILES, buckets.error)] : [],
  }
}

/** The pods of one version of one workload, added up. */
async function podsOf(
  reader: ClusterReader,
  { namespace, name, version }: SideWanted,
  stretch: Stretch,
  signal: AbortSignal,
): Promise<ReadOne> {
  const id = `${reader.name}/${namespace}/${name}`
  const ref = parseWorkloadId(id)
  if (ref === undefined) return { members: [], gaps: [] }
  const { pods, gaps } = await podTraffics(reader, ref, stretch, signal)
  const sum = emptyTraffic(stretch.axis.steps)
  const mine = pods.filter((pod) => versionOf(pod.name, ref.name) === version)
  for (const { traffic } of mine) addTraffic(sum, traffic)
  return { members: mine.length === 0 ? [] : [{ id, rates: sum, buckets: sum }], gaps }
}
