import { z } from 'zod'
import { Measured } from './golden.ts'

/** Own time: the part of the change since usual that is this workload's own. */
export const Own = z
  .object({
    /** Own delta per request of this workload (of a suspect in failures: own failures per second). */
    seconds: Measured,
    lowSeconds: Measured,
    highSeconds: Measured,
    /** The affected workload whose slowdown `share` is a part of. */
    of: z.string().nullable(),
    share: Measured,
    ofSelf: Measured,
    /** Why there is no number, in words. */
    reason: z.string().nullable(),
  })
  .meta({ id: 'Own' })
export type Own = z.infer<typeof Own>
