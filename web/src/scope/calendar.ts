import type { Zone } from '../format/clock.ts'

export interface Moment {
  readonly day: { readonly year: number /** 0 to 11. */; readonly month: number; readonly date: number }
  readonly clock: { readonly hour: number; readonly minute: number }
}
type Day = Moment['day']

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** "today", "yesterday", "monday" (the last one), "21 nov", "nov 21 2026", "2026-11-21". Null for what is no day. */
export function dayOf(text: string, nowMs: number, zone: Zone): Day | null {
  const today = dayAt(nowMs, zone)
  if (text === 'today') return today
  if (text === 'yesterday') return shiftDay(today, -1)
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (iso) return real({ year: Number(iso[1]), month: Number(iso[2]) - 1, date: Number(iso[3]) })
  const weekday = /^(?:last )?(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?$/.exec(text)
  if (weekday) {
    const wanted = WEEKDAYS.indexOf((weekday[1] ?? '').slice(0, 3))
    const back = (weekdayOf(today) - wanted + 7) % 7
    return shiftDay(today, back === 0 ? -7 : -back)
  }
  const named =
    /^(\d{1,2})\.? ([a-z]{3,9})\.?(?:,? (\d{4}))?$/.exec(text) ??
    /^([a-z]{3,9})\.? (\d{1,2})(?:,? (\d{4}))?$/.exec(text)
  if (!named) return null
  const [date, name] = /^\d/.test(named[1] ?? '') ? [named[1], named[2]] : [named[2], named[1]]
  const month = MONTHS.indexOf((name ?? '').slice(0, 3))
  if (month < 0) return null
  const given = named[3] === undefined ? null : Number(named[3])
  const day = real({ year: given ?? today.year, month, date: Number(date) })
  // Without a year it is the last one that there was.
  if (day === null || given !== null || instantOf(day, { hour: 0, minute: 0 }, zone) <= nowMs) return day
  return real({ ...day, year: day.year - 1 })
}

/** Milliseconds since 1970. An hour that the clocks leave out becomes the one after it. */
export function instantOf({ year, month, date }: Day, { hour, minute }: Moment['clock'], zone: Zone): number {
  return zone === 'utc'
    ? Date.UTC(year, month, date, hour, minute)
    : new Date(year, month, date, hour, minute).getTime()
}

export function shiftDay({ year, month, date }: Day, days: number): Day {
  const moved = new Date(Date.UTC(year, month, date + days))
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth(), date: moved.getUTCDate() }
}

function dayAt(atMs: number, zone: Zone): Day {
  const at = new Date(atMs)
  return zone === 'utc'
    ? { year: at.getUTCFullYear(), month: at.getUTCMonth(), date: at.getUTCDate() }
    : { year: at.getFullYear(), month: at.getMonth(), date: at.getDate() }
}

function weekdayOf({ year, month, date }: Day): number {
  return new Date(Date.UTC(year, month, date)).getUTCDay()
}

/** Null for the 31st of a month that has none. */
function real(day: Day): Day | null {
  const same = shiftDay(day, 0)
  return same.month === day.month && same.date === day.date ? day : null
}
