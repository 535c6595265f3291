import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { instant } from '../format/clock.ts'
import { seenFrom, stretch } from '../format/stretch.ts'
import { PRESETS, toInstantMs } from '../scope/time-range.ts'
import { useChangeSearch, useScope } from '../scope/use-scope.ts'
import { useClosing } from '../ui/use-closing.ts'
import { useKey } from '../ui/use-key.ts'
import { PhraseForm } from './phrase-form.tsx'

interface Range {
  readonly from: string
  readonly to: string
}

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
    // At once, not when the browser tells that it is open: what is typed next belongs into the field.
    flushSync(() => setOpen(true))
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

function rangeLabel(from: string, to: string, zone: 'utc' | 'local'): string {
  const preset = PRESETS.find((candidate) => candidate.from === from && to === 'now')
  if (preset) return preset.label
  const nowMs = Date.now()
  if (to !== 'now') return stretch(toInstantMs(from, nowMs) ?? nowMs, toInstantMs(to, nowMs) ?? nowMs, zone)
  return from.startsWith('now-')
    ? from.replace('now-', 'Last ')
    : `Since ${seenFrom(nowMs, toInstantMs(from, nowMs) ?? nowMs, zone)}`
}

function absolute(from: string, to: string): string {
  const nowMs = Date.now()
  return `${instant(toInstantMs(from, nowMs) ?? nowMs)} to ${instant(toInstantMs(to, nowMs) ?? nowMs)}`
}
