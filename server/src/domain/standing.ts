import type { Inbound, Observation } from './observation.ts'
import { type Flow, flowNow, isCounted } from './traffic.ts'

/** How far two instants may lie apart and still be told as the same. */
export interface Tolerance {
  /** Part of the larger value: of means, and of the share of requests that fail. */
  readonly share: number
  /** Standard deviations of what chance makes of so many requests. */
  readonly deviations: number
}

/**
 * Who is not in trouble may have his way by chance: a fleet of hundreds always has somebody whose few requests differ by
 * a third.
 */
export const CALM: Tolerance = { share: 0.1, deviations: 4 }
/**
 * Those in trouble are what people look at. They are some dozen, each held to three things: beyond two deviations one of
 * them would be at nearly every look.
 */
export const TROUBLED: Tolerance = { share: 0.05, deviations: 3 }
/** Traffic comes and goes, and takes its calls along: only a surge, or half of it gone, asks who calls whom now. */
const SURGE_SHARE = 0.5

/**
 * Whether what workloads receive differs so much that their calls may differ as well. Both have one step. `inTrouble`:
 * ids of workloads of whom less may differ.
 */
export function hasMoved(
  before: Observation,
  now: Observation,
  windowSeconds: number,
  inTrouble: ReadonlySet<string>,
): boolean {
  for (const [id, { total }] of now.inbound) {
    const known = before.inbound.get(id)
    if (known === undefined) return true
    const tolerance = inTrouble.has(id) ? TROUBLED : CALM
    if (differ(flowNow(known.total), flowNow(total), windowSeconds, tolerance)) return true
  }
  // Who is told of by what was not asked again is not missing.
  for (const [id, { total }] of before.inbound) if (!now.inbound.has(id) && isCounted(total)) return true
  return false
}

function differ(before: Flow, now: Flow, windowSeconds: number, { share, deviations }: Tolerance): boolean {
  const counts = (perSecond: number | null) => (perSecond ?? 0) * windowSeconds
  const [some, others] = [counts(before.requestsPerSecond), counts(now.requestsPerSecond)]
  // Counts of chance events: their variance is their number.
  if (isApart(some, others, SURGE_SHARE, deviations * Math.sqrt(some + others))) return true
  const least = Math.max(1, Math.min(some, others))
  const [failed, fails] = [counts(before.failuresPerSecond), counts(now.failuresPerSecond)]
  const failing = (count: number, of: number) => count / Math.max(1, of)
  // With one more on either side, or a handful where there was none would be beyond chance (Agresti and Caffo, 2000).
  const byChance = Math.sqrt(failed + fails + 2) / least
  if (isApart(failing(failed, some), failing(fails, others), share, deviations * byChance)) return true
  if (before.meanSeconds === null || now.meanSeconds === null) {
    if (before.meanSeconds === now.meanSeconds) return false
    // One request now and then is no latency now and then: of those who are asked so seldom a fleet has dozens.
    return (before.meanSeconds === null ? some : others) > 0
  }
  // Latencies scatter about as widely as they are long, and a mean by the root of its number less.
  const scatter = Math.max(before.meanSeconds, now.meanSeconds) / Math.sqrt(least)
  return isApart(before.meanSeconds, now.meanSeconds, share, deviations * scatter)
}

function isApart(a: number, b: number, share: number, byChance: number): boolean {
  return Math.abs(a - b) > share * Math.max(a, b) + byChance
}

/**
 * What was told before, with what workloads receive by now. `now` has nothing that `before` lacks, or it has moved. Who
 * asked whom stays as it was. Neither is changed.
 */
export function withRequestsOf(before: Observation, now: Observation): Observation {
  const inbound = new Map<string, Inbound>()
  for (const [id, flow] of before.inbound) {
    const total = now.inbound.get(id)?.total
    inbound.set(id, total === undefined ? flow : { ...flow, total })
  }
  return { ...before, inbound }
}
