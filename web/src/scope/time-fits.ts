import { toInstantMs } from './time-range.ts'

/** What the server takes, known beforehand: a link with more opens with the default instead of an error page. */

const DAY_SECONDS = 86_400
const UNIT_SECONDS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3_600,
  d: DAY_SECONDS,
  w: 7 * DAY_SECONDS,
}
const LONGEST_SPAN_SECONDS = 30 * DAY_SECONDS
/** Clocks of browsers are not the server's, which looks at it by its own. */
const SLACK_SECONDS = 900

function seconds(text: string): number {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/.exec(text)
  return Number(parts?.[1]) * (UNIT_SECONDS[parts?.[2] ?? ''] ?? Number.NaN)
}

/** A rate window: 15 s to 1 h. */
export function windowFits(text: string): boolean {
  const window = seconds(text)
  return window >= 15 && window <= 3_600
}

/** `prev`, `1d` (an hour to a year ago), or `2026-11-20T03:00Z/30m` (1 minute to 6 hours, over by now). */
export function compareFits(text: string, nowMs: number = Date.now()): boolean {
  if (text === '' || text === 'prev') return true
  if (/^\d+[hdw]$/.test(text)) return seconds(text) >= 3_600 && seconds(text) <= 366 * DAY_SECONDS
  const [from = '', span = ''] = text.split('/')
  const startMs = /^\d+[smh]$/.test(span) && isInstant(from) ? toInstantMs(from, nowMs) : null
  const length = seconds(span)
  return startMs !== null && length >= 60 && length <= 6 * 3_600 && startMs / 1000 + length <= nowMs / 1000
}

function isInstant(text: string): boolean {
  return /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?Z|\d{9,13})$/.test(text)
}

/** Why the server would refuse this time range; null when it takes it. */
export function rangeTrouble(from: string, to: string, nowMs: number): string | null {
  const start = toInstantMs(from, nowMs)
  const end = toInstantMs(to, nowMs)
  if (start === null || end === null) return 'is no time'
  if (end > nowMs + SLACK_SECONDS * 1000) return 'lies in the future'
  if (start >= end) return 'is empty: it ends before it starts'
  return end - start > LONGEST_SPAN_SECONDS * 1000 ? 'is longer than 30 days' : null
}
