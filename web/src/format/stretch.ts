import { clock, type Zone } from './clock.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** "21 Nov 02:45-03:30 UTC", the second day only where it is another one; null for one instant. */
export function stretch(fromMs: number, toMs: number | null, zone: Zone): string {
  const first = `${day(fromMs, zone)} ${clock(fromMs, zone)}`
  const name = zoneName(fromMs, zone)
  if (toMs === null) return `${first} ${name}`
  const second = day(fromMs, zone) === day(toMs, zone) ? clock(toMs, zone) : ` ${day(toMs, zone)} ${clock(toMs, zone)}`
  return `${first}-${second} ${name}`
}

/** What is called a day may end some minutes ago. */
const ABOUT_A_DAY_MS = 86_400_000 - 600_000

/** Writes the instants of a time range: with their day where it is so long that a clock comes around again. */
export function momentsIn(fromMs: number, toMs: number, zone: Zone): (atMs: number, withSeconds?: boolean) => string {
  const isLong = toMs - fromMs >= ABOUT_A_DAY_MS
  return (atMs, withSeconds = false) => `${isLong ? `${day(atMs, zone)} ` : ''}${clock(atMs, zone, withSeconds)}`
}

/** An instant as it is named at another one: the clock, and the day where that is another one. */
export function seenFrom(otherMs: number, atMs: number, zone: Zone): string {
  return `${day(atMs, zone) === day(otherMs, zone) ? '' : `${day(atMs, zone)} `}${clock(atMs, zone)}`
}

export function day(atMs: number, zone: Zone): string {
  const at = new Date(atMs)
  const [date, month] = zone === 'utc' ? [at.getUTCDate(), at.getUTCMonth()] : [at.getDate(), at.getMonth()]
  return `${date} ${MONTHS[month]}`
}

/** "UTC", or the distance from it that holds at that instant: "UTC+1", "UTC-3:30". */
export function zoneName(atMs: number, zone: Zone): string {
  const minutes = zone === 'utc' ? 0 : -new Date(atMs).getTimezoneOffset()
  if (minutes === 0) return 'UTC'
  const rest = Math.abs(minutes) % 60
  return `UTC${minutes < 0 ? '-' : '+'}${Math.floor(Math.abs(minutes) / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}
