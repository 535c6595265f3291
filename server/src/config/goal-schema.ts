import { z } from 'zod'
import { duration, text } from './fields.ts'
import type { GoalConfig } from './settings.ts'

const PERCENT = /^(\d+(?:\.\d+)?)\s*%$/

/** `99.9%` or `0.999`; a bare 99.9 could be either, and is refused. */
const successRatio = z
  .union([z.number(), z.string()], { error: 'a share such as 99.9% or 0.999 is expected here' })
  .transform((value, context) => {
    const percent = typeof value === 'string' ? PERCENT.exec(value)?.[1] : undefined
    const ratio = typeof value === 'number' ? value : Number(percent ?? Number.NaN) / 100
    if (!(ratio > 0 && ratio < 1)) context.addIssue(`'${value}' is not a share between 0 and 1; write 99.9% or 0.999`)
    return ratio
  })

const latency = () => duration(0.000_1, 600).optional()

export const GoalLatencyFile = z.strictObject(
  { mean: latency(), p50: latency(), p95: latency(), p99: latency(), p999: latency() },
  { error: 'latencies such as { p99: 500ms } are expected here' },
)

export const GoalFile = z.strictObject(
  {
    workload: text('a workload such as east/shop/cart, or a glob such as "*/shop/*"').regex(
      /^[^\s]*(\*|\/[^\s]+\/)[^\s]*$/,
      'write cluster/namespace/name (or kind:name for other kinds than deployments); * stands for anything',
    ),
    success: successRatio.optional(),
    latency: GoalLatencyFile.optional(),
    minimumRate: z
      .number({ error: 'requests per second such as 800 are expected here' })
      .positive('use more than 0 requests per second')
      .optional(),
    period: duration(86_400, 90 * 86_400).optional(),
  },
  { error: 'a goal such as { workload: "*/shop/*", success: 99.9%, latency: { p99: 500ms } } is expected here' },
)

/** A goal in SI units. `period` is that of the error budget. */
export function goalOf({ workload, success, latency, minimumRate, period }: z.output<typeof GoalFile>): GoalConfig {
  const entries = Object.entries(latency ?? {}).filter(([, seconds]) => seconds !== undefined)
  return {
    workload,
    successRatio: success ?? null,
    latencySeconds: Object.fromEntries(entries),
    leastRequestsPerSecond: minimumRate ?? null,
    periodSeconds: period ?? null,
  }
}
