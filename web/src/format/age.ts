/** "4 s", "2 m", "3 h", then the date: an age in days says less than the day itself. */
export function age(ageSeconds: number, nowMs: number = Date.now()): string {
  if (ageSeconds < 0.5) return 'now'
  if (ageSeconds < 24 * 3600) return lasting(ageSeconds)
  return new Date(nowMs - ageSeconds * 1000).toISOString().slice(0, 10)
}

/** "4 s", "26 h", "3 d": for sentences, which go on with "ago" or "old" and have no use for a date. */
export function lasting(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} m`
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} d`
}

export function spokenAge(ageSeconds: number): string {
  if (ageSeconds < 90) return plural(Math.round(ageSeconds), 'second')
  if (ageSeconds < 90 * 60) return plural(Math.round(ageSeconds / 60), 'minute')
  return plural(Math.round(ageSeconds / 3600), 'hour')
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
