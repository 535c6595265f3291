import { random } from './random.ts'
import { STALE, type TimeSeries } from './remote-write.ts'

export const BOUNDS = [1, 2, 3, 4, 5, 10, 20, 30, 40, 50, 100, 200, 300, 400, 500, 1e3, 2e3, 3e3, 4e3, 5e3, 1e4, 5e4]
const NAMESPACES = ['one', 'two', 'three']
const WORKLOADS_PER_NAMESPACE = 10
const KINDS = ['deployment', 'deployment', 'statefulset', 'k8s_job']

/** When the world is seen: samples lie up to 0.4 s behind each whole step, so that no window's edge ever meets one. */
export interface Timeline {
  readonly startSeconds: number
  readonly stepSeconds: number
  readonly steps: number
}

export interface WorldOptions {
  /** Who calls whom, in namespaces of its own: the same in all clusters. */
  readonly graphSeed: number
  /** What was measured: another in each. */
  readonly seed: number
  readonly timeline: Timeline
  /** Prometheus 2 keeps `1` where 3 stores `1.0`. */
  readonly le: (bound: number) => string
  /** Drawn once, moved by this: a second replica scrapes the same counters at other moments. */
  readonly delayMs?: number
}

interface Workload {
  readonly namespace: string
  readonly kind: string
  readonly name: string
}

interface Call {
  readonly from: Workload
  readonly to: Workload
}

/** Counters of one flow at one pod: what Linkerd's proxy counts, as numbers over the steps. */
interface Counters {
  readonly success: number[]
  readonly failure: number[]
  readonly sumMs: number[]
  readonly buckets: number[][]
}

export interface World {
  readonly series: readonly TimeSeries[]
  /** What the world holds of each oddity, so that tests can tell that they met it. */
  readonly met: { readonly resets: number; readonly idle: number; readonly ended: number; readonly calls: number }
}

/** A mesh of its own: a random call graph, pods that restart, stand idle or end, under uneven load. */
export function drawWorld(options: WorldOptions): World {
  const calls = drawCalls(options.graphSeed)
  const draw = random(options.seed)
  const series: TimeSeries[] = []
  const met = { resets: 0, idle: 0, ended: 0, calls: calls.length }
  const podsOf = new Map<Workload, number>()
  const { steps } = options.timeline
  for (const { from, to } of calls) {
    // Some calls are not made in every cluster, some are counted but do not happen any more.
    if (draw() < 0.15) continue
    const idle = draw() < 0.1
    if (idle) met.idle += 1
    const pods = podsOf.get(to) ?? 1 + Math.floor(draw() * 3)
    podsOf.set(to, pods)
    for (let pod = 0; pod < pods; pod += 1) {
      const resetAt = draw() < 0.25 ? 2 + Math.floor(draw() * (steps - 3)) : null
      const endsAt = draw() < 0.1 ? 2 + Math.floor(draw() * (steps - 3)) : null
      if (resetAt !== null) met.resets += 1
      if (endsAt !== null) met.ended += 1
      const counters = drawCounters(draw, steps, resetAt, idle)
      series.push(...inbound({ from, to }, `${to.name}-${pod}`, counters, draw, options, endsAt))
    }
    const counters = drawCounters(draw, steps, null, idle)
    series.push(...outbound({ from, to }, counters, draw, options))
  }
  return { series, met }
}

function drawCalls(graphSeed: number): Call[] {
  const draw = random(graphSeed)
  const workloads = NAMESPACES.map((name) => `${name}-${graphSeed}`).flatMap((namespace) =>
    Array.from({ length: WORKLOADS_PER_NAMESPACE }, (_, index): Workload => {
      const kind = KINDS[Math.floor(draw() * KINDS.length)] ?? 'deployment'
      return { namespace, kind, name: `w${index}` }
    }),
  )
  return workloads.flatMap((to, index) => {
    const callers = workloads.filter((from, other) => from !== to && other < index + 8 && draw() < 0.08)
    return (callers.length > 0 ? callers : workloads.slice(0, 1)).map((from) => ({ from, to }))
  })
}

function drawCounters(draw: () => number, steps: number, resetAt: number | null, idle: boolean): Counters {
  // Few buckets are hit: the others are the plateaus on which percentiles are decided by one rounding.
  const weights = [...BOUNDS, 0].map(() => (draw() < 0.4 ? draw() ** 3 : 0))
  const load = idle ? 0 : 2 + draw() ** 3 * 3_000
  const failing = draw() < 0.5 ? draw() ** 4 : 0
  const start = Math.floor(draw() * 1e6)
  const counters: Counters = { success: [], failure: [], sumMs: [], buckets: weights.map(() => []) }
  let [success, failure, sumMs] = [start, Math.floor(start * failing), start * 20]
  let hits = weights.map(() => Math.floor(start / weights.length))
  for (let step = 0; step < steps; step += 1) {
    if (step === resetAt) {
      ;[success, failure, sumMs] = [0, 0, 0]
      hits = weights.map(() => 0)
    }
    hits = hits.map((count, bucket) => {
      const more = Math.floor(load * (weights[bucket] ?? 0) * (0.5 + draw()))
      const failed = Math.floor(more * failing)
      success += more - failed
      failure += failed
      sumMs += Math.round(more * (BOUNDS[bucket] ?? 9e4) * (0.6 + 0.4 * draw()))
      return count + more
    })
    counters.success.push(success)
    counters.failure.push(failure)
    counters.sumMs.push(sumMs)
    let cumulative = 0
    hits.forEach((count, bucket) => {
      cumulative += count
      counters.buckets[bucket]?.push(cumulative)
    })
  }
  return counters
}

function inbound(
  { from, to }: Call,
  pod: string,
  counters: Counters,
  draw: () => number,
  options: WorldOptions,
  endsAt: number | null,
): TimeSeries[] {
  const labels = {
    direction: 'inbound',
    namespace: to.namespace,
    [to.kind]: to.name,
    pod,
    target_port: '8080',
    authority: draw() < 0.5 ? `${to.name}.${to.namespace}.svc.cluster.local:80` : `${to.name}.example.org`,
    client_id: `${from.name}.${from.namespace}.serviceaccount.identity.linkerd.cluster.local`,
  }
  // One page is scraped at one moment, each pod's at another.
  const lateMs = Math.floor(draw() * 300)
  const mine = written(labels, counters, lateMs, options, endsAt)
  // What must not be counted: the proxy's own port, and the kubelet's probes.
  const noise = [{ target_port: '4191' }, { route_name: 'probe' }].flatMap((more) =>
    written({ ...labels, ...more }, drawCounters(draw, options.timeline.steps, null, false), lateMs, options, null),
  )
  const requests = sampled({ ...labels, __name__: 'request_total' }, counters.success, lateMs, options, endsAt)
  return draw() < 0.1 ? [...mine, ...noise, requests] : [...mine, requests]
}

function outbound({ from, to }: Call, counters: Counters, draw: () => number, options: WorldOptions): TimeSeries[] {
  const labels = {
    direction: 'outbound',
    namespace: from.namespace,
    [from.kind]: from.name,
    pod: `${from.name}-0`,
    dst_namespace: to.namespace,
    dst_service: to.name,
    [`dst_${to.kind}`]: to.name,
  }
  return written(labels, counters, Math.floor(draw() * 300), options, null)
}

function written(
  labels: Record<string, string>,
  counters: Counters,
  lateMs: number,
  options: WorldOptions,
  endsAt: number | null,
): TimeSeries[] {
  const series = (name: string, more: Record<string, string>, values: readonly number[]) =>
    sampled({ ...labels, ...more, __name__: name }, values, lateMs, options, endsAt)
  const total = (classification: string, values: readonly number[]) =>
    series('response_total', { classification }, values)
  return [
    total('success', counters.success),
    ...(counters.failure.at(-1) === 0 ? [] : [total('failure', counters.failure)]),
    series('response_latency_ms_sum', {}, counters.sumMs),
    series('response_latency_ms_count', {}, counters.buckets.at(-1) ?? []),
    ...counters.buckets.map((values, bucket) =>
      series('response_latency_ms_bucket', { le: options.le(BOUNDS[bucket] ?? Number.POSITIVE_INFINITY) }, values),
    ),
  ]
}

function sampled(
  labels: Record<string, string>,
  values: readonly number[],
  lateMs: number,
  { timeline, delayMs = 0 }: WorldOptions,
  endsAt: number | null,
): TimeSeries {
  const at = (step: number) => (timeline.startSeconds + step * timeline.stepSeconds) * 1_000 + lateMs + delayMs
  const kept = endsAt === null ? values : values.slice(0, endsAt)
  const samples: TimeSeries['samples'][number][] = kept.map((value, step) => ({ atMs: at(step), value }))
  if (endsAt !== null) samples.push({ atMs: at(endsAt), value: STALE })
  return { labels, samples }
}
