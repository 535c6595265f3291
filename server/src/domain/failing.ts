import { quantileOf } from './columns.ts'
import { requestsAt, type Traffic } from './traffic.ts'

const LEAST = { share: 0.01, count: 5, timesUsual: 3 }
const CHANCE = { spreads: 5.5, more: 4 }
/** The usual share of failures is this quantile over time: trouble makes more requests fail more often than fewer. */
const LEVEL_QUANTILE = 0.4
/** Steps before and after that the rate window smears. */
const SMEAR = { before: 2, after: 4 }

/**
 * Whether more of so many requests failed than usual, and more than chance brings: of a Poisson count around what was
 * usual, one so far out comes once in some hundred million. `unsure`: failures by which what is expected may be off.
 */
export function isMoreThanChance(
  { count, share }: { readonly count: number; readonly share: number },
  usualShare: number,
  unsure: number,
): boolean {
  const failed = share * count
  if (failed < LEAST.count || share < LEAST.share || share < LEAST.timesUsual * usualShare) return false
  const expected = usualShare * count + unsure
  return failed >= expected + CHANCE.spreads * Math.sqrt(expected) + CHANCE.more
}

/** Steps of the past in which more failed than usual: they are no measure of what is. */
export function failingSteps(past: Traffic, windowSeconds: number): (step: number) => boolean {
  const shares = Float64Array.from(past.success, (_, step) => {
    const rate = requestsAt(past, step)
    return rate === null || rate <= 0 ? Number.NaN : (past.failures[step] || 0) / rate
  })
  const known = shares.filter((share) => !Number.isNaN(share))
  if (!known.some((share) => share >= LEAST.share)) return never
  const level = quantileOf(known, LEVEL_QUANTILE) ?? 0
  const failing = new Uint8Array(shares.length)
  shares.forEach((share, step) => {
    const count = (requestsAt(past, step) ?? 0) * windowSeconds
    if (!isMoreThanChance({ count, share }, level, 0)) return
    failing.fill(1, Math.max(0, step - SMEAR.before), step + SMEAR.after + 1)
  })
  return (step) => failing[step] === 1
}

const never = () => false
