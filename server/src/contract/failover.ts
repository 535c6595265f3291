import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Measured } from './golden.ts'
import { Scope } from './scope.ts'
import { answerHead, Time } from './snapshot.ts'

export const FailoverQuery = Scope.extend({
  /** The cluster that is taken to be gone. */
  cluster: z.string().min(1, 'name the cluster that is taken to be gone').max(200),
  /** Where its requests go instead: weights by cluster, `east:70,north:30`. Without it: as requests are routed now. */
  split: z
    .string()
    .max(2_000)
    .regex(/^[^:,\s]+:\d+(\.\d+)?(,[^:,\s]+:\d+(\.\d+)?)*$/, 'use weights by cluster such as east:70,north:30')
    .optional(),
  /** How many days back it is looked up what each workload has carried. */
  days: z.coerce.number().int().min(1, 'use 1 to 30 days').max(30, 'use 1 to 30 days').optional(),
}).meta({ id: 'FailoverQuery' })
export type FailoverQuery = z.infer<typeof FailoverQuery>

const Reached = z.object({ requestsPerSecond: z.number(), at: Time })

/** What a workload has carried in the past. */
export const Carried = z
  .object({
    /** The highest rate at which it kept its goals; null: it never did. */
    kept: Reached.nullable(),
    /** The lowest rate above that at which it did not, and which; null: it never got more. */
    broke: Reached.extend({ why: z.string() }).nullable(),
    /** Rates are over steps of this length. */
    stepSeconds: z.number(),
    /** Of the days that were asked for, how much could be judged. */
    judgedSeconds: z.number(),
    /** What it was held to, in words. */
    heldTo: z.string(),
    /** False: nobody set goals for it. */
    goals: z.boolean(),
  })
  .meta({ id: 'Carried' })
export type Carried = z.infer<typeof Carried>

/** What one workload gets once the cluster is gone; requests per second. */
export const FailoverRow = z
  .object({
    id: z.string(),
    now: z.number(),
    after: z.number(),
    /** Of what is added: what used to go to the cluster that is gone. */
    direct: z.number(),
    /** Of what is added: calls of others that get more, or less, themselves. */
    passedOn: z.number(),
    insteadOf: z.array(z.string()),
    /** What had to be assumed, in words. */
    assumed: z.array(z.string()),
    carried: Carried.nullable(),
    /** after / the highest rate kept; null where that is not known. */
    ratio: Measured,
    verdict: z.enum(['carries', 'above', 'less', 'unknown']),
    text: z.string(),
  })
  .meta({ id: 'FailoverRow' })
export type FailoverRow = z.infer<typeof FailoverRow>

export const Failover = z
  .object({
    ...answerHead,
    cluster: z.string(),
    days: z.number(),
    /** Shares by cluster, as they were asked for; null: as requests are routed now. */
    split: z.array(z.object({ cluster: z.string(), share: z.number() })).nullable(),
    form: z.enum(['carries', 'above', 'nowhere', 'unknown']),
    text: z.string(),
    rows: z.array(FailoverRow),
    /**
     * Requests that no other cluster can answer. `elsewhere`: where the workload runs as well, and gets nothing by the
     * stated split; absent in old evidence.
     */
    nowhere: z.array(
      z.object({
        id: z.string(),
        requestsPerSecond: z.number(),
        callers: z.array(z.string()),
        elsewhere: z.array(z.string()).optional(),
      }),
    ),
    /** What the answer leaves out. */
    notes: z.array(z.string()),
  })
  .meta({ id: 'Failover' })
export type Failover = z.infer<typeof Failover>

export const failover = endpoint({
  path: '/api/v1/failover',
  summary: 'What lands where if a cluster goes, and whether each has carried as much within its goals',
  query: FailoverQuery,
  response: Failover,
})

/** What would land where if this cluster went, by present routing; nothing is looked up of the past. */
export const Outlook = z
  .object({
    cluster: z.string(),
    /** What users and other clusters ask of it, by who would answer instead; requests per second, most first. */
    lands: z.array(z.object({ cluster: z.string(), requestsPerSecond: z.number() })),
    /** Requests that no other cluster could answer, and of how many workloads; some of them by name. */
    nowhere: z.object({ requestsPerSecond: z.number(), workloads: z.number(), ids: z.array(z.string()) }),
    /** Workloads that would get more than now. */
    gaining: z.number(),
    most: z.object({ id: z.string(), now: z.number(), after: z.number() }).nullable(),
  })
  .meta({ id: 'Outlook' })
export type Outlook = z.infer<typeof Outlook>

export const Outlooks = z
  .object({
    ...answerHead,
    outlooks: z.array(Outlook),
    /** Clusters that were not worked out, for there are too many. */
    left: z.array(z.string()),
  })
  .meta({ id: 'Outlooks' })
export type Outlooks = z.infer<typeof Outlooks>

export const outlooks = endpoint({
  path: '/api/v1/failover/clusters',
  summary: 'For each cluster, what would land where if it went',
  query: Scope,
  response: Outlooks,
})
