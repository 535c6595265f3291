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
  const age = ageSeconds === null ? 'no data' : `${units < 15 ? '' : 'data '}${counted(ageSeconds)}`
  const bad = counts.reduce((sum, count) => sum + count.bad, 0)
  const ok = counts.reduce((sum, count) => sum + count.ok, 0)
  // What is in trouble is said in any case; how many are well, where there is room.
  const taken = 8.5 + age.length * 0.5 + `${seen}/${clusters.length}`.length * 0.56 + (bad > 0 ? widthOf(bad) : 0)
  const showOk = units >= 24 || units - taken > widthOf(ok)
  return (
    <header className="wall-header" data-narrow={units < 24} style={{ height }}>
      {units >= 24 && <span className="wall-brand">GOLDSEAM</span>}
      <time className="wall-clock">{frame === null ? '--:--:--' : clock(frame.sentAt, 'local', true)}</time>
      <span className="wall-age" data-old={frame !== null && seen === 0}>
        {age}
      </span>
      <span className="wall-space" />
      {each
        ? counts.map((count) => (
            <span key={count.name} className="wall-count">
              <b>{count.name}</b> <Glyph mark={count.seen ? 'ok' : 'stale'} /> {count.seen ? count.ok : count.all}{' '}
              {count.bad > 0 && <Bad count={count.bad} />}
            </span>
          ))
        : (showOk || bad > 0) && (
            <span className="wall-count">
              {showOk && (
                <>
                  <Glyph mark="ok" /> {ok}{' '}
                </>
              )}
              {bad > 0 && <Bad count={bad} />}
            </span>
          )}
      <span className="wall-seen" data-all={seen === clusters.length}>
        {seen}/{clusters.length}
        {(each ? free > 4 : units >= 30) ? ' clusters' : ''}
      </span>
    </header>
  )
}

/** Of a sign and a number, in units. */
function widthOf(count: number): number {
  return 1.5 + String(count).length * 0.56
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
