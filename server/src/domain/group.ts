import type { Assessed } from './assess.ts'
import { addInto } from './columns.ts'
import { type GoldenReading, readGolden, type Truth, type Truths } from './golden.ts'
import { localName } from './identity.ts'
import { mergeLatencies } from './latency-histogram.ts'
import { COUNTED } from './rows.ts'
import type { Situation } from './situation.ts'
import { matchesGlob } from './stitch/glob.ts'
import { emptyTraffic, type Flow, flowAt, type Traffic } from './traffic.ts'

/** What a person said to be one thing. */
export interface GroupWanted {
  readonly name: string
  /** Workload ids, or globs over them, in which `*` stands for any run of characters but `/`. */
  readonly workloads: readonly string[]
}

/** Workloads of several clusters as one: of the same namespace, kind and name, or as somebody put them together. */
export interface WorkloadGroup {
  /** As it was named by who put it together; null where it goes by the name that its workloads have. */
  readonly title: string | null
  /** What is the same of all of them; null where it is not. */
  readonly ref: { readonly namespace: string | null; readonly kind: string | null; readonly name: string }
  readonly members: readonly Assessed[]
  readonly reading: GoldenReading
  /** Boundaries in seconds that only some of the clusters have: percentiles are exact to those that all have. */
  readonly lostBounds: readonly number[]
  /** Age of the oldest part; null when all were just measured. */
  readonly ageSeconds: number | null
  /** Workloads that were named and are not seen anywhere. */
  readonly absent: readonly string[]
}

/**
 * Several flows as one: requests and failures are summed, so that the success ratio is one of counts; the mean is the
 * sum of latencies over the sum of their counts; percentiles come from histograms added up. Nothing is averaged.
 */
export function mergedFlow(parts: readonly Traffic[], step = 0): Flow {
  const flows = parts.map((part) => flowAt(part, step))
  const sum = emptyTraffic(1)
  for (const part of parts) {
    for (const name of COUNTED) addInto(sum[name], part[name].slice(step, step + 1))
  }
  // Older buckets of who is idle now are of requests that are none of the present.
  const telling = flows.filter((flow) => flow.histogramAgeSeconds === undefined || (flow.requestsPerSecond ?? 0) > 0)
  const histograms = telling.flatMap(({ histogram }) => histogram ?? [])
  const ages = telling.flatMap(({ histogram, histogramAgeSeconds = 0 }) =>
    histogram === null ? [] : histogramAgeSeconds,
  )
  const oldest = Math.max(0, ...ages)
  const { merged, lostBounds } = mergeLatencies(histograms)
  const lost = [...new Set([...telling.flatMap((flow) => flow.lostBounds ?? []), ...lostBounds])].sort((a, b) => a - b)
  return {
    ...flowAt(sum, 0),
    histogram: histograms.length === 0 ? null : merged,
    lostBounds: lost,
    ...(oldest > 0 ? { histogramAgeSeconds: oldest } : {}),
  }
}

/**
 * The workloads grouped by namespace, kind and name over the clusters, in the order they are met. Nobody knows what a
 * cluster that tells nothing has of a group, so that without it every sum is a part. `scope`: the clusters that are
 * summed over; null: all.
 */
export function groupsOf(
  situation: Situation,
  workloads: readonly Assessed[],
  scope: ReadonlySet<string> | null = null,
): WorkloadGroup[] {
  const members = new Map<string, Assessed[]>()
  for (const workload of workloads) {
    const { namespace, kind, name } = workload.ref
    const key = `${namespace}/${kind}:${name}`
    members.set(key, [...(members.get(key) ?? []), workload])
  }
  const silent = lacks(situation, (cluster) => scope?.has(cluster) !== false)
  return [...members.values()].map((one) => {
    const group = groupOf(situation, one)
    return silent ? { ...group, reading: partial(group.reading) } : group
  })
}

/**
 * The workloads as they were put together, whatever they are called. Never by name alone: two services that happen to
 * have one name in two clusters are two, unless somebody says otherwise.
 */
export function groupsWanted(
  situation: Situation,
  workloads: readonly Assessed[],
  wanted: readonly GroupWanted[],
): WorkloadGroup[] {
  const all = [...situation.assessment.workloads.values()]
  return wanted.flatMap(({ name, workloads: patterns }) => {
    const belongs = ({ id }: Assessed) => patterns.some((pattern) => matchesId(pattern, id))
    const members = workloads.filter(belongs)
    if (members.length === 0 && all.some(belongs)) return []
    const absent = patterns.filter((pattern) => !all.some(({ id }) => matchesId(pattern, id)))
    const group = groupOf(situation, members)
    const silent = lacks(situation, (cluster) =>
      patterns.some((pattern) => matchesGlob(pattern.split('/', 1)[0] ?? '', cluster)),
    )
    return [{ ...group, title: name, reading: silent ? partial(group.reading) : group.reading, absent }]
  })
}

/** Whether nothing is known of a cluster that would have a part in a sum. */
function lacks({ clusters }: Situation, hasPart: (cluster: string) => boolean): boolean {
  return [...clusters.values()].some(({ name, state }) => state === 'missing' && hasPart(name))
}

function matchesId(pattern: string, id: string): boolean {
  const [globs, parts] = [pattern.split('/'), id.split('/')]
  return globs.length === parts.length && globs.every((glob, index) => matchesGlob(glob, parts[index] ?? ''))
}

function groupOf({ clusters, windowSeconds }: Situation, members: readonly Assessed[]): WorkloadGroup {
  const [first] = members
  const parts = members.flatMap(({ id, ref }) => clusters.get(ref.cluster)?.now?.inbound.get(id)?.total ?? [])
  const flow = mergedFlow(parts)
  const states = members.map(({ ref }) => clusters.get(ref.cluster)?.state)
  const reading = readGolden(flow, { windowSeconds, seen: members.length > 0, stale: states.includes('stale') })
  const shared = (part: 'namespace' | 'kind') =>
    first !== undefined && members.every(({ ref }) => ref[part] === first.ref[part]) ? first.ref[part] : null
  return {
    title: null,
    ref: {
      namespace: shared('namespace'),
      kind: shared('kind'),
      name: first === undefined ? '' : localName(first.ref),
    },
    members,
    reading,
    lostBounds: flow.lostBounds ?? [],
    ageSeconds: states.includes('stale') ? Math.max(...members.map(({ ageSeconds }) => ageSeconds)) : null,
    absent: [],
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
