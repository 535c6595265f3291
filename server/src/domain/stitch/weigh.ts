import { percent, perSecond } from '../phrase.ts'
import type { Rates } from './types.ts'

/** Two ends count the same requests when their rates differ by no more than this. */
export const RATE_TOLERANCE = 0.2

/** Where nothing but the rates speaks for a join, they must be this close: by chance they seldom are. */
export const RATES_ALONE = 0.05

/** The rate to weigh and compare by: the present one, or the one before where the present has none. */
export function knownRate({ now, before }: Rates): number {
  return now !== null && now > 0 ? now : (before ?? 0)
}

export function rateOfAll(calls: readonly { readonly rates: Rates }[]): Rates {
  return sumRates(calls.map((call) => call.rates))
}

export function sumRates(list: readonly (Rates | undefined)[]): Rates {
  let now: number | null = null
  let before: number | null = null
  for (const rates of list) {
    if (rates === undefined) continue
    now = plus(now, rates.now)
    before = plus(before, rates.before)
  }
  return { now, before }
}

function plus(sum: number | null, rate: number | null): number | null {
  return rate === null ? sum : (sum ?? 0) + rate
}

/** Whether what arrives is better explained with these calls than by the others alone: now, or over the stretch before. */
export function explains(all: Rates, mine: Rates, arrivals: Rates): boolean {
  return (['now', 'before'] as const).some((when) => {
    const [called, own, arriving] = [all[when], mine[when], arrivals[when]]
    if (called === null || own === null || arriving === null) return false
    return own > 0 && Math.abs(called - arriving) <= Math.abs(called - own - arriving)
  })
}

/** Whether two ends count the same requests, at present or over the stretch before, in words. */
export function compareRates(
  calls: Rates,
  arrivals: Rates,
  tolerance = RATE_TOLERANCE,
): { agree: boolean; text: string } {
  const pairs = [
    { a: calls.now, b: arrivals.now, when: 'now' },
    { a: calls.before, b: arrivals.before, when: 'over the stretch before' },
  ]
  let text = 'no rates to compare'
  for (const { a, b, when } of pairs) {
    if (a === null || b === null || a <= 0 || b <= 0) continue
    const agree = Math.abs(a - b) <= tolerance * Math.max(a, b)
    const words = `${perSecond(a)} called, ${perSecond(b)} arriving ${when}`
    if (agree) return { agree, text: words }
    text = `${words}: more than ${percent(tolerance)} apart`
  }
  return { agree: false, text }
}
