import { type Column, quantileOf } from './columns.ts'
import { rowsOf, type Traffic } from './traffic.ts'

const LEAST = { share: 0.01, count: 5, timesUsual: 3 }
const CHANCE = { spreads: 5.5, more: 4 }
/** The usual share of failures is this quantile over time: trouble makes more requests fail more often than fewer. */
const LEVEL_QUANTILE = 0.4
/** Steps before and after that the rate window smears. */
const SMEAR = { before: 2, after: 4 }

/**
 * The share of `count` requests from which on more failed than usual, and more than chance brings: of a Poisson count
 * around what was usual, one so far out comes once in some hundred million. `unsure`: failures by which what is expected
 * may be off. Above 1 where there are too few requests to tell.
 */
export function shareBeyondChance(count: number, usualShare: number, unsure: number): number {
  const expected = usualShare * count + unsure
  const beyond = expected + CHANCE.spreads * Math.sqrt(expected) + CHANCE.more
  return Math.max(LEAST.share, LEAST.timesUsual * usualShare, Math.max(LEAST.count, beyond) / count)
}

function isMoreThanChance(count: number, share: number, usualShare: number): boolean {
  return share >= shareBeyondChance(count, usualShare, 0)
}

/** Steps of the past in which more failed than usual, as 1: they are no measure of what is. Null: there are none. */
export function failingSteps(past: Traffic, windowSeconds: number): Uint8Array | null {
  const { columns, from, steps } = rowsOf(past)
  const { success, failures } = columns
  if (!anyFails(success, failures, from, from + steps)) return null
  const shares = new Float64Array(steps)
  const known: number[] = []
  for (let step = 0; step < steps; step += 1) {
    const rate = requestsIn(success, failures, from + step)
    shares[step] = rate > 0 ? (failures[from + step] || 0) / rate : Number.NaN
    if (rate > 0) known.push(shares[step] as number)
  }
  const level = quantileOf(known, LEVEL_QUANTILE) ?? 0
  let failing: Uint8Array | null = null
  for (let step = 0; step < shares.length; step += 1) {
    const share = shares[step] as number
    // Most steps end here, before anything else is worked out.
    if (!(share >= LEAST.share)) continue
    const count = requestsIn(success, failures, from + step) * windowSeconds
    if (!isMoreThanChance(count, share, level)) continue
    failing ??= new Uint8Array(shares.length)
    failing.fill(1, Math.max(0, step - SMEAR.before), step + SMEAR.after + 1)
  }
  return failing
}

/**
 * The step at which the last stretch of `failingSteps` began; null where the past does not end with one, or is one from
 * its first step on: then nobody knows.
 */
export function failingSince(failing: Uint8Array | null): number | null {
  if (failing === null || failing.at(-1) !== 1) return null
  const before = failing.lastIndexOf(0)
  return before < 0 ? null : Math.min(before + 1 + SMEAR.before, failing.length - 1)
}

/** The last step at which `failingSteps` found that more failed than usual; null: at none. */
export function lastFailing(failing: Uint8Array | null): number | null {
  const last = failing?.lastIndexOf(1) ?? -1
  if (failing === null || last < 0) return null
  const first = failing.lastIndexOf(0, last) + 1
  return Math.max(Math.min(first + SMEAR.before, last), last - SMEAR.after)
}

/** Whether enough of the requests fail at any step: of most workloads they do not, and nothing is made to look at them. */
function anyFails(success: Column, failures: Column, from: number, end: number): boolean {
  for (let step = from; step < end; step += 1) {
    const failed = failures[step] as number
    if (failed > 0 && failed / requestsIn(success, failures, step) >= LEAST.share) return true
  }
  return false
}

/** Requests per second at a step; 0 where none are known. */
function requestsIn(success: Column, failures: Column, step: number): number {
  return (success[step] || 0) + (failures[step] || 0)
}
