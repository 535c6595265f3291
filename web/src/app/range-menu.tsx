import { TimeText } from '@goldseam/server/contract'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { instant } from '../format/clock.ts'
import { PRESETS, toInstantMs } from '../scope/time-range.ts'
import { useChangeSearch, useScope } from '../scope/use-scope.ts'
import { useKey } from '../ui/use-key.ts'

/** The time range: presets, or both ends typed by hand. */
export function RangeMenu() {
  const { from, to } = useScope()
  const change = useChangeSearch()
  const menu = useRef<HTMLDetailsElement>(null)
  useClosing(menu)
  useKey('t', (event) => {
    event.preventDefault()
    if (!menu.current) return
    menu.current.open = true
    menu.current.querySelector('button')?.focus()
  })
  function choose(range: { from: string; to: string }) {
    change(range)
    if (menu.current) menu.current.open = false
  }
  return (
    <details className="menu" ref={menu}>
      <summary className="button" title={absolute(from, to)}>
        {rangeLabel(from, to)} <span aria-hidden="true">▾</span>
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
        <RangeForm key={`${from} ${to}`} from={from} to={to} apply={choose} />
      </div>
    </details>
  )
}

interface RangeFormProps {
  readonly from: string
  readonly to: string
  readonly apply: (range: { from: string; to: string }) => void
}

function RangeForm({ from, to, apply }: RangeFormProps) {
  const [problem, setProblem] = useState('')
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const range = { from: String(form.get('from')).trim(), to: String(form.get('to')).trim() }
    const wrong = Object.entries(range).find(([, text]) => !TimeText.safeParse(text).success)
    if (wrong) return setProblem(`${wrong[0]}: write now-30m, 2026-11-21T02:45Z or unix seconds`)
    apply(range)
  }
  return (
    <form className="menu-form" onSubmit={submit}>
      <label>
        from <input className="field" name="from" defaultValue={from} size={20} spellCheck={false} />
      </label>
      <label>
        to <input className="field" name="to" defaultValue={to} size={20} spellCheck={false} />
      </label>
      <button type="submit" className="button">
        Apply
      </button>
      {problem !== '' && <p role="alert">{problem}</p>}
    </form>
  )
}

export function rangeLabel(from: string, to: string): string {
  const preset = PRESETS.find((candidate) => candidate.from === from && to === 'now')
  if (preset) return preset.label
  return to === 'now' ? from.replace('now-', 'Last ') : `${tidy(from)} to ${tidy(to)}`
}

function tidy(text: string): string {
  const ms = text.startsWith('now') ? null : toInstantMs(text, 0)
  return ms === null ? text : instant(ms).replace(/:00 UTC$/, ' UTC')
}

function absolute(from: string, to: string): string {
  const nowMs = Date.now()
  return `${instant(toInstantMs(from, nowMs) ?? nowMs)} to ${instant(toInstantMs(to, nowMs) ?? nowMs)}`
}

/** Escape and a click elsewhere close the menu; Escape gives the focus back. */
function useClosing(menu: React.RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Escape' || !menu.current?.open) return
      menu.current.open = false
      menu.current.querySelector('summary')?.focus()
    }
    function onPointerDown(event: PointerEvent) {
      if (menu.current?.open && event.target instanceof Node && !menu.current.contains(event.target))
        menu.current.open = false
    }
    document.addEventListener('keydown', onKeyDown)
    document.addEventListener('pointerdown', onPointerDown)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('pointerdown', onPointerDown)
    }
  }, [menu])
}
