import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isKnown } from '../scope/parameters.ts'
import { scopeFields } from '../scope/scope-search.ts'
import type { SearchText } from '../scope/search-codec.ts'
import { rangeTrouble } from '../scope/time-fits.ts'
import { useChangeSearch, useFields, useSearchText } from '../scope/use-scope.ts'
import { sealOf } from '../scope/whole-link.ts'

/** What is to be said about the link that was opened; it opens in any case. */
export function LinkNotes({ clusters }: { readonly clusters: readonly string[] | null }) {
  return (
    <>
      <BrokenNote />
      <UnknownNote />
      <RangeNote />
      {clusters && <ClusterNote known={clusters} />}
    </>
  )
}

/** Chat and mail programs cut links off; half a link opens, but what it shows is not what was sent. */
function BrokenNote() {
  const { pathname, searchStr } = useLocation()
  const navigate = useNavigate()
  const [seal, setSeal] = useState(() => sealOf(pathname, searchStr))
  const carried = useSearchText().k !== undefined
  useEffect(() => {
    // Checked once, then gone: it holds for the link, not for where one goes from it.
    if (carried) void navigate({ to: '.', search: ({ k: _, ...rest }: SearchText) => rest, replace: true })
  }, [carried, navigate])
  if (seal !== 'broken') return null
  return (
    <div className="note misfit" role="status">
      This link is not whole: it was cut off or changed on its way. What is left of it is shown.
      <button type="button" className="button" onClick={() => setSeal('whole')}>
        Close
      </button>
    </div>
  )
}

/** A newer Goldseam's link in an older tab: its parameters are kept, and named. */
function UnknownNote() {
  const search = useSearchText()
  const [closed, setClosed] = useState('')
  const unknown = Object.keys(search).filter((key) => !isKnown(key) && search[key] !== undefined)
  const key = unknown.join(' ')
  if (unknown.length === 0 || closed === key) return null
  return (
    <div className="note misfit" role="status">
      <span>
        This page does not know{' '}
        {unknown.slice(0, 5).map((name) => (
          <code key={name}>{name.slice(0, 40)} </code>
        ))}
        and keeps it in the link.
      </span>
      <button type="button" className="button" onClick={() => setClosed(key)}>
        Close
      </button>
    </div>
  )
}

/** Both ends are times, and still there is nothing between them to show. */
function RangeNote() {
  const { from, to } = useFields(scopeFields)
  const change = useChangeSearch()
  const trouble = rangeTrouble(from, to, Date.now())
  if (trouble === null) return null
  return (
    <div className="note misfit" role="status">
      <span>
        The time range{' '}
        <code>
          {from} to {to}
        </code>{' '}
        {trouble}. Showing the last 30 minutes.
      </span>
      <button
        type="button"
        className="button"
        onClick={() => change({ from: undefined, to: undefined }, { replace: true })}
      >
        Fix link
      </button>
    </div>
  )
}

/** An unknown cluster is never replaced by a known one. */
function ClusterNote({ known }: { readonly known: readonly string[] }) {
  const { c } = useFields(scopeFields)
  const change = useChangeSearch()
  const strange = c.filter((name) => !known.includes(name))
  if (strange.length === 0 || known.length === 0) return null
  return (
    <div className="note misfit" role="status">
      <span>
        {strange.slice(0, 5).map((name) => (
          <code key={name}>{name.slice(0, 60)} </code>
        ))}
        {strange.length === 1 ? 'is' : 'are'} not configured here (known: {known.slice(0, 12).join(', ')}).
      </span>
      <button
        type="button"
        className="button"
        onClick={() => change({ c: c.filter((name) => known.includes(name)).join(',') }, { replace: true })}
      >
        Fix link
      </button>
    </div>
  )
}
