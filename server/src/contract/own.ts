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

const OwnRange = z.tuple([z.number(), z.number()]).nullable()

/**
 * A workload's own part of its mean and of its failures, each as the least and the most that it may be: its calls go one
 * after the other, or all at once; each failed call failed one of its requests, or none did. Signed.
 */
export const OwnPart = z
  .object({
    latency: z.object({
      nowSeconds: OwnRange,
      /** Now less usual. */
      changeSeconds: OwnRange,
      /** Why a range is not known, in words. */
      reason: z.string().nullable(),
    }),
    failures: z.object({
      nowPerSecond: OwnRange,
      /** More than usual. */
      morePerSecond: OwnRange,
    }),
    /** The same in sentences. */
    text: z.array(z.string()),
  })
  .meta({ id: 'OwnPart' })
export type OwnPart = z.infer<typeof OwnPart>
