import { type FormEvent, useRef, useState } from 'react'
import { clock, instant } from '../format/clock.ts'
import { stretch } from '../format/stretch.ts'
import { compareFits } from '../scope/time-fits.ts'
import { parsePhrase } from '../scope/time-phrase.ts'
import { isoMinute, toInstantMs } from '../scope/time-range.ts'
import { useChangeSearch, useScope } from '../scope/use-scope.ts'
import { useClosing } from '../ui/use-closing.ts'
import type { Head } from './use-head.ts'

const COMPARES = [
  { value: '', label: 'usual' },
  { value: '1d', label: 'a day before' },
  { value: '7d', label: 'a week before' },
] as const

/** What the numbers are held against: the calm stretch before, as long ago as one says, or a stretch one names. */
export function CompareMenu({ head }: { readonly head: Head }) {
  const { cmp, tz } = useScope()
  const change = useChangeSearch()
  const menu = useRef<HTMLDetailsElement>(null)
  useClosing(menu)
  const compare = head.view?.head.snapshot.compare ?? null
  const chosen = COMPARES.find(({ value }) => value === cmp)?.label ?? named(cmp, tz)
  function choose(value: string) {
    change({ cmp: value })
    if (!menu.current) return
    menu.current.open = false
    menu.current.querySelector('summary')?.focus()
  }
  return (
    <details className="menu compare" ref={menu}>
      <summary
        className="button"
        title={compare ? `Usual: ${instant(compare.from)} to ${instant(compare.to)}` : 'No usual values yet'}
      >
        <span className="muted">vs</span> {chosen}
        {compare && (
          <span className="muted compare-window">
            {clock(compare.from, tz)}-{clock(compare.to, tz)}
          </span>
        )}
        <span aria-hidden="true">▾</span>
      </summary>
      <div className="menu-panel">
        <div className="menu-presets">
          {COMPARES.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              className="button button-plain"
              aria-pressed={cmp === value}
              onClick={() => choose(value)}
            >
              {label}
            </button>
          ))}
        </div>
        <CompareForm choose={choose} />
      </div>
    </details>
  )
}

function CompareForm({ choose }: { readonly choose: (cmp: string) => void }) {
  const { tz } = useScope()
  const [typed, setTyped] = useState('')
  const cmp = typed.trim() === '' ? null : compareOf(typed, Date.now(), tz)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (cmp !== null) choose(cmp)
  }
  return (
    <form className="menu-form" onSubmit={submit}>
      <label>
        Another stretch
        <input
          className="field"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          placeholder="yesterday 14:00 to 15:00"
          aria-describedby="compare-meaning"
          maxLength={100}
          size={26}
          spellCheck={false}
          autoComplete="off"
        />
      </label>
      <p id="compare-meaning" className="menu-meaning" aria-live="polite">
        {cmp !== null ? named(cmp, tz) : <span className="muted">1 minute to 6 hours, over by now; or 1d, 2w</span>}
      </p>
      <button type="submit" className="button" disabled={cmp === null}>
        Compare
      </button>
    </form>
  )
}

/** As links and the server write it; null for what is no stretch that can be compared with. */
export function compareOf(typed: string, nowMs: number, zone: 'utc' | 'local'): string | null {
  const short = typed.trim()
  if (/^\d+[hdw]$/.test(short)) return compareFits(short, nowMs) ? short : null
  const range = parsePhrase(typed, nowMs, zone)
  const fromMs = range && toInstantMs(range.from, nowMs)
  const toMs = range && toInstantMs(range.to, nowMs)
  if (fromMs === null || toMs === null) return null
  const cmp = `${isoMinute(fromMs)}/${Math.round((toMs - fromMs) / 60_000)}m`
  return compareFits(cmp, nowMs) ? cmp : null
}

function named(cmp: string, zone: 'utc' | 'local'): string {
  const [from = '', span = ''] = cmp.split('/')
  const fromMs = toInstantMs(from, 0)
  const minutes = /^(\d+)([smh])$/.exec(span)
  if (fromMs === null || !minutes) return cmp === 'prev' ? 'usual' : `${cmp} before`
  const perUnit = { s: 1, m: 60, h: 3_600 }[minutes[2] ?? 'm'] ?? 60
  return stretch(fromMs, fromMs + Number(minutes[1]) * perUnit * 1000, zone)
}
