import { z } from 'zod'
import { Bounds, Measured, Truths } from './golden.ts'
import { ClusterState, Time } from './snapshot.ts'

/**
 * How a workload is drawn. Shape is how bad its callers have it; `critVia` and `warnVia` are explained by a suspect,
 * `critOpen` is in trouble without anybody known to be the cause.
 */
export const WallMark = z.enum(['ok', 'warn', 'warnVia', 'crit', 'critVia', 'critOpen', 'none', 'stale'])
export type WallMark = z.infer<typeof WallMark>

/** A workload that is spelled out. */
export const WallRow = z.object({
  id: z.string(),
  cluster: z.string(),
  /** `namespace/name`. */
  name: z.string(),
  mark: WallMark,
  successRatio: Measured,
  sampleCount: Measured,
  requestsPerSecond: Measured,
  p99Seconds: Measured,
  truths: Truths,
  p99Bounds: Bounds.shape.p99,
  /** Present p99 / usual p99. */
  changeRatio: Measured,
  ageSeconds: z.number().nullable(),
  /** The suspect that explains its trouble. */
  via: z.string().nullable(),
  /** Back in its usual range since then; null while it is not. */
  recoveringSince: Time.nullable(),
  /** p99 over the last half hour, oldest first. */
  trendSeconds: z.array(Measured),
})
export type WallRow = z.infer<typeof WallRow>

export const WallCluster = z.object({
  name: z.string(),
  state: ClusterState,
  ageSeconds: z.number().nullable(),
  reason: z.string().nullable(),
  /** `namespace/name` of every workload, in the order in which it is drawn: by namespace, then name. */
  names: z.array(z.string()),
  /** One for each name. */
  marks: z.array(WallMark),
})
export type WallCluster = z.infer<typeof WallCluster>

/** What takes the most valuable place. */
export const WallHero = z.object({
  /** `blind`: no cluster answers; `partial`: nothing is wrong in what is seen, but a part is not seen. */
  form: z.enum(['quiet', 'suspect', 'trouble', 'partial', 'blind']),
  /** The prime suspect (`from~to` for the way between two), or the worst workload where nobody is suspected. */
  id: z.string().nullable(),
  /** Plain words, for what has no name. */
  text: z.string(),
  word: z.enum(['strong', 'likely', 'weak']).nullable(),
  ownShare: Measured,
  p99Seconds: Measured,
  changeRatio: Measured,
  since: Time.nullable(),
  victims: z.array(z.string()),
  /** Further problems that share nothing with this one. */
  others: z.number(),
})
export type WallHero = z.infer<typeof WallHero>

/** Who is on it, in a person's words; taken down by itself. */
export const WallNote = z.object({ text: z.string(), by: z.string(), until: Time })
export type WallNote = z.infer<typeof WallNote>

/** One picture of a wall, as a server-sent event `frame`. */
export const WallFrame = z.object({
  build: z.string(),
  /** The server's clock when it was sent. */
  sentAt: Time,
  snapshot: z.object({ id: z.string(), at: Time, refreshSeconds: z.number() }),
  hero: WallHero,
  rows: z.array(WallRow),
  /** Unhealthy workloads that have no row, counted by the suspect that explains them; null: by none. */
  more: z.array(z.object({ via: z.string().nullable(), count: z.number() })),
  clusters: z.array(WallCluster),
  /** When something was last in trouble, as far as this server has seen; null: nothing since `watchingSince`. */
  lastTroubleAt: Time.nullable(),
  watchingSince: Time,
  /** Where the trouble is argued, as it is now: a path of this server; null while there is nothing to argue. */
  link: z.object({ path: z.string(), code: z.string().nullable() }).nullable(),
  note: WallNote.nullable(),
})
export type WallFrame = z.infer<typeof WallFrame>

/** Which part of the fleet a wall shows: lists as in a scope. */
export const WallQuery = z.object({ c: z.string().max(2_000).optional(), ns: z.string().max(2_000).optional() })
export type WallQuery = z.infer<typeof WallQuery>

/** Words of a person for a wall: shown in lists and logs. */
export const WallName = z
  .string()
  .trim()
  .regex(/^[\w][\w .-]{0,62}$/, 'use up to 63 letters, digits, spaces, - . and _')

export const WallGrant = z.strictObject({
  name: WallName,
  /** Clusters and namespaces it may show; nothing named: all. */
  c: z.array(z.string().max(63)).max(200).default([]),
  ns: z.array(z.string().max(63)).max(200).default([]),
})
export type WallGrant = z.infer<typeof WallGrant>

/** Longer ones are no note: a wall has one line for it. */
const NOTE_LETTERS = 80
const MOST_NOTE_MINUTES = 1_440

const OneLine = z
  .string()
  .trim()
  .regex(/^\P{Cc}+$/u, 'use one line of text')

/** What is put on the walls. `by` may be left out by who is signed in. */
export const WallNoteRequest = z.strictObject({
  text: OneLine.max(NOTE_LETTERS),
  by: OneLine.max(24).optional(),
  /** From now. */
  minutes: z.number().min(1).max(MOST_NOTE_MINUTES).default(60),
})
export type WallNoteRequest = z.infer<typeof WallNoteRequest>
