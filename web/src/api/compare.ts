import { compare } from '@goldseam/server/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get } from './client.ts'
import { type Asking, worthRetrying } from './polling.ts'

/** Comparing reads whole windows, so it follows time at leisure. */
const REFRESH_MS = 60_000

/** Two places, versions or windows; an empty side is left to the server: everything, and the window before. */
export function compareQuery(a: string, b: string, { scope, live }: Asking) {
  const query = { ...scope, ...(a === '' ? {} : { a }), ...(b === '' ? {} : { b }) }
  return queryOptions({
    queryKey: ['compare', a, b, scope],
    queryFn: ({ signal }) => get(compare, { query, signal }),
    refetchInterval: live ? REFRESH_MS : false,
    retry: worthRetrying,
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  })
}
