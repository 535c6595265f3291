import { shareBeyondChance } from './failing.ts'
import type { Observation } from './observation.ts'
import type { Flow } from './traffic.ts'

/** Usual is taken from this long before the present deviation began. */
export const COMPARE_SECONDS = 1_800
/** Requests in the rate window: of fewer, a mean and a share of failures are a matter of luck. */
export const LEAST_JUDGED = 20
/** A mean that is unusual is critical from this many times the usual on. */
const CRITICAL_RATIO = 3
/** Shares of failing requests: critical, and trouble whatever was usual. */
const FAILURES = { crit: 0.05, most: 0.5 }

/** Whether nothing is judged of a workload with so many requests in the rate window. */
export function isTooFew(samples: number): boolean {
  return samples < LEAST_JUDGED
}

/** The mean from which on one that is unusual is critical, in seconds; null where no usual mean is known. */
export function critMeanSeconds(usualMeanSeconds: number | null): number | null {
  return usualMeanSeconds ? CRITICAL_RATIO * usualMeanSeconds : null
}

/** The shares of failing requests from which on a workload is in trouble, and in critical trouble. */
export function failureLimits(
  cluster: { readonly history: object | null; readonly compare: Pick<Observation, 'inbound'> | null },
  now: Flow,
  usual: Flow,
  windowSeconds: number,
): [number, number] {
  const count = (now.requestsPerSecond ?? 0) * windowSeconds
  // What was usual is known from as many failures as there were.
  const met = (usual.failuresPerSecond ?? 0) * COMPARE_SECONDS
  const unsure = (1 + 2 * Math.sqrt(met)) * (windowSeconds / COMPARE_SECONDS)
  const beyond = shareBeyondChance(count, shareFailed(usual) ?? 0, unsure)
  // Its past, or the stretch to compare with, is not there (yet): what always failed a little cannot be told from what began to.
  const unread = cluster.compare === null ? cluster.history === null : cluster.compare.inbound.size === 0
  const least = unread ? Math.max(FAILURES.most, beyond) : beyond
  return [least, Math.max(FAILURES.crit, least)]
}

/** Of the requests of a flow, the share that failed; null where there are none, or nobody counts failures. */
export function shareFailed(flow: Flow): number | null {
  if (!flow.requestsPerSecond || flow.failuresPerSecond === null) return null
  return flow.failuresPerSecond / flow.requestsPerSecond
}
