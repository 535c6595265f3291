import type { EndpointStatus } from '../prometheus/api.ts'
import type { ClockSkew } from '../prometheus/clock-bounds.ts'

/** Less is hidden by the lag and the rate window. */
const TROUBLE_FROM_SECONDS = 15

/** What a clock that is off does to the numbers, in words; null when it is close enough. Positive = ahead of ours. */
export function clockTrouble(skewSeconds: number | null): string | null {
  if (skewSeconds === null || Math.abs(skewSeconds) < TROUBLE_FROM_SECONDS) return null
  const off = Math.round(Math.abs(skewSeconds))
  return skewSeconds < 0
    ? `its clock is ${off} s behind Goldseam's, so the newest values are missing; set one of the clocks (NTP)`
    : `its clock is ${off} s ahead of Goldseam's, so these values are that much too old; set one of the clocks (NTP)`
}

/** How far the clock of the endpoint that answered last is ahead of ours: a replica that stands by was asked long ago. */
export function skewOf(endpoints: readonly EndpointStatus[]): ClockSkew | null {
  const told = endpoints.filter(({ state, clockSkew }) => state === 'ok' && clockSkew !== null)
  const [latest] = told.toSorted((a, b) => (b.lastAnswerAtSeconds ?? 0) - (a.lastAnswerAtSeconds ?? 0))
  return latest?.clockSkew ?? null
}
