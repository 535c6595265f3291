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
  return useMemo(() => readFields(fields, search), [fields, search])
}

export function useScope(): ScopeValues {
  const scope = useFields(scopeFields)
  return useMemo(() => {
    const { from, to } = scope
    if (rangeTrouble(from, to, Date.now()) === null) return scope
    return { ...scope, from: scopeFields.from.fallback, to: scopeFields.to.fallback }
  }, [scope])
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
