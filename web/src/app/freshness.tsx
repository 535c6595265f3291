import { lasting } from '../format/age.ts'
import { instant } from '../format/clock.ts'
import type { Head } from './use-head.ts'

/** After this many refreshes without anything new, "live" would be a lie. */
const STALE_AFTER_REFRESHES = 3

interface FreshnessProps {
  readonly head: Head
  readonly state: 'live' | 'paused' | 'frozen'
  readonly sinceArrivalSeconds: number
  /** Where a link says so, nothing new is asked for within so many. */
  readonly everySeconds: number
}

const WORDS = { live: 'Live', paused: 'Paused', frozen: 'Frozen' } as const

/** Age of the oldest data on screen. Driven by data that arrived, not by questions that were asked. */
export function Freshness({ head, state, sinceArrivalSeconds, everySeconds }: FreshnessProps) {
  const answering = head.view?.head.clusters.some(({ state: of }) => of !== 'down' && of !== 'pending')
  if (!head.view || !answering) return <span className="freshness muted">No data yet</span>
  if (head.isBefore) return <span className="freshness hatched">Reading</span>
  const { snapshot } = head.view.head
  const oldest = head.view.oldestSeconds + sinceArrivalSeconds
  const limit = Math.max(everySeconds, snapshot.refreshSeconds) * STALE_AFTER_REFRESHES
  const stale = state === 'live' && oldest > limit
  // With one cluster silent the others are live still.
  const dead = stale && (sinceArrivalSeconds > limit || !head.view.head.clusters.some(({ state: of }) => of === 'ok'))
  return (
    <span
      className={stale ? 'freshness hatched' : 'freshness'}
      data-state={stale ? 'stale' : state}
      title={`Snapshot of ${instant(snapshot.at)}; rates over ${snapshot.rateWindowSeconds} s`}
    >
      <span className="freshness-dot" aria-hidden="true" />
      {dead ? 'Not live' : WORDS[state]}
      <span className="muted">{state === 'frozen' ? '' : oldest < 0.5 ? 'now' : `${lasting(oldest)} ago`}</span>
    </span>
  )
}
