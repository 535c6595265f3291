import type { ClusterStatus } from '@goldseam/server/contract'
import { latency } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'

/** Of one Date header alone, which is of whole seconds. */
const EXACT_TO_SECONDS = 0.5
/** Less turns nothing around. */
const LITTLE_SECONDS = 1.5
/** From here on the server does not count who moved first. */
const TURNS_ONSETS_SECONDS = 15

export type Skew = Pick<ClusterStatus, 'clockSkewSeconds' | 'clockSkewWithinSeconds'>

/** Seconds within which another clock goes as ours, as far as can be told; null: it is off, or does not tell. */
export function asOursWithin({ clockSkewSeconds: skew, clockSkewWithinSeconds: within }: Skew): number | null {
  const exactTo = within ?? EXACT_TO_SECONDS
  return skew === null || Math.abs(skew) > exactTo ? null : Math.abs(skew) + exactTo
}

/** How far another clock is off, in words; positive is ahead of ours. */
export function skewWords(skew: Skew): string {
  if (skew.clockSkewSeconds === null) return '--'
  const within = asOursWithin(skew)
  if (within !== null) return `as ours, within ${printed(latency(within))}`
  const size = printed(latency(Math.abs(skew.clockSkewSeconds)))
  return `${size} ${skew.clockSkewSeconds > 0 ? 'ahead' : 'behind'}`
}

/** What that does to the picture; null where it does nothing. */
export function skewNote(skewSeconds: number | null): string | null {
  if (skewSeconds === null) return 'it does not tell'
  if (Math.abs(skewSeconds) < LITTLE_SECONDS) return null
  if (Math.abs(skewSeconds) < TURNS_ONSETS_SECONDS) return 'too little to turn around who moved first'
  return 'Who moved first is not counted on ways through here, so a suspect is likely at most. Set the clocks (NTP).'
}
