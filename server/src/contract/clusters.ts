import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Measured } from './golden.ts'
import { Mesh } from './mesh.ts'
import { Scope } from './scope.ts'
import { answerHead, Cluster, Time } from './snapshot.ts'
import { Unresolved } from './topology.ts'

/** One endpoint of a cluster, as Goldseam reaches it. The URL carries no credentials. */
export const ClusterEndpoint = z
  .object({
    url: z.string(),
    state: z.enum(['ok', 'failing', 'untried']),
    reason: z.string().nullable(),
    lastAnswerAt: Time.nullable(),
    querySecondsP95: Measured,
    /** What Goldseam costs it: seconds that queries took in each second of the last minute. */
    querySecondsPerSecond: z.number(),
    version: z.string().nullable(),
    /** Until when the certificate is good that it last showed; null without TLS. Absent in old evidence. */
    certificateEndsAt: Time.nullable().optional(),
    /** `open`: not asked before `nextTryAt`, because it failed several times in a row; `halfOpen`: being tried again. */
    breaker: z.object({ state: z.enum(['closed', 'open', 'halfOpen']), nextTryAt: Time.nullable() }),
  })
  .meta({ id: 'ClusterEndpoint' })
export type ClusterEndpoint = z.infer<typeof ClusterEndpoint>

export const ClusterStatus = Cluster.extend({
  endpoints: z.array(ClusterEndpoint),
  /** URL of the endpoint that holds many clusters and told of this one; null = listed in the config. */
  discoveredAt: z.string().nullable(),
  /** Endpoints that hold a cluster of the same name, which is not read. */
  alsoAt: z.array(z.string()),
  scrapeIntervalSeconds: Measured,
  clockSkewSeconds: Measured,
  /** The true skew is no further off than this. Absent in old evidence. */
  clockSkewWithinSeconds: Measured.optional(),
  seriesRead: Measured,
  /** What the cluster's endpoints cost together, what they may, and how often it is therefore asked. */
  load: z.object({
    querySecondsPerSecond: z.number(),
    maxLoad: z.number(),
    refreshSeconds: z.number(),
    bucketRefreshSeconds: z.number(),
    /** Why more seldom than configured, in words; null when it is not. */
    stretched: z.string().nullable(),
  }),
  seamsOut: z.number(),
  seamsIn: z.number(),
  /** The same by the cluster at the other end. Absent in old evidence, as the two below. */
  seamsWith: z.array(z.object({ cluster: z.string(), out: z.number(), in: z.number() })).optional(),
  /** Whether kube-state-metrics is scraped there: restarts, rollouts, replicas. Null while it could not be asked. */
  kubeState: z.boolean().nullable().optional(),
  /** Workloads in its last good answer, however old that is. */
  workloadsLastSeen: Measured.optional(),
  meshes: z.array(Mesh),
}).meta({ id: 'ClusterStatus' })
export type ClusterStatus = z.infer<typeof ClusterStatus>

export const Clusters = z
  .object({ ...answerHead, clusters: z.array(ClusterStatus), unresolved: z.array(Unresolved) })
  .meta({ id: 'Clusters' })
export type Clusters = z.infer<typeof Clusters>

export const clusters = endpoint({
  path: '/api/v1/clusters',
  summary: "Goldseam's own eyesight: which cluster answers, how fast, how fresh",
  query: Scope,
  response: Clusters,
})
