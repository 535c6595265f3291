import { spoken } from './identity.ts'
import { seconds } from './phrase.ts'
import type { Situation } from './situation.ts'

/** Who is nearest to being unusual, while nobody is. */
export interface Margin {
  readonly id: string
  /** Mean now / the end of its usual range. */
  readonly share: number
  readonly text: string
}

/** Requests in the rate window: from fewer, a mean is a matter of luck. */
const LEAST_SAMPLES = 20

/** The workload whose mean is nearest to the end of its usual range; null where no range is known. */
export function smallestMargin({ assessment, windowSeconds }: Situation): Margin | null {
  let nearest: { id: string; share: number; mean: number; high: number } | null = null
  for (const { id, now, stale, history } of assessment.workloads.values()) {
    const high = history?.band?.high ?? 0
    const mean = now.meanSeconds
    if (stale || mean === null || high <= 0) continue
    if ((now.requestsPerSecond ?? 0) * windowSeconds < LEAST_SAMPLES) continue
    if (nearest === null || mean / high > nearest.share) nearest = { id, share: mean / high, mean, high }
  }
  if (nearest === null) return null
  const { id, share, mean, high } = nearest
  const part = `${Math.round(100 * share)} % of its limit`
  return { id, share, text: `${spoken(id)}, mean ${seconds(mean)} at ${part} (${seconds(high)})` }
}
