import type { WallFrame } from '@goldseam/server/contract'
import { clock } from '../format/clock.ts'
import { Glyph } from '../ui/glyph.tsx'
import { counted } from './state.ts'

interface HeaderProps {
  readonly frame: WallFrame | null
  readonly ageSeconds: number | null
  readonly height: number
  readonly units: number
}

/** Is the screen alive? The clock is the server's and moves only when data comes; the age counts while it does not. */
export function Header({ frame, ageSeconds, height, units }: HeaderProps) {
  const clusters = frame?.clusters ?? []
  const seen = clusters.filter(({ state }) => state === 'ok' || state === 'partial').length
  const counts = clusters.map((cluster) => ({ name: cluster.name, ...countsOf(cluster) }))
  // What each cluster's counts take, beside what always stands there.
  const free = units - (units >= 24 ? 18 : 12) - counts.reduce((sum, { name }) => sum + name.length * 0.55 + 5.4, 0)
  const each = free > 0
  const bad = counts.reduce((sum, count) => sum + count.bad, 0)
  const ok = counts.reduce((sum, count) => sum + count.ok, 0)
  return (
    <header className="wall-header" style={{ height }}>
      {units >= 24 && <span className="wall-brand">GOLDSEAM</span>}
      <time className="wall-clock">{frame === null ? '--:--:--' : clock(frame.sentAt, 'local', true)}</time>
      <span className="wall-age">{ageSeconds === null ? 'no data' : `data ${counted(ageSeconds)}`}</span>
      <span className="wall-space" />
      {each
        ? counts.map((count) => (
            <span key={count.name} className="wall-count">
              <b>{count.name}</b> <Glyph mark={count.seen ? 'ok' : 'stale'} /> {count.seen ? count.ok : count.all}{' '}
              {count.bad > 0 && <Bad count={count.bad} />}
            </span>
          ))
        : units >= 17 && (
            <span className="wall-count">
              <Glyph mark="ok" /> {ok} {bad > 0 && <Bad count={bad} />}
            </span>
          )}
      <span className="wall-seen" data-all={seen === clusters.length}>
        {seen}/{clusters.length}
        {(each ? free > 4 : units >= 30) ? ' clusters' : ''}
      </span>
    </header>
  )
}

function Bad({ count }: { readonly count: number }) {
  return (
    <span className="wall-bad">
      <Glyph mark="crit" /> {count}
    </span>
  )
}

interface Counts {
  readonly ok: number
  readonly bad: number
  readonly all: number
  readonly seen: boolean
}

function countsOf({ marks, state }: WallFrame['clusters'][number]): Counts {
  const ok = marks.filter((mark) => mark === 'ok').length
  const still = marks.filter((mark) => mark === 'none' || mark === 'stale').length
  return { ok, bad: marks.length - ok - still, all: marks.length, seen: state === 'ok' || state === 'partial' }
}
