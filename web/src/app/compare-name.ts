import { stretch } from '../format/stretch.ts'
import { toInstantMs } from '../scope/time-range.ts'

/** What `cmp` of a link says, in words. */
export function compareName(cmp: string, zone: 'utc' | 'local'): string {
  const [from = '', span = ''] = cmp.split('/')
  const fromMs = toInstantMs(from, 0)
  const minutes = /^(\d+)([smh])$/.exec(span)
  if (fromMs === null || !minutes) return cmp === 'prev' ? 'usual' : `${cmp} before`
  const perUnit = { s: 1, m: 60, h: 3_600 }[minutes[2] ?? 'm'] ?? 60
  return stretch(fromMs, fromMs + Number(minutes[1]) * perUnit * 1000, zone)
}
