import { Suspense, useRef, useState } from 'react'
import { lazyPart } from '../answers/lazy-part.ts'
import { clock, instant } from '../format/clock.ts'
import { useChangeSearch, useScope } from '../scope/use-scope.ts'
import { useClosing } from '../ui/use-closing.ts'
import { compareName } from './compare-name.ts'
import type { Head } from './use-head.ts'

/** Loaded when the menu opens. */
const CompareForm = lazyPart(() => import('./compare-form.tsx').then((module) => module.CompareForm))

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
  const [open, setOpen] = useState(false)
  useClosing(menu)
  const compare = head.view?.head.snapshot.compare ?? null
  const chosen = COMPARES.find(({ value }) => value === cmp)?.label ?? compareName(cmp, tz)
  function choose(value: string) {
    change({ cmp: value })
    if (!menu.current) return
    menu.current.open = false
    menu.current.querySelector('summary')?.focus()
  }
  return (
    <details className="menu compare" ref={menu} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary
        className="button"
        title={compare ? `Usual: ${instant(compare.from)} to ${instant(compare.to)}` : 'No usual values yet'}
      >
        <span className="muted">vs</span> {chosen}
        {compare ? (
          <span className="muted compare-window">
            {clock(compare.from, tz)}-{clock(compare.to, tz)}
          </span>
        ) : (
          // Its room, so that nothing beside it moves when it comes.
          !head.view && <span className="compare-window compare-room" />
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
        <Suspense fallback={<div className="menu-form" />}>{open && <CompareForm choose={choose} />}</Suspense>
      </div>
    </details>
  )
}
