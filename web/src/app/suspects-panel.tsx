import './suspects-panel.css'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Argument } from '../features/triage/triage-screen.tsx'
import { keepScope } from '../scope/scope-search.ts'
import type { SearchText } from '../scope/search-codec.ts'
import { ArgumentActions } from './triage-page.tsx'

/** The argument beside whatever one looks at. Escape closes it, and the focus goes back to where it was. */
export function SuspectsPanel({ close }: { readonly close: () => void }) {
  const panel = useRef<HTMLElement>(null)
  const closing = useRef(close)
  closing.current = close
  useEffect(() => {
    const before = document.activeElement
    panel.current?.focus({ preventScroll: true })
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]'))
        closing.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <aside ref={panel} className="suspects-panel no-print" aria-label="Suspects" tabIndex={-1}>
      <header className="suspects-panel-head">
        <h2>Suspects</h2>
        <Link to="/triage" search={(previous: SearchText) => keepScope(previous)}>
          As a page
        </Link>
        <button type="button" className="button button-plain" aria-label="Close" onClick={close}>
          ×
        </button>
      </header>
      <div className="triage">
        <Argument actions={<ArgumentActions />} />
      </div>
    </aside>
  )
}
