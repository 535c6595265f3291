import { clock, instant } from '../format/clock.ts'
import { frozen, isLive, shifted } from '../scope/time-range.ts'
import { useChangeSearch, useScope } from '../scope/use-scope.ts'
import { useNowMs } from '../ui/now.ts'
import { useKey } from '../ui/use-key.ts'
import { ClusterPills } from './cluster-pills.tsx'
import { Freshness } from './freshness.tsx'
import { RangeMenu } from './range-menu.tsx'
import type { Head } from './use-head.ts'

const COMPARES = [
  { value: '', label: 'usual' },
  { value: '1d', label: 'a day before' },
  { value: '7d', label: 'a week before' },
] as const

export function ScopeBar({ head }: { readonly head: Head }) {
  const { from, to, refresh } = useScope()
  const change = useChangeSearch()
  const nowMs = useNowMs()
  const live = isLive(to)
  const paused = refresh === 'off'
  const sinceArrivalSeconds = head.updatedAt > 0 ? Math.max(0, nowMs - head.updatedAt) / 1000 : 0
  function togglePause() {
    if (live) change({ refresh: paused ? undefined : 'off' }, { replace: true })
  }
  useKey('p', togglePause)
  useKey('r', head.refetch)
  useKey('Y', () => change({ ...frozen(from, to, Date.now()), refresh: undefined }))
  function step(steps: number) {
    change(shifted(from, to, steps, Date.now()) ?? { from: undefined, to: undefined })
  }
  return (
    <div className="scope-bar no-print">
      <div className="scope-time">
        <RangeMenu />
        <button type="button" className="button" aria-label="Earlier" onClick={() => step(-1)}>
          ‹
        </button>
        <button type="button" className="button" aria-label="Later" disabled={live} onClick={() => step(1)}>
          ›
        </button>
        {live ? (
          <button
            type="button"
            className="button"
            aria-pressed={paused}
            onClick={togglePause}
            title="Pause or go on (p)"
          >
            {paused ? 'Go on' : 'Pause'}
          </button>
        ) : (
          <button type="button" className="button" onClick={() => change({ from: undefined, to: undefined })}>
            Go live
          </button>
        )}
        <Freshness
          head={head}
          state={!live ? 'frozen' : paused ? 'paused' : 'live'}
          sinceArrivalSeconds={sinceArrivalSeconds}
        />
        <CompareChip head={head} />
      </div>
      {head.view && <ClusterPills clusters={head.view.head.clusters} sinceArrivalSeconds={sinceArrivalSeconds} />}
    </div>
  )
}

function CompareChip({ head }: { readonly head: Head }) {
  const { cmp, tz } = useScope()
  const change = useChangeSearch()
  const compare = head.view?.head.snapshot.compare ?? null
  const known = COMPARES.some(({ value }) => value === cmp)
  return (
    <label
      className="compare"
      title={compare ? `Usual: ${instant(compare.from)} to ${instant(compare.to)}` : 'No usual values yet'}
    >
      <span className="muted">vs</span>
      <select className="field" value={cmp} onChange={({ target }) => change({ cmp: target.value })}>
        {COMPARES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {!known && <option value={cmp}>{cmp}</option>}
      </select>
      {compare && (
        <span className="muted compare-window">
          {clock(compare.from, tz)}-{clock(compare.to, tz)}
        </span>
      )}
    </label>
  )
}
