import type { WorkloadDetail } from '@goldseam/server/contract'
import { Link } from '@tanstack/react-router'
import { instant } from '../../format/clock.ts'
import { seenFrom } from '../../format/stretch.ts'
import { withSearch } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { useScope } from '../../scope/use-scope.ts'
import { longerWindows } from './longer-windows.ts'

/** Of a workload that gets no requests just now: when it last did, and the way to windows that may hold some. */
export function LastTraffic({ detail: { series, snapshot } }: { readonly detail: WorkloadDetail }) {
  const { tz, from, to, saved } = useScope()
  const at = series.at[series.requestsPerSecond.findLastIndex((rate) => rate !== null && rate > 0)]
  const lastMs = at === undefined ? null : at * 1000
  const nowMs = Date.parse(snapshot.at)
  const longer = longerWindows({ from, to, rateWindowSeconds: snapshot.rateWindowSeconds, lastMs, nowMs })
  return (
    <p className="muted workload-verdict-facts">
      {lastMs === null ? (
        <span>none since {seenFrom(nowMs, Date.parse(series.from), tz)}</span>
      ) : (
        <span title={instant(lastMs)}>last request {seenFrom(nowMs, lastMs, tz)}</span>
      )}
      {saved === '' &&
        longer.map(({ text, search }) => (
          <Link key={text} to="." search={(previous: SearchText) => withSearch(previous, search)}>
            {text}
          </Link>
        ))}
    </p>
  )
}
