import './compare-chosen.css'
import { Link } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'
import { nameInSentence } from '../../format/workload-name.ts'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'

interface CompareChosenProps {
  /** One or two workloads. */
  readonly ids: readonly string[]
  readonly body: RefObject<HTMLTableSectionElement | null>
  readonly clear: () => void
}

/** What was chosen with x, and where the two are laid side by side. */
export function CompareChosen({ ids, body, clear }: CompareChosenProps) {
  const [a = '', b] = ids
  useEffect(() => {
    // Rows come and go while one scrolls: each look marks those that are there.
    const rows = body.current
    const mark = () => {
      for (const row of rows?.querySelectorAll<HTMLElement>('tr[data-row]') ?? []) {
        if (ids.includes(row.dataset.row ?? '')) row.setAttribute('aria-selected', 'true')
        else row.removeAttribute('aria-selected')
      }
    }
    mark()
    const watching = new MutationObserver(mark)
    if (rows) watching.observe(rows, { childList: true })
    return () => {
      watching.disconnect()
      for (const row of rows?.querySelectorAll('[aria-selected]') ?? []) row.removeAttribute('aria-selected')
    }
  }, [ids, body])
  return (
    <div className="chosen no-print" role="status">
      <span>
        {nameInSentence(a)}
        {b === undefined ? ': press x on another row to compare the two' : ` and ${nameInSentence(b)}`}
      </span>
      {b !== undefined && (
        <Link className="button" to="/compare" search={(before: SearchText) => ({ ...keepScope(before), a, b })}>
          Compare
        </Link>
      )}
      <button type="button" className="button" onClick={clear}>
        Clear
      </button>
    </div>
  )
}
