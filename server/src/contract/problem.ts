import { z } from 'zod'

/** RFC 9457 problem details, as `application/problem+json`. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    detail: z.string().optional(),
    requestId: z.string().optional(),
    /** What was wrong with the request, one entry a field. */
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
    /** For "not found": names that are close. */
    near: z.array(z.string()).optional(),
    /** For a workload that is not there: when it last reported, to the hour; RFC 3339. */
    lastSeenAt: z.string().optional(),
  })
  .meta({ id: 'Problem' })
export type Problem = z.infer<typeof Problem>
