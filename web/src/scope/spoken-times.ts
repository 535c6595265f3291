import { clock } from '../format/clock.ts'
import { isLive, toInstantMs } from './time-range.ts'
import { useScope } from './use-scope.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/**
 * The server's sentences name times of day in UTC ("Since 03:12 UTC"); beside clocks of the reader's own zone they say
 * them so too. The day is the last one before `atMs`, which matters where clocks are put forward.
 */
export function inReadersZone(sentence: string, atMs: number, zone: 'utc' | 'local'): string {
  if (zone === 'utc') return sentence
  return sentence.replace(/\b(\d\d):(\d\d)(:\d\d)? UTC\b/g, (_, hours: string, minutes: string, seconds = '') => {
    const midnight = Math.floor(atMs / DAY_MS) * DAY_MS
    const thatDay = midnight + (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
    return clock(thatDay > atMs + MINUTE_MS ? thatDay - DAY_MS : thatDay, 'local') + seconds
  })
}

/** Says a sentence of the server in the zone that the page shows. */
export function useReadersZone(): (sentence: string) => string {
  const { to, tz } = useScope()
  return (sentence) => {
    const nowMs = Date.now()
    return inReadersZone(sentence, isLive(to) ? nowMs : (toInstantMs(to, nowMs) ?? nowMs), tz)
  }
}
