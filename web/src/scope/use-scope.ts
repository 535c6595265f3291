import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type Fields, readFields, type Values } from './fields.ts'
import { type ScopeValues, scopeFields, withSearch } from './scope-search.ts'
import type { SearchText } from './search-codec.ts'
import { rangeTrouble } from './time-fits.ts'

/** The search of the page as it stands in the address bar, unknown parameters included. */
export function useSearchText(): SearchText {
  return useSearch({ strict: false }) as SearchText
}

export function useFields<F extends Fields>(fields: F): Values<F> {
  const search = useSearchText()
  return useMemo(() => readOnce(fields, search), [fields, search])
}

/** What was read of an address; dozens of parts of a page read the same of it. */
const readings = new WeakMap<SearchText, Map<Fields, unknown>>()

function readOnce<F extends Fields>(fields: F, search: SearchText): Values<F> {
  const known = readings.get(search) ?? new Map<Fields, unknown>()
  readings.set(search, known)
  if (!known.has(fields)) known.set(fields, readFields(fields, search))
  return known.get(fields) as Values<F>
}

export function useScope(): ScopeValues {
  return settledOnce(useFields(scopeFields))
}

/** Settled once an address: a range that comes to fit meanwhile must not do so for one part of a page only. */
const settled = new WeakMap<ScopeValues, ScopeValues>()

function settledOnce(scope: ScopeValues): ScopeValues {
  const known = settled.get(scope) ?? settle(scope, Date.now())
  settled.set(scope, known)
  return known
}

/** Takes what the server would refuse for what comes nearest to it. */
function settle(scope: ScopeValues, nowMs: number): ScopeValues {
  const { from, to } = scope
  if (rangeTrouble(from, to, nowMs) === null) return scope
  return { ...scope, from: scopeFields.from.fallback, to: scopeFields.to.fallback }
}

/** Changes parameters of the page one is on. `replace` for what must not fill the Back button: typing, pausing. */
export function useChangeSearch(): (change: SearchText, options?: { replace?: boolean }) => void {
  const navigate = useNavigate()
  return useCallback(
    (change, options) => {
      void navigate({
        to: '.',
        search: (previous: SearchText) => withSearch(previous, change),
        replace: options?.replace ?? false,
        resetScroll: false,
      })
    },
    [navigate],
  )
}
