import type { Zone } from '../format/clock.ts'
import { dayOf, instantOf, type Moment, shiftDay } from './calendar.ts'
import { isoMinute, spanText, toInstantMs } from './time-range.ts'

export interface Range {
  readonly from: string
  readonly to: string
}

const MINUTE_MS = 60_000
const AROUND_MS = 15 * MINUTE_MS

const UNITS: readonly [RegExp, number][] = [
  [/^(s|secs?|seconds?)$/, 1],
  [/^(m|mins?|minutes?)$/, 60],
  [/^(h|hrs?|hours?)$/, 3_600],
  [/^(d|days?)$/, 86_400],
  [/^(w|weeks?)$/, 7 * 86_400],
]

/**
 * Understands what a person types for a time range: "last 3h", "yesterday 14:00 to 15:00", "around 03:12", "since
 * 9:30", "2 h ago to 1 h ago", "21 Nov 02:45 - 03:30", or the forms of a link. Times are of `zone`; a time of day that
 * has not come yet is yesterday's. Null for what is none.
 */
export function parsePhrase(typed: string, nowMs: number, zone: Zone): Range | null {
  const utc = /\butc$/i.test(typed.trim())
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/\s*\butc$/, '')
    .replace(/\s+/g, ' ')
  if (text === '' || text.length > 100) return null
  const at = { nowMs, zone: utc ? 'utc' : zone } as const
  return (
    lastPhrase(text) ??
    sincePhrase(text, at) ??
    aroundPhrase(text, at) ??
    dayPhrase(text, at) ??
    betweenPhrase(text, at)
  )
}

interface Here {
  readonly nowMs: number
  readonly zone: Zone
}

/** "last 3h", "past 90 minutes", "last hour", "3h", "2h 30m": up to now, and going on with it. */
function lastPhrase(text: string): Range | null {
  const rest = /^(?:the )?(?:(?:last|past) )?(.+)$/.exec(text)?.[1] ?? ''
  const seconds = spanSeconds(rest)
  return seconds === null ? null : { from: `now-${spanText(seconds)}`, to: 'now' }
}

function sincePhrase(text: string, at: Here): Range | null {
  const rest = /^since (.+)$/.exec(text)?.[1]
  const start = rest === undefined ? null : momentOf(rest, at)
  return start === null ? null : { from: isoMinute(start.atMs), to: 'now' }
}

/** A quarter of an hour to either side, as far as there is one yet. */
function aroundPhrase(text: string, at: Here): Range | null {
  const rest = /^(?:around|about|near|~) ?(.+)$/.exec(text)?.[1]
  const middle = rest === undefined ? null : momentOf(rest, at)
  if (middle === null) return null
  const end = middle.atMs + AROUND_MS
  return range(middle.atMs - AROUND_MS, end < at.nowMs ? end : null)
}

/** "today", "yesterday", "21 nov": from midnight to midnight. */
function dayPhrase(text: string, { nowMs, zone }: Here): Range | null {
  const day = dayOf(text, nowMs, zone)
  if (day === null) return null
  const end = instantOf(shiftDay(day, 1), { hour: 0, minute: 0 }, zone)
  return range(instantOf(day, { hour: 0, minute: 0 }, zone), end < nowMs ? end : null)
}

/** "A to B", where B may leave out the day that A names; or `FROM/SPAN`. */
function betweenPhrase(text: string, at: Here): Range | null {
  const spanned = /^(.+)(?:\/| for )([^/]+)$/.exec(text)
  if (spanned) {
    const start = momentOf(spanned[1] ?? '', at)
    const seconds = spanSeconds(spanned[2] ?? '')
    if (start !== null && seconds !== null) return soFar(start.atMs, start.atMs + seconds * 1000, at)
  }
  for (const cut of [/ (?:to|until|till|and) /, / ?(?:\u2013|\u2014|~) ?/, / - /, /(?<=\d) ?- ?(?=\d{1,2}(?::\d|$))/]) {
    const parts = text.replace(/^(?:from|between) /, '').split(cut)
    if (parts.length !== 2) continue
    const found = ends(parts[0] ?? '', parts[1] ?? '', at)
    if (found !== null) return found
  }
  return null
}

function ends(left: string, right: string, at: Here): Range | null {
  const end = momentOf(right, at)
  const bareRight = end !== null && end.day === null && right !== 'now'
  // "14 - 15" of a day that is named, or "14:00-15:00" of the last time there was one.
  const start = momentOf(left, at, end?.day ?? null)
  if (start === null) return null
  const day = bareRight && start.clock !== null ? start.dayOfClock : null
  const closing = day === null ? end : momentOf(right, at, day)
  if (closing === null) return null
  if (right === 'now') return { from: relative(left) ?? isoMinute(start.atMs), to: 'now' }
  // "23:30 to 00:15" goes over midnight.
  const over = closing.atMs <= start.atMs && bareRight && closing.clock !== null ? 86_400_000 : 0
  return closing.atMs + over > start.atMs ? soFar(start.atMs, closing.atMs + over, at) : null
}

interface Found {
  readonly atMs: number
  /** The day that was named; null where only a time of day, or an age, was. */
  readonly day: Moment['day'] | null
  readonly clock: Moment['clock'] | null
  /** The day that a bare time of day was taken to mean. */
  readonly dayOfClock: Moment['day'] | null
}

/** One instant: "now", "3h ago", "now-3h", RFC 3339, unix seconds, "14:00", "yesterday 14:00", "21 nov 2:45pm". */
function momentOf(text: string, { nowMs, zone }: Here, day: Moment['day'] | null = null): Found | null {
  const plain = (atMs: number): Found => ({ atMs, day: null, clock: null, dayOfClock: null })
  if (text === 'now') return plain(nowMs)
  const ago = /^(.+) ago$/.exec(text)?.[1]
  const agoSeconds = ago === undefined ? null : spanSeconds(ago)
  if (agoSeconds !== null) return plain(nowMs - agoSeconds * 1000)
  if (/^now-/.test(text) || /^\d{4}-\d{2}-\d{2}t/.test(text) || /^\d{9,13}$/.test(text)) {
    const atMs = toInstantMs(
      text.toUpperCase().replace(/^NOW-(.*)$/, (_, span: string) => `now-${span.toLowerCase()}`),
      nowMs,
    )
    return atMs === null ? null : plain(atMs)
  }
  const parts = /^(?:(.+?)(?: at)? )?(\d{1,2})(?:[:.](\d{2}))?(?: ?([ap])m)?$/.exec(text)
  if (!parts) {
    const whole = dayOf(text, nowMs, zone)
    const midnight = { hour: 0, minute: 0 }
    return whole === null
      ? null
      : { atMs: instantOf(whole, midnight, zone), day: whole, clock: midnight, dayOfClock: whole }
  }
  const clock = clockOf(Number(parts[2]), Number(parts[3] ?? 0), parts[4])
  const named = parts[1] === undefined ? null : dayOf(parts[1], nowMs, zone)
  if (clock === null || (parts[1] !== undefined && named === null)) return null
  const given = named ?? day
  if (given !== null) return { atMs: instantOf(given, clock, zone), day: named, clock, dayOfClock: given }
  const today = dayOf('today', nowMs, zone)
  if (today === null) return null
  const dayOfClock = instantOf(today, clock, zone) <= nowMs ? today : shiftDay(today, -1)
  return { atMs: instantOf(dayOfClock, clock, zone), day: null, clock, dayOfClock }
}

function clockOf(hour: number, minute: number, half: string | undefined): Moment['clock'] | null {
  if (half !== undefined && (hour < 1 || hour > 12)) return null
  const hours = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0)
  return hours <= 24 && minute < 60 && (hours < 24 || minute === 0) ? { hour: hours, minute } : null
}

/** "3h", "2 h 30 min", "hour", "an hour", "half an hour". Null for what is no span. */
function spanSeconds(text: string): number | null {
  if (/^half an hour$/.test(text)) return 1_800
  const bare = unitSeconds(text.replace(/^(an?|one) /, ''))
  if (bare !== null) return bare
  let seconds = 0
  let rest = text
  while (rest !== '') {
    const part = /^(\d+(?:\.\d+)?) ?([a-z]+)(?:,? (?:and )?|$|(?=\d))/.exec(rest)
    const unit = unitSeconds(part?.[2] ?? '')
    if (!part || unit === null) return null
    seconds += Number(part[1]) * unit
    rest = rest.slice(part[0].length)
  }
  return seconds > 0 ? seconds : null
}

function unitSeconds(name: string): number | null {
  return UNITS.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

/** The left end of "3h ago to now" stays relative, so that the view goes on with time. */
function relative(text: string): string | null {
  const seconds = spanSeconds(/^(.+) ago$/.exec(text)?.[1] ?? /^now-(.+)$/.exec(text)?.[1] ?? '')
  return seconds === null ? null : `now-${spanText(seconds)}`
}

/** What has begun and is not over yet ends now: there is no more of it, and the server takes no other end. */
function soFar(fromMs: number, toMs: number, { nowMs }: Here): Range {
  return range(fromMs, toMs > nowMs && fromMs < nowMs ? null : toMs)
}

function range(fromMs: number, toMs: number | null): Range {
  return { from: isoMinute(fromMs), to: toMs === null ? 'now' : isoMinute(toMs) }
}
