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

/** Goal / Usual / Now / Verdict. Values are ratios, seconds, or requests per second, as `measure` says. */
export const GoalRow = z
  .object({
    measure: z.enum(['successRatio', 'requestsPerSecond', 'mean', 'p50', 'p95', 'p99', 'p999']),
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
