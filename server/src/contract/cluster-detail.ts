import { z } from 'zod'
import { ClusterStatus } from './clusters.ts'
import { endpoint } from './endpoint.ts'
import { Measured } from './golden.ts'
import { Scope } from './scope.ts'
import { answerHead, Time } from './snapshot.ts'
import { Confidence, Rule, Unresolved } from './topology.ts'

/** One of the last requests to an endpoint. It holds neither PromQL nor credentials. */
export const UpstreamRequest = z
  .object({
    /** When it ended. */
    at: Time,
    endpoint: z.string(),
    /** `others`: somebody's PromQL handed on; `status`: pages that are no query. */
    kind: z.enum(['instant', 'range', 'labels', 'others', 'status']),
    /** The question by its name. */
    question: z.string(),
    seconds: z.number(),
    /** Of the answer, unpacked; null where none was read to its end. */
    bytes: z.number().nullable(),
    outcome: z.enum([
      'ok',
      'timeout',
      'unreachable',
      'tls',
      'unauthorized',
      'rejected',
      'malformed',
      'tooLarge',
      'empty',
      'aborted',
    ]),
    /** What went wrong, in words. */
    detail: z.string().nullable(),
  })
  .meta({ id: 'UpstreamRequest' })
export type UpstreamRequest = z.infer<typeof UpstreamRequest>

/** A seam with one end in the cluster. */
export const ClusterSeam = z
  .object({
    from: z.string(),
    to: z.string(),
    rule: Rule,
    confidence: Confidence,
    seenFrom: z.enum(['both', 'caller', 'callee']),
    requestsPerSecond: Measured,
    /** Callee's rate / caller's rate. */
    accountedRatio: Measured,
  })
  .meta({ id: 'ClusterSeam' })
export type ClusterSeam = z.infer<typeof ClusterSeam>

/** What some labels of a mesh's metrics are read as. */
export const LabelUse = z
  .object({ says: z.string(), labels: z.array(z.string()), note: z.string().nullable() })
  .meta({ id: 'LabelUse' })
export type LabelUse = z.infer<typeof LabelUse>

const RecordedLane = z.object({
  dialect: z.string(),
  /** `fast`: rates and means; `slow`: buckets. */
  lane: z.enum(['fast', 'slow']),
  windowSeconds: z.number(),
  intervalSeconds: z.number(),
  since: Time,
})

export const RecordingRules = z
  .object({
    /** Over which rates are taken; absent in evidence saved by older servers. */
    windowSeconds: z.number().optional(),
    /** Rules over that window. */
    lanes: z.array(RecordedLane),
    /** Rules over other windows, which nothing is read from; absent in evidence saved by older servers. */
    overOthers: z.array(RecordedLane).optional(),
    /** Questions that they answer, by the names of `requests`. */
    recorded: z.array(z.string()),
    /** Those asked of the raw series because nothing was recorded for them lately, such as where there is no such traffic. */
    empty: z.array(z.string()),
    /** And because what is recorded for them is of another version, or for other `peers`. */
    outdated: z.array(z.string()),
    /** For whom rules have to be written here: the other clusters. */
    peers: z.array(z.string()),
  })
  .meta({ id: 'RecordingRules' })
export type RecordingRules = z.infer<typeof RecordingRules>

export const ClusterDetail = z
  .object({
    ...answerHead,
    cluster: ClusterStatus,
    /** Newest first, all endpoints together. */
    requests: z.array(UpstreamRequest),
    /** Requests of the last hour that somebody still waited for, by endpoint. */
    lastHour: z.array(z.object({ endpoint: z.string(), answered: z.number(), failed: z.number() })),
    /** How long each endpoint keeps samples, in its own words. */
    retention: z.array(z.object({ endpoint: z.string(), text: z.string().nullable() })),
    /** The config as it takes effect; of secrets only that there are some. */
    settings: z.array(z.object({ name: z.string(), value: z.string() })),
    /** The metrics that each mesh is found by, and what its labels are read as; of all meshes where none was found. */
    lookedFor: z.array(
      z.object({ dialect: z.string(), metrics: z.array(z.string()), labelUses: z.array(LabelUse).optional() }),
    ),
    /** What is known beside the meshes; null where nothing was found. */
    beside: z
      .object({ podAddresses: z.number(), services: z.number(), balancers: z.number(), exposedHosts: z.number() })
      .nullable(),
    /** What is read from recording rules instead of raw series; null where none were found. */
    recordingRules: RecordingRules.nullable().optional(),
    /** Layouts of latency buckets, most workloads first; bounds in seconds, without infinity. */
    bucketLayouts: z.array(z.object({ boundsSeconds: z.array(z.number()), workloads: z.number() })),
    seams: z.array(ClusterSeam),
    unresolved: z.array(Unresolved),
  })
  .meta({ id: 'ClusterDetail' })
export type ClusterDetail = z.infer<typeof ClusterDetail>

export const cluster = endpoint({
  path: '/api/v1/clusters/:cluster',
  summary: 'One cluster as Goldseam sees it: endpoints, the last requests, what it is joined by, what it cannot tell',
  query: Scope,
  response: ClusterDetail,
})

/** `POST`, with an empty JSON object: asks each endpoint of the cluster one bounded question now. */
export const CLUSTER_TEST_PATH = '/api/v1/clusters/:cluster/test'

export const ClusterTest = z
  .object({
    at: Time,
    endpoints: z.array(z.object({ url: z.string(), answered: z.boolean(), seconds: z.number(), text: z.string() })),
  })
  .meta({ id: 'ClusterTest' })
export type ClusterTest = z.infer<typeof ClusterTest>
