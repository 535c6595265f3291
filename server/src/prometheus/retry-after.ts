/** Two headers as they came, empty when there was none, and when that was (unix seconds). */
interface Told {
  readonly retryAfter: string
  readonly date: string
  readonly receivedAtSeconds: number
}

/** Retry-After holds seconds or a date; the answer's own Date says when that is by the clock that wrote both. */
export function secondsToWait({ retryAfter, date, receivedAtSeconds }: Told): number | null {
  // However long, it is a wish to be left alone; more digits than a number holds must not become infinity.
  if (/^\d+$/.test(retryAfter.trim())) return Math.min(Number(retryAfter), Number.MAX_SAFE_INTEGER)
  const until = Date.parse(retryAfter)
  const sent = Date.parse(date)
  if (!/[a-z]/i.test(retryAfter) || Number.isNaN(until)) return null
  return Math.max(0, until / 1_000 - (Number.isNaN(sent) ? receivedAtSeconds : sent / 1_000))
}
