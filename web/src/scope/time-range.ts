const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** A view that ends now moves with time; one that ends at an instant is frozen. */
export function isLive(to: string): boolean {
  return to.startsWith('now')
}

export const PRESETS = [
  { from: 'now-15m', label: 'Last 15 min' },
  { from: 'now-30m', label: 'Last 30 min' },
  { from: 'now-1h', label: 'Last hour' },
  { from: 'now-3h', label: 'Last 3 h' },
  { from: 'now-12h', label: 'Last 12 h' },
  { from: 'now-1d', label: 'Last day' },
  { from: 'now-7d', label: 'Last 7 days' },
] as const

/** A TimeText as milliseconds since 1970. Null for what is none. */
export function toInstantMs(text: string, nowMs: number): number | null {
  if (text === 'now') return nowMs
  const relative = /^now-(\d+(?:\.\d+)?)([smhd])$/.exec(text)
  if (relative) return nowMs - Number(relative[1]) * (UNIT_SECONDS[relative[2] ?? 's'] ?? 1) * 1000
  if (/^\d+(\.\d+)?$/.test(text)) {
    const value = Number(text)
    // Thirteen digits are milliseconds, as browsers and Grafana write them.
    return value > 1e11 ? value : value * 1000
  }
  const parsed = Date.parse(text)
  return Number.isNaN(parsed) ? null : parsed
}

/** The same width, one width earlier (-1) or later (+1), as absolute minutes. */
export function shifted(from: string, to: string, steps: number, nowMs: number): { from: string; to: string } | null {
  const start = toInstantMs(from, nowMs)
  const end = toInstantMs(to, nowMs)
  if (start === null || end === null || end <= start) return null
  const width = (end - start) * steps
  return end + width >= nowMs ? null : { from: isoMinute(start + width), to: isoMinute(end + width) }
}

/** Both ends as fixed instants, for a link that shows tomorrow what it shows today. `atMs`: what "now" is on screen. */
export function frozen(from: string, to: string, atMs: number): { from: string; to: string } {
  return { from: isoInstant(toInstantMs(from, atMs) ?? atMs), to: isoInstant(toInstantMs(to, atMs) ?? atMs) }
}

/** The same width, up to now and going on with time. */
export function livened(from: string, to: string, nowMs: number): { from: string; to: string } {
  if (isLive(to)) return { from, to }
  const start = toInstantMs(from, nowMs)
  const end = toInstantMs(to, nowMs)
  if (start === null || end === null || end <= start) return { from: 'now-30m', to: 'now' }
  return { from: `now-${spanText(Math.max(1, Math.round((end - start) / 60_000)) * 60)}`, to: 'now' }
}

/** As links write it: the largest unit that leaves no fraction. */
export function spanText(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole % 86_400 === 0) return `${whole / 86_400}d`
  if (whole % 3_600 === 0) return `${whole / 3_600}h`
  return whole % 60 === 0 ? `${whole / 60}m` : `${whole}s`
}

export function isoMinute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}Z`
}

/** To the minute where it is a whole one, else to the second: half a minute can decide whether trouble is seen. */
export function isoInstant(ms: number): string {
  const text = new Date(Math.floor(ms / 1000) * 1000).toISOString()
  return text.slice(17, 19) === '00' ? `${text.slice(0, 16)}Z` : `${text.slice(0, 19)}Z`
}

/** `20261121T0331Z`: when a live link was copied. */
export function asOfText(ms: number): string {
  return isoMinute(ms).replace(/[-:]/g, '')
}

export function asOfMs(text: string): number | null {
  const parts = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?Z$/.exec(text)
  if (!parts) return null
  const [year, month, date, hour, minute, second] = parts.slice(1).map((part) => Number(part ?? 0))
  return Date.UTC(year ?? 0, (month ?? 1) - 1, date, hour, minute, second)
}
