import { z } from 'zod'

/** RFC 3339, unix seconds (or milliseconds), or an offset such as `now-30m`. */
export const TimeText = z
  .string()
  .max(64)
  .regex(
    /^(now(-\d+(\.\d+)?(s|m|h|d))?|\d{1,13}(\.\d+)?|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))$/,
    'use RFC 3339 (2026-11-21T02:45:00Z), unix seconds, or now-30m',
  )

/** A duration as Prometheus writes it: `90s`, `5m`, `1h`, `7d`. */
export const DurationText = z
  .string()
  .max(32)
  .regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/, 'use a duration such as 90s, 5m or 1h')

/** A list in a URL: `a,b,c`. */
const NameList = z.string().max(2_000)

/** What every screen shares: time, clusters, namespaces, text filter. */
export const Scope = z
  .object({
    from: TimeText.optional(),
    to: TimeText.optional(),
    window: DurationText.optional(),
    cmp: z.string().max(100).optional(),
    c: NameList.optional(),
    ns: NameList.optional(),
    q: z.string().max(200).optional(),
    /** The code of saved evidence: its answers, not the clusters'. */
    saved: z
      .string()
      .regex(/^[0-9A-Za-z]{4,16}$/, 'use the code of saved evidence')
      .optional(),
  })
  .meta({ id: 'Scope' })
export type Scope = z.infer<typeof Scope>
