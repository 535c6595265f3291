import { type FormEvent, useRef, useState } from 'react'
import { clock, instant } from '../format/clock.ts'
import { stretch, zoneName } from '../format/stretch.ts'
import { rangeTrouble } from '../scope/time-fits.ts'
import { parsePhrase, type Range } from '../scope/time-phrase.ts'
import { PRESETS, toInstantMs } from '../scope/time-range.ts'
import { useChangeSearch, useScope } from '../scope/use-scope.ts'
import { useClosing } from '../ui/use-closing.ts'
import { useKey } from '../ui/use-key.ts'

/** The time range: presets, or typed as a person says it. */
export function RangeMenu() {
  const { from, to, tz } = useScope()
  const change = useChangeSearch()
  const menu = useRef<HTMLDetailsElement>(null)
  const [open, setOpen] = useState(false)
  useClosing(menu)
  useKey('t', (event) => {
    event.preventDefault()
    if (!menu.current) return
    menu.current.open = true
    menu.current.querySelector('input')?.select()
  })
  function choose(range: Range) {
    change({ ...range })
    if (!menu.current) return
    menu.current.open = false
    menu.current.querySelector('summary')?.focus()
  }
  return (
    <details className="menu" ref={menu} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="button" title={absolute(from, to)}>
        {rangeLabel(from, to, tz)} <span aria-hidden="true">▾</span>
      </summary>
      <div className="menu-panel">
        <div className="menu-presets">
          {PRESETS.map((preset) => (
            <button
              key={preset.from}
              type="button"
              className="button button-plain"
              aria-pressed={to === 'now' && from === preset.from}
              onClick={() => choose({ from: preset.from, to: 'now' })}
            >
              {preset.label}
            </button>
          ))}
        </div>
        {open && <PhraseForm key={`${from} ${to}`} apply={choose} />}
      </div>
    </details>
  )
}

const EXAMPLES = ['last 3h', 'yesterday 14:00 to 15:00', 'around 03:12', 'since 09:30']

/** What is typed is understood while it is typed, so that nobody has to guess the grammar. */
function PhraseForm({ apply }: { readonly apply: (range: Range) => void }) {
  const { from, to, tz } = useScope()
  const change = useChangeSearch()
  const [typed, setTyped] = useState('')
  const nowMs = Date.now()
  const range = parsePhrase(typed, nowMs, tz)
  const trouble = range && rangeTrouble(range.from, range.to, nowMs)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (range && trouble === null) apply(range)
  }
  return (
    <form className="menu-form" onSubmit={submit}>
      <label>
        Time range
        <input
          className="field"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          placeholder="last 3h"
          aria-describedby="range-meaning"
          maxLength={100}
          size={26}
          spellCheck={false}
          autoComplete="off"
        />
      </label>
      <p id="range-meaning" className="menu-meaning" aria-live="polite">
        {typed.trim() === '' ? (
          <span className="muted">Now: {drawn({ from, to }, nowMs, tz)}</span>
        ) : range === null ? (
          <span className="muted">Not understood yet. Like: {EXAMPLES.join(' · ')}</span>
        ) : trouble !== null ? (
          `That ${trouble}.`
        ) : (
          drawn(range, nowMs, tz)
        )}
      </p>
      <button type="submit" className="button" disabled={!range || trouble !== null}>
        Apply
      </button>
      <fieldset className="menu-zone">
        <legend className="muted">Times are shown in</legend>
        {(['local', 'utc'] as const).map((zone) => (
          <button
            key={zone}
            type="button"
            className="button button-plain"
            aria-pressed={tz === zone}
            onClick={() => change({ tz: zone }, { replace: true })}
          >
            {zone === 'utc' ? 'UTC' : `local time (${zoneName(nowMs, 'local')})`}
          </button>
        ))}
      </fieldset>
    </form>
  )
}

function drawn({ from, to }: Range, nowMs: number, zone: 'utc' | 'local'): string {
  const text = stretch(toInstantMs(from, nowMs) ?? nowMs, toInstantMs(to, nowMs) ?? nowMs, zone)
  return to === 'now' ? `${text}, live` : text
}

function rangeLabel(from: string, to: string, zone: 'utc' | 'local'): string {
  const preset = PRESETS.find((candidate) => candidate.from === from && to === 'now')
  if (preset) return preset.label
  const nowMs = Date.now()
  if (to !== 'now') return stretch(toInstantMs(from, nowMs) ?? nowMs, toInstantMs(to, nowMs) ?? nowMs, zone)
  return from.startsWith('now-')
    ? from.replace('now-', 'Last ')
    : `Since ${clock(toInstantMs(from, nowMs) ?? nowMs, zone)}`
}

function absolute(from: string, to: string): string {
  const nowMs = Date.now()
  return `${instant(toInstantMs(from, nowMs) ?? nowMs)} to ${instant(toInstantMs(to, nowMs) ?? nowMs)}`
}
