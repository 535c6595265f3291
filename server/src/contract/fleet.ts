import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { HeldTo } from './goals.ts'
import { Bounds, Golden, Measured, Truth, Truths } from './golden.ts'
import { Signal, Tcp } from './mesh.ts'
import { Own } from './own.ts'
import { Scope } from './scope.ts'
import { answerHead, Time } from './snapshot.ts'
import { Suspect } from './suspects.ts'

/** A short history for a sparkline: one value per step, oldest first; null = no data or no traffic. */
export const Trend = z
  .object({
    from: Time,
    stepSeconds: z.number(),
    p99Seconds: z.array(Measured),
    /** 10th to 90th percentile of the same quantity over the compare window. */
    usualP99Seconds: z.tuple([z.number(), z.number()]).nullable(),
  })
  .meta({ id: 'Trend' })
export type Trend = z.infer<typeof Trend>

export const Workload = z
  .object({
    id: z.string(),
    cluster: z.string(),
    namespace: z.string(),
    kind: z.string(),
    name: z.string(),
    /** `ingress` forwards for others; everything else is `workload`. */
    role: z.enum(['workload', 'ingress', 'gateway']),
    pods: z.number().nullable(),
    truth: Truth,
    truths: Truths,
    bounds: Bounds,
    now: Golden,
    usual: Golden,
    /** Age of `now`; null when it was just measured. */
    ageSeconds: z.number().nullable(),
    own: Own,
    health: z.enum(['ok', 'warn', 'crit', 'none']),
    /** What `health` is judged by; null where nothing fresh is there to be judged. Absent in old evidence. */
    heldTo: HeldTo.nullable().optional(),
    /** Change of p99 against usual: `+` x2, `++` x4, `+++` x10, `-` likewise, empty when unchanged. */
    change: z.enum(['', '+', '++', '+++', '-', '--', '---']),
    /** now / usual of p99 (of the mean where p99 is not to be had). */
    changeRatio: Measured,
    onset: Time.nullable(),
    /** 1 = prime suspect. */
    suspectRank: z.number().nullable(),
    /** The suspect that explains this workload's trouble. */
    via: z.string().nullable(),
    /** Null where nothing of the kind is counted. */
    tcp: Tcp.nullable(),
    signals: z.array(Signal),
    /** The dialects that see it; the numbers are the first one's. */
    seenBy: z.array(z.string()),
    /** `atLeast`: the numbers come from a sample of the requests. */
    rateIs: z.enum(['exact', 'atLeast']),
    /** `atLeast`: the first failure of a kind is not seen, so that 100 % would be too much to say. */
    successIs: z.enum(['exact', 'atLeast']),
    /** `now.inFlight` is rate x mean; `estimate`: one of them still moves by more than a fifth. Absent in old evidence. */
    inFlightIs: z.enum(['steady', 'estimate']).optional(),
    /** Share of the nearest limit to requests in flight (a circuit breaker's) that is left; null: none is counted. */
    limitLeft: Measured.optional(),
    /** Plain words worth knowing: "no longer called", "recovering since 03:40". */
    notes: z.array(z.string()),
    trend: Trend,
  })
  .meta({ id: 'Workload' })
export type Workload = z.infer<typeof Workload>

/** Workloads of several clusters as one: summed, percentiles from merged buckets, never averaged. */
export const WorkloadGroup = z
  .object({
    /** Null where they differ in it. */
    namespace: z.string().nullable(),
    kind: z.string().nullable(),
    name: z.string(),
    /** `config`: put together by `groups` in the configuration; `name`: of one namespace, kind and name. */
    by: z.enum(['config', 'name']),
    clusters: z.array(z.string()),
    /** The workloads it is the sum of. */
    ids: z.array(z.string()),
    /** Workloads that the configuration names and nobody sees. */
    absent: z.array(z.string()),
    truth: Truth,
    /** `partial`: a cluster that runs it does not answer. */
    truths: Truths,
    bounds: Bounds,
    now: Golden,
    /** Bucket boundaries that only some clusters have; percentiles are exact to the ones that all have. */
    lostBoundsSeconds: z.array(z.number()),
    ageSeconds: z.number().nullable(),
  })
  .meta({ id: 'WorkloadGroup' })
export type WorkloadGroup = z.infer<typeof WorkloadGroup>

/**
 * `group=name` sums up what has one name, in place of the groups of the configuration. `first`: only so many workloads,
 * those that are looked for first; thousands are megabytes, and nobody should wait for the last of them. `as=table`: the
 * workloads as columns (`Table`), with the digits that a screen shows: a third less to wait for. Programs that reckon
 * with them leave it out.
 */
export const FleetScope = Scope.extend({
  group: z.enum(['name']).optional(),
  first: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'use a number of workloads from 1 to 99999')
    .optional(),
  as: z
    .enum(['table'], 'use table, or leave it out for rows')
    .optional()
    .meta({
      description:
        '`table`: the workloads as columns (see the schema `Table`), with the digits that a screen shows, instead of rows ' +
        'with 11 digits. Answers of saved evidence (`saved`) are handed out as they were saved, in rows.',
    }),
}).meta({ id: 'FleetScope' })
export type FleetScope = z.infer<typeof FleetScope>

export const Fleet = z
  .object({
    ...answerHead,
    workloads: z.array(Workload).meta({ description: 'With `as=table` a `Table` of them' }),
    /** How many workloads `first` left out; absent for none. */
    more: z.number().optional(),
    suspects: z.array(Suspect),
    /** Those of the configuration, or those that `group=name` asks for; absent where there are neither. */
    groups: z.array(WorkloadGroup).optional(),
  })
  .meta({ id: 'Fleet' })
export type Fleet = z.infer<typeof Fleet>

export const fleet = endpoint({
  path: '/api/v1/fleet',
  summary: 'Every workload of every cluster with its golden signals',
  query: FleetScope,
  response: Fleet,
})
