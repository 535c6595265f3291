import type { SearchText } from '../../scope/search-codec.ts'
import { isLive, isoInstant, toInstantMs } from '../../scope/time-range.ts'

const HOUR_MS = 3_600_000
const LOOKS = [
  { spanMs: 24 * HOUR_MS, from: 'now-1d', text: 'look a day back' },
  { spanMs: 7 * 24 * HOUR_MS, from: 'now-7d', text: 'look a week back' },
] as const

interface Idle {
  readonly from: string
  readonly to: string
  readonly rateWindowSeconds: number
  /** When it got its last request, as far as the window shows; null where it shows none. */
  readonly lastMs: number | null
  readonly nowMs: number
}

interface LongerWindow {
  readonly text: string
  readonly search: SearchText
}

/**
 * Where a workload that gets no requests just now may have some. Its calls are those of the rate window, however far
 * back the charts reach: an hour is the longest that may be asked for. When it was last asked, longer charts tell.
 */
export function longerWindows({ from, to, rateWindowSeconds, lastMs, nowMs }: Idle): LongerWindow[] {
  const toMs = toInstantMs(to, nowMs) ?? nowMs
  const fromMs = toInstantMs(from, nowMs) ?? toMs
  const found: LongerWindow[] = []
  // Nobody knows of what was before the charts.
  const mayBeWithinHour = toMs - (lastMs ?? fromMs) < HOUR_MS
  if (rateWindowSeconds * 1000 < HOUR_MS && mayBeWithinHour) {
    const text = `what it called in the ${isLive(to) ? 'last hour' : 'hour before'}`
    found.push({ text, search: { window: '1h' } })
  }
  const look = lastMs === null ? LOOKS.find(({ spanMs }) => toMs - fromMs < spanMs) : undefined
  if (look !== undefined) {
    const search = { from: isLive(to) ? look.from : isoInstant(toMs - look.spanMs) }
    found.push({ text: look.text, search })
  }
  return found
}
