import { z } from 'zod'
import { Alert } from './alerts.ts'
import { endpoint } from './endpoint.ts'
import { Workload } from './fleet.ts'
import { GoalRow } from './goals.ts'
import { Measured } from './golden.ts'
import { Limit, Route } from './mesh.ts'
import { OwnPart } from './own.ts'
import { Scope } from './scope.ts'
import { answerHead, Time, Verdict } from './snapshot.ts'
import { Suspect } from './suspects.ts'
import { Edge } from './topology.ts'

/** A row of the dependency tree: the callee, and the edge that leads to it as its caller sees it. */
export const DependencyNode = z
  .object({
    id: z.string(),
    kind: z.enum(['workload', 'ingress', 'gateway', 'outside']),
    cluster: z.string().nullable(),
    namespace: z.string().nullable(),
    name: z.string(),
    /** Null at the root. */
    edge: Edge.nullable(),
    /** Null for what nobody measures from the inside. */
    workload: Workload.nullable(),
    /** Mean now - usual, as the caller sees it (root: as its callers see it). */
    deltaSeconds: Measured,
    /** This node's part of the root's slowdown. */
    share: Measured,
    /** Part lost on the way here (network, gateway, ingress). */
    linkShare: Measured,
    onSuspectPath: z.boolean(),
    suspect: z.boolean(),
    /** Shown with its own calls elsewhere in the tree. */
    repeats: z.boolean(),
    /** Calls back into its own callers. */
    cycle: z.boolean(),
    /** Deeper than the tree goes: open that workload to go on. */
    truncated: z.boolean(),
    get children(): z.ZodArray<typeof DependencyNode> {
      return z.array(DependencyNode)
    },
  })
  .meta({ id: 'DependencyNode' })
export type DependencyNode = z.infer<typeof DependencyNode>

/** Columns of equal length; `at` is unix seconds. */
export const Series = z
  .object({
    from: Time,
    to: Time,
    stepSeconds: z.number(),
    at: z.array(z.number()),
    requestsPerSecond: z.array(Measured),
    successRatio: z.array(Measured),
    inFlight: z.array(Measured),
    mean: z.array(Measured),
    p50: z.array(Measured),
    p95: z.array(Measured),
    p99: z.array(Measured),
    p999: z.array(Measured),
    /** Requests behind the percentiles of each point, rounded. Absent in old evidence, as is `enoughFor`. */
    percentileSamples: z.array(Measured).optional(),
    /** How many of p50, p95, p99, p999, in this order, rest on enough requests at each point: 2 = p50 and p95. */
    enoughFor: z.array(z.number()).optional(),
  })
  .meta({ id: 'Series' })
export type Series = z.infer<typeof Series>

export const WorkloadDetail = z
  .object({
    ...answerHead,
    workload: Workload,
    callers: z.array(Edge),
    dependencies: DependencyNode,
    series: Series,
    /** What the metrics of this workload's mesh cannot tell. */
    limits: z.array(Limit),
    routes: z.array(Route),
    /** What fires for it in its cluster's Prometheus. */
    alerts: z.array(Alert),
    /** Its goals, or what is usual of it where none are set. */
    goals: z.array(GoalRow),
    /** Suspects for this workload's own slowdown. */
    suspects: z.array(Suspect),
    /** What may be said of its own trouble, which may be less than its suspects are; null: none. Absent in old evidence. */
    finding: Verdict.nullable().optional(),
    deltaSeconds: Measured,
    /** What of its mean and of its failures is its own; absent in evidence saved by older servers. */
    ownPart: OwnPart.optional(),
    /** PromQL of its p99 (of its requests, where no buckets are counted) to go on from; absent in old evidence. */
    explore: z.string().nullable().optional(),
  })
  .meta({ id: 'WorkloadDetail' })
export type WorkloadDetail = z.infer<typeof WorkloadDetail>

export const workload = endpoint({
  path: '/api/v1/workloads/:cluster/:namespace/:name',
  summary: 'One workload: golden signals over time, callers, and the tree of what it calls',
  query: Scope,
  response: WorkloadDetail,
})
