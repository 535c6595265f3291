import { everySecondsOf } from '../scope/every-seconds.ts'
import { isLive, livened, shifted } from '../scope/time-range.ts'
import { useChangeSearch, useScope } from '../scope/use-scope.ts'
import { useNowMs } from '../ui/now.ts'
import { useKey } from '../ui/use-key.ts'
import { ClusterPills } from './cluster-pills.tsx'
import { CompareMenu } from './compare-menu.tsx'
import { Freshness } from './freshness.tsx'
import { RangeMenu } from './range-menu.tsx'
import { ShareMenu } from './share-menu.tsx'
import type { Head } from './use-head.ts'

export function ScopeBar({ head }: { readonly head: Head }) {
  const { from, to, refresh, saved } = useScope()
  const change = useChangeSearch()
  const nowMs = useNowMs()
  const live = isLive(to) && saved === ''
  const paused = refresh === 'off'
  const frozen = !live || head.isAtMoment
  // What is known of a moment that has passed grows no older.
  const ages = head.updatedAt > 0 && !frozen
  const sinceArrivalSeconds = ages ? Math.max(0, nowMs - head.updatedAt) / 1000 : 0
  function togglePause() {
    if (live) change({ refresh: paused ? undefined : 'off' }, { replace: true })
  }
  useKey('p', togglePause)
  useKey('r', head.refetch)
  function step(steps: number) {
    const clickedMs = Date.now()
    change(shifted(from, to, steps, clickedMs) ?? livened(from, to, clickedMs))
  }
  return (
    <div className="scope-bar no-print">
      <div className="scope-time">
        <RangeMenu />
        <button type="button" className="button" aria-label="Earlier" onClick={() => step(-1)}>
          ‹
        </button>
        <button type="button" className="button" aria-label="Later" disabled={isLive(to)} onClick={() => step(1)}>
          ›
        </button>
        {live && (
          <button
            type="button"
            className="button"
            aria-pressed={paused}
            onClick={togglePause}
            title="Pause or go on (p)"
          >
            {paused ? 'Go on' : 'Pause'}
          </button>
        )}
        <Freshness
          head={head}
          state={frozen ? 'frozen' : paused ? 'paused' : 'live'}
          sinceArrivalSeconds={sinceArrivalSeconds}
          everySeconds={everySecondsOf(refresh)}
        />
        <CompareMenu head={head} />
        <ShareMenu head={head} />
      </div>
      {head.view && <ClusterPills clusters={head.view.head.clusters} sinceArrivalSeconds={sinceArrivalSeconds} />}
    </div>
  )
}
