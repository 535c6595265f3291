import type { WorkloadDetail } from '@goldseam/server/contract'
import { Link } from '@tanstack/react-router'
import { clock, instant } from '../../format/clock.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { isLive, isoInstant, toInstantMs } from '../../scope/time-range.ts'
import { useScope } from '../../scope/use-scope.ts'

const HOUR_MS = 3_600_000

/** Of a workload that gets no requests just now: when it last did, and the way to a window that may hold some. */
export function LastTraffic({ detail: { series } }: { readonly detail: WorkloadDetail }) {
  const { tz, from, to, saved } = useScope()
  const at = series.at[series.requestsPerSecond.findLastIndex((rate) => rate !== null && rate > 0)]
  const wider = widerThan(from, to)
  return (
    <p className="muted workload-verdict-facts">
      {at === undefined ? (
        <span>none since {clock(series.from, tz)}</span>
      ) : (
        <span title={instant(at * 1000)}>last request {clock(at * 1000, tz)}</span>
      )}
      {saved === '' && (
        <Link to="." search={(previous: SearchText) => ({ ...previous, ...wider.search, asof: undefined })}>
          {wider.text}
        </Link>
      )}
    </p>
  )
}

/** The last hour of the window, or the last day where that is what it shows; a frozen one ends where it ends. */
function widerThan(from: string, to: string): { readonly search: SearchText; readonly text: string } {
  if (isLive(to)) {
    const search = { from: from === 'now-1h' ? 'now-24h' : 'now-1h', to: undefined }
    return { search, text: `what it called in the last ${search.from === 'now-1h' ? 'hour' : 'day'}` }
  }
  const nowMs = Date.now()
  const toMs = toInstantMs(to, nowMs) ?? nowMs
  const isHour = toMs - (toInstantMs(from, nowMs) ?? toMs) < HOUR_MS
  const search = { from: isoInstant(toMs - (isHour ? 1 : 24) * HOUR_MS) }
  return { search, text: `what it called in the ${isHour ? 'hour' : 'day'} before` }
}
