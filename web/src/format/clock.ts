export type Zone = 'utc' | 'local'

/** Hours and minutes, as a person names an instant of today: "03:12". */
export function clock(at: string | number, zone: Zone, withSeconds = false): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return String(at)
  const hour = zone === 'utc' ? date.getUTCHours() : date.getHours()
  const minute = zone === 'utc' ? date.getUTCMinutes() : date.getMinutes()
  const second = zone === 'utc' ? date.getUTCSeconds() : date.getSeconds()
  return [hour, minute, ...(withSeconds ? [second] : [])].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Full instant for tooltips; always UTC, so that two people compare the same text. */
export function instant(at: string | number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return String(at)
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
