import { z } from 'zod'
import { Measured, Truth } from './golden.ts'

/** How fast an error budget is being spent, in a long and a short window; 1 would spend it exactly in its period. */
export const Burn = z
  .object({
    longSeconds: z.number(),
    shortSeconds: z.number(),
    /** Above it in both windows it fires. */
    most: z.number(),
    longRate: Measured,
    shortRate: Measured,
    /** Null where one of the windows is not known. */
    firing: z.boolean().nullable(),
  })
  .meta({ id: 'Burn' })

export const Budget = z
  .object({
    periodSeconds: z.number(),
    /** Of the period, how much is known: a Prometheus may keep less. */
    knownSeconds: z.number(),
    /** Of what the period allows, the share that is spent. */
    spentRatio: Measured,
    burns: z.array(Burn),
    grade: z.enum(['none', 'warn', 'crit']),
  })
  .meta({ id: 'Budget' })
export type Budget = z.infer<typeof Budget>

const GoalMeasure = z.enum(['successRatio', 'requestsPerSecond', 'mean', 'p50', 'p95', 'p99', 'p999'])

/** `burning`: kept at this moment, while its error budget is spent too fast. */
export const HeldGoal = z
  .object({
    measure: GoalMeasure,
    goal: z.number(),
    verdict: z.enum(['met', 'missed', 'burning', 'tooFew', 'noTraffic', 'unknown']),
  })
  .meta({ id: 'HeldGoal' })
export type HeldGoal = z.infer<typeof HeldGoal>

/** What the status of a workload is held against. */
export const HeldTo = z
  .object({
    /**
     * Mean latency in seconds: above the first it is slower than usual, from the second on critically so (null: nobody
     * can say from when on). Null: no usual range is known.
     */
    mean: z.tuple([z.number(), Measured]).nullable(),
    /** Share of failing requests: from the first on more than usual, from the second on critical. Null: none are counted. */
    failures: z.tuple([z.number(), z.number()]).nullable(),
    /** The requests in the rate window are fewer than this, so that neither is judged. */
    tooFewBelow: z.number().optional(),
    /** Absent where nobody set any. */
    goals: z.array(HeldGoal).optional(),
  })
  .meta({ id: 'HeldTo' })
export type HeldTo = z.infer<typeof HeldTo>

/** Goal / Usual / Now / Verdict. Values are ratios, seconds, or requests per second, as `measure` says. */
export const GoalRow = z
  .object({
    measure: GoalMeasure,
    /** Null: none is set, and the usual value is the measure. */
    goal: Measured,
    usual: Measured,
    now: Measured,
    truth: Truth,
    verdict: z.enum(['met', 'missed', 'tooFew', 'noTraffic', 'unknown', 'asUsual', 'worse', 'better']),
    text: z.string(),
    budget: Budget.nullable(),
  })
  .meta({ id: 'GoalRow' })
export type GoalRow = z.infer<typeof GoalRow>
