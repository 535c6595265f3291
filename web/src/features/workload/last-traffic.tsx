import type { WorkloadDetail } from '@goldseam/server/contract'
import { Link } from '@tanstack/react-router'
import { clock, instant } from '../../format/clock.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { useScope } from '../../scope/use-scope.ts'

/** Of a workload that gets no requests just now: when it last did, and the way to a window that may hold some. */
export function LastTraffic({ detail: { series } }: { readonly detail: WorkloadDetail }) {
  const { tz, from } = useScope()
  const at = series.at[series.requestsPerSecond.findLastIndex((rate) => rate !== null && rate > 0)]
  const wider = from === 'now-1h' ? 'now-24h' : 'now-1h'
  return (
    <p className="muted workload-verdict-facts">
      {at === undefined ? (
        <span>none since {clock(series.from, tz)}</span>
      ) : (
        <span title={instant(at * 1000)}>last request {clock(at * 1000, tz)}</span>
      )}
      <Link to="." search={(previous: SearchText) => ({ ...previous, from: wider, to: undefined, asof: undefined })}>
        {wider === 'now-1h' ? 'what it called in the last hour' : 'what it called in the last day'}
      </Link>
    </p>
  )
}
