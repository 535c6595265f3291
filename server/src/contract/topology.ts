import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Bounds, Golden, Measured } from './golden.ts'
import { Signal, Tcp } from './mesh.ts'
import { Scope } from './scope.ts'
import { answerHead } from './snapshot.ts'

export const Confidence = z.enum(['solid', 'dashed', 'dotted'])
export const Rule = z.enum(['labels', 'mirror', 'identity', 'address', 'host', 'ingress', 'declared', 'rates'])

/** One end's view of an edge. */
export const EdgeView = Golden.extend({
  bounds: Bounds,
  measure: z.enum(['firstByte', 'full']),
  attempts: z.enum(['each', 'effective']),
}).meta({ id: 'EdgeView' })
export type EdgeView = z.infer<typeof EdgeView>

export const Edge = z
  .object({
    from: z.string(),
    to: z.string(),
    /** True when the edge crosses clusters. */
    seam: z.boolean(),
    confidence: Confidence,
    rule: Rule,
    evidence: z.array(z.string()),
    /** What the edge was joined by, where it was joined by a name: host or address. */
    destination: z.string().nullable(),
    /** The ingress or gateway workload the calls pass through. */
    via: z.string().nullable(),
    seenFrom: z.enum(['both', 'caller', 'callee']),
    caller: EdgeView.nullable(),
    callee: EdgeView.nullable(),
    /** The caller's view over the compare window. */
    usual: Golden.nullable(),
    callsPerRequest: Measured,
    /** Callee's rate / caller's rate. */
    accountedRatio: Measured,
    /** Caller's mean - callee's mean: network, gateway, ingress. */
    seamSeconds: Measured,
    /** Whether `callee` is over this caller's requests only. */
    calleeMean: z.enum(['caller', 'all']).nullable(),
    /** Set when one end is last good data: its age; the greater one of two. */
    ageSeconds: z.number().nullable(),
    /** As `ageSeconds`, of each end by itself; absent from what was saved before they were told apart. */
    callerAgeSeconds: z.number().nullable().optional(),
    calleeAgeSeconds: z.number().nullable().optional(),
    tcp: Tcp.nullable(),
    signals: z.array(Signal),
    notes: z.array(z.string()),
  })
  .meta({ id: 'Edge' })
export type Edge = z.infer<typeof Edge>

export const TopologyNode = z
  .object({
    id: z.string(),
    kind: z.enum(['workload', 'ingress', 'gateway', 'outside']),
    cluster: z.string().nullable(),
    namespace: z.string().nullable(),
    name: z.string(),
  })
  .meta({ id: 'TopologyNode' })
export type TopologyNode = z.infer<typeof TopologyNode>

export const Unresolved = z
  .object({
    from: z.string(),
    destination: z.string(),
    requestsPerSecond: Measured,
    candidates: z.array(z.string()),
    /** Lines for the config file that would resolve it. */
    suggestion: z.string(),
  })
  .meta({ id: 'Unresolved' })
export type Unresolved = z.infer<typeof Unresolved>

export const Topology = z
  .object({
    ...answerHead,
    nodes: z.array(TopologyNode),
    edges: z.array(Edge),
    unresolved: z.array(Unresolved),
  })
  .meta({ id: 'Topology' })
export type Topology = z.infer<typeof Topology>

export const topology = endpoint({
  path: '/api/v1/topology',
  summary: 'Who calls whom, over all clusters',
  query: Scope,
  response: Topology,
})
