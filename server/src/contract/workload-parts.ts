import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Bounds, Golden, Measured, Truths } from './golden.ts'
import { Scope } from './scope.ts'
import { answerHead, Time } from './snapshot.ts'

const PATH = '/api/v1/workloads/:cluster/:namespace/:name'

export const LatencyHeatmap = z
  .object({
    ...answerHead,
    id: z.string(),
    stepSeconds: z.number(),
    /** Right end of each column, unix seconds. */
    at: z.array(z.number()),
    /** Upper bounds of the buckets, ascending; null: beyond the last finite one. */
    boundsSeconds: z.array(Measured),
    /** One a column: requests per second in each bucket; null where nothing was measured. */
    requestsPerSecond: z.array(z.array(z.number()).nullable()),
  })
  .meta({ id: 'LatencyHeatmap' })
export type LatencyHeatmap = z.infer<typeof LatencyHeatmap>

/** One interval of the log: counts, and latencies in seconds. */
export const Interval = z
  .object({
    at: Time,
    good: Measured,
    bad: Measured,
    successRatio: Measured,
    /** Lower end of the first bucket that holds anything, upper end of the last; null beyond the last finite bound. */
    minSeconds: Measured,
    maxSeconds: Measured,
    p50: Measured,
    p95: Measured,
    p99: Measured,
    p999: Measured,
    /** p99 against the median of the intervals before: `+` x2, `++` x4, `+++` x10, `-` likewise. */
    change: z.enum(['', '+', '++', '+++', '-', '--', '---']),
    changeRatio: Measured,
  })
  .meta({ id: 'Interval' })
export type Interval = z.infer<typeof Interval>

export const Intervals = z
  .object({
    ...answerHead,
    id: z.string(),
    intervalSeconds: z.number(),
    /** Events shorter than that are blurred. */
    resolutionSeconds: z.number(),
    /** Newest first. */
    intervals: z.array(Interval),
  })
  .meta({ id: 'Intervals' })
export type Intervals = z.infer<typeof Intervals>

export const Pod = z
  .object({
    name: z.string(),
    /** The part of the name that tells one rollout's pods from another's; null where there is none. */
    version: z.string().nullable(),
    now: Golden,
    truths: Truths,
    bounds: Bounds,
    /** Requests per second, one a step of `at`. */
    trend: z.array(Measured),
  })
  .meta({ id: 'Pod' })
export type Pod = z.infer<typeof Pod>

export const Pods = z
  .object({
    ...answerHead,
    id: z.string(),
    /** By name, so that a pod keeps its place. */
    pods: z.array(Pod),
    /** Unix seconds of the trends. */
    at: z.array(z.number()),
    /** How uneven the load is: the busiest pod against the middle one. */
    maxOverMedian: Measured,
    /** How often two pods swap places by load: high means flapping. */
    rankChangesPerMinute: Measured,
    /** Why there are none, in words. */
    reason: z.string().nullable(),
  })
  .meta({ id: 'Pods' })
export type Pods = z.infer<typeof Pods>

export const WorkloadEvent = z
  .object({
    at: Time,
    kind: z.enum(['podStarted', 'podStopped', 'restart', 'rollout', 'scale', 'onset']),
    text: z.string(),
  })
  .meta({ id: 'WorkloadEvent' })
export type WorkloadEvent = z.infer<typeof WorkloadEvent>

export const WorkloadEvents = z
  .object({
    ...answerHead,
    id: z.string(),
    /** Newest first. */
    events: z.array(WorkloadEvent),
    /** What could not be looked for, in words. */
    missing: z.array(z.string()),
    /** How uneven the load is, as with the pods. Absent in answers of older servers. */
    maxOverMedian: Measured.optional(),
  })
  .meta({ id: 'WorkloadEvents' })
export type WorkloadEvents = z.infer<typeof WorkloadEvents>

/** A question behind the numbers, as it can be asked again. */
export const UsedQuery = z
  .object({
    name: z.string(),
    dialect: z.string(),
    cluster: z.string(),
    promql: z.string(),
    series: z.number().nullable(),
    seconds: Measured,
    /** Why it was not answered, in words. */
    failure: z.string().nullable(),
  })
  .meta({ id: 'UsedQuery' })
export type UsedQuery = z.infer<typeof UsedQuery>

export const UsedQueries = z
  .object({ ...answerHead, id: z.string(), queries: z.array(UsedQuery) })
  .meta({ id: 'UsedQueries' })
export type UsedQueries = z.infer<typeof UsedQueries>

export const heatmap = endpoint({
  path: `${PATH}/heatmap`,
  summary: 'How many requests took how long, over time',
  query: Scope,
  response: LatencyHeatmap,
})

export const intervals = endpoint({
  path: `${PATH}/intervals`,
  summary: 'The last intervals one by one, with what changed',
  query: Scope,
  response: Intervals,
})

export const pods = endpoint({
  path: `${PATH}/pods`,
  summary: 'Golden signals of each pod, and how evenly the load lies on them',
  query: Scope,
  response: Pods,
})

export const events = endpoint({
  path: `${PATH}/events`,
  summary: 'What happened to its pods in this window',
  query: Scope,
  response: WorkloadEvents,
})

export const queries = endpoint({
  path: `${PATH}/queries`,
  summary: 'The PromQL that its numbers were made from, asked once more',
  query: Scope,
  response: UsedQueries,
})
