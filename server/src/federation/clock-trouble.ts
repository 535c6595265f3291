/** Less is hidden by the lag and the rate window; a Date header is exact to a second only. */
const TROUBLE_FROM_SECONDS = 15

/** What a clock that is off does to the numbers, in words; null when it is close enough. Positive = ahead of ours. */
export function clockTrouble(skewSeconds: number | null): string | null {
  if (skewSeconds === null || Math.abs(skewSeconds) < TROUBLE_FROM_SECONDS) return null
  const off = Math.round(Math.abs(skewSeconds))
  return skewSeconds < 0
    ? `its clock is ${off} s behind Goldseam's, so the newest values are missing; set one of the clocks (NTP)`
    : `its clock is ${off} s ahead of Goldseam's, so these values are that much too old; set one of the clocks (NTP)`
}
