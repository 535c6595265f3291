/** A Date header is exact to a second: less is not told apart from none. */
const EXACT_TO_SECONDS = 1.5
/** From here on the server does not count who moved first. */
const TURNS_ONSETS_SECONDS = 15

/** How far another clock is off, in words; positive is ahead of ours. */
export function skewWords(skewSeconds: number | null): string {
  if (skewSeconds === null) return '--'
  if (Math.abs(skewSeconds) < EXACT_TO_SECONDS) return 'as ours'
  const size = Math.abs(skewSeconds)
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} s ${skewSeconds > 0 ? 'ahead' : 'behind'}`
}

/** What that does to the picture; null where it does nothing. */
export function skewNote(skewSeconds: number | null): string | null {
  if (skewSeconds === null) return 'it does not tell'
  if (Math.abs(skewSeconds) < EXACT_TO_SECONDS) return null
  if (Math.abs(skewSeconds) < TURNS_ONSETS_SECONDS) return 'too little to turn around who moved first'
  return 'Who moved first is not counted on ways through here, so a suspect is likely at most. Set the clocks (NTP).'
}
