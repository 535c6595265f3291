import { useEffect, useState } from 'react'
import { clock, instant } from '../../format/clock.ts'
import { isoInstant, toInstantMs } from '../../scope/time-range.ts'
import { useScope } from '../../scope/use-scope.ts'

const STEPS = 60
/** Each moment is asked of the clusters: not every one that a pointer passes over. */
const REST_MS = 350

interface TimeScrubberProps {
  /** The moment on the map, as links write it; empty: the end of the window. */
  readonly at: string
  readonly choose: (at: string) => void
}

/** Replays the window on the map, in sixty steps. */
export function TimeScrubber({ at, choose }: TimeScrubberProps) {
  const { from, to, tz } = useScope()
  const nowMs = Date.now()
  const start = toInstantMs(from, nowMs) ?? nowMs
  const end = toInstantMs(to, nowMs) ?? nowMs
  const step = Math.max(1, (end - start) / STEPS)
  const chosen = at === '' ? STEPS : Math.round(((toInstantMs(at, nowMs) ?? end) - start) / step)
  const [moved, setMoved] = useState<number | null>(null)
  const shown = moved ?? Math.min(STEPS, Math.max(0, chosen))
  const momentMs = moved === null && at !== '' ? (toInstantMs(at, nowMs) ?? end) : start + shown * step
  useEffect(() => {
    if (moved === null) return
    const wait = setTimeout(() => {
      choose(moved === STEPS ? '' : isoInstant(momentMs))
      setMoved(null)
    }, REST_MS)
    return () => clearTimeout(wait)
  }, [moved, momentMs, choose])
  const ended = shown === STEPS
  const said = ended ? 'the end of the window' : clock(momentMs, tz, true)
  return (
    <div className="map-scrubber no-print">
      <label>
        <span className="muted">Moment</span>
        <input
          type="range"
          min={0}
          max={STEPS}
          value={shown}
          aria-valuetext={said}
          onChange={({ target }) => setMoved(Number(target.value))}
        />
      </label>
      <output title={instant(momentMs)}>{ended ? 'end of the window' : said}</output>
      {!ended && (
        <button type="button" className="button" onClick={() => setMoved(STEPS)}>
          Back to the end
        </button>
      )}
    </div>
  )
}
