import { z } from 'zod'

export const Time = z.string().meta({ description: 'RFC 3339, UTC' })

export const Snapshot = z
  .object({
    id: z.string(),
    at: Time,
    rateWindowSeconds: z.number(),
    /** The window that "usual" was taken from; null when there is none. */
    compare: z.object({ from: Time, to: Time }).nullable(),
    /** Why the usual values are not to be trusted, in words; null when they are. */
    compareNote: z.string().nullable(),
    refreshSeconds: z.number(),
  })
  .meta({ id: 'Snapshot' })
export type Snapshot = z.infer<typeof Snapshot>

export const ClusterState = z.enum(['ok', 'stale', 'partial', 'down', 'pending'])
export type ClusterState = z.infer<typeof ClusterState>

export const Cluster = z
  .object({
    name: z.string(),
    state: ClusterState,
    /** Age of the data shown for this cluster. */
    ageSeconds: z.number().nullable(),
    /** Age of the percentiles of the workloads that are not watched closely; null while there are none. */
    percentilesAgeSeconds: z.number().nullable(),
    /**
     * How much older calls are than the rest: where there are many they stand for a while, as long as what workloads
     * receive stays as it was. Absent where nothing is known of them, and in old evidence.
     */
    callsAgeSeconds: z.number().optional(),
    reason: z.string().nullable(),
    workloads: z.number(),
    dialects: z.array(z.string()),
  })
  .meta({ id: 'Cluster' })
export type Cluster = z.infer<typeof Cluster>

/** What could not be answered. */
export const Gap = z
  .object({ cluster: z.string(), what: z.string(), why: z.string(), detail: z.string(), since: Time })
  .meta({ id: 'Gap' })
export type Gap = z.infer<typeof Gap>

export const Verdict = z
  .object({
    form: z.enum(['quiet', 'suspect', 'several', 'unknown']),
    text: z.string(),
    /** The workload that suffers. */
    subject: z.string().nullable(),
    /** Workload, or `from~to` for an edge, that is the prime suspect. */
    suspect: z.string().nullable(),
    since: Time.nullable(),
    word: z.enum(['strong', 'likely', 'weak']).nullable(),
    /**
     * Of a quiet view of the present: until when this server last saw something wrong (null: never), and since when it
     * looks. It looks only while somebody asks. Absent otherwise, and in old evidence.
     */
    seenTrouble: z.object({ last: Time.nullable(), lookingSince: Time }).optional(),
  })
  .meta({ id: 'Verdict' })
export type Verdict = z.infer<typeof Verdict>

/** The head that every federated answer starts with. */
export const answerHead = {
  snapshot: Snapshot,
  clusters: z.array(Cluster),
  gaps: z.array(Gap),
  verdict: Verdict,
}
