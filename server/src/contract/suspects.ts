import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Measured } from './golden.ts'
import { Own } from './own.ts'
import { Scope } from './scope.ts'
import { answerHead, Time } from './snapshot.ts'

export const Evidence = z
  .object({ name: z.string(), answer: z.boolean().nullable(), text: z.string() })
  .meta({ id: 'Evidence' })
export type Evidence = z.infer<typeof Evidence>

/** `id` is a workload, or `from~to` when the time is lost between two workloads. */
export const Suspect = z
  .object({
    id: z.string(),
    rank: z.number(),
    word: z.enum(['strong', 'likely', 'weak']),
    /** `beyond`: what lies there may be it as well, as nobody measures it. Absent in old evidence. */
    kind: z.enum(['workload', 'link', 'beyond', 'unexplained']).optional(),
    trouble: z.enum(['latency', 'failures']),
    own: Own,
    /** The slowdown of `own.of`, per request. */
    deltaSeconds: Measured,
    /** From the affected workload to the suspect. */
    path: z.array(z.string()),
    victims: z.array(z.string()),
    onset: Time.nullable(),
    /** One line for a table row: "in-flight 31 (was 0.4)". */
    hints: z.array(z.string()),
    evidence: z.array(Evidence),
    /**
     * A link: the others between the same two clusters that became slower with it; a workload: those with whom it calls
     * in a circle. Absent in evidence saved by older servers, like `feltAt`.
     */
    alike: z.array(z.string()).optional(),
    /** Entry points of whose slowdown (or failures) it is a good part. */
    feltAt: z.array(z.object({ id: z.string(), share: z.number() })).optional(),
    /** What would have to turn out for it not to be the one. */
    wouldClear: z.array(z.string()),
    /** When it and each of its victims changed, earliest first. */
    timeline: z.array(z.object({ id: z.string(), onset: Time.nullable() })),
  })
  .meta({ id: 'Suspect' })
export type Suspect = z.infer<typeof Suspect>

/** What each workload or edge adds to the slowdown of the focus; they sum up to `deltaSeconds`. */
export const Contribution = z
  .object({
    id: z.string(),
    /** `beyond`: inside or behind what nobody measures; `beyond/NAME`: in a cluster that does not answer. */
    kind: z.enum(['workload', 'link', 'beyond', 'unexplained']),
    seconds: z.number(),
    share: Measured,
  })
  .meta({ id: 'Contribution' })
export type Contribution = z.infer<typeof Contribution>

export const Suspects = z
  .object({
    ...answerHead,
    focus: z.string().nullable(),
    deltaSeconds: Measured,
    suspects: z.array(Suspect),
    contributions: z.array(Contribution),
    cleared: z.array(z.string()),
    cannotJudge: z.array(z.object({ id: z.string(), why: z.string() })),
    problems: z.array(z.array(z.string())),
    /** Affected workloads that no affected workload calls: where trouble is felt first. */
    entries: z.array(z.string()).optional(),
    /** While nobody is suspected: who is nearest to the end of its usual range, in words. */
    margin: z.object({ id: z.string(), share: z.number(), text: z.string() }).nullable().optional(),
  })
  .meta({ id: 'Suspects' })
export type Suspects = z.infer<typeof Suspects>

export const SuspectsQuery = Scope.extend({
  /** A workload id: explain this one's slowdown. Without it, all affected entries are explained. */
  focus: z.string().max(800).optional(),
}).meta({ id: 'SuspectsQuery' })

export const suspects = endpoint({
  path: '/api/v1/suspects',
  summary: 'What is slow because of what, with the evidence',
  query: SuspectsQuery,
  response: Suspects,
})
