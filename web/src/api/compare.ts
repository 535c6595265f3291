import { compare, compareSide } from '@goldseam/server/contract'
import { queryOptions } from '@tanstack/react-query'
import { get } from './client.ts'
import { type Asking, atLeisure, untilAnswered, worthRetrying } from './polling.ts'

/** Comparing reads whole windows, so it follows time at leisure. */
const REFRESH_MS = 60_000

/** Two places, versions or windows; an empty side is left to the server: everything, and the window before. */
export function compareQuery(a: string, b: string, asking: Asking) {
  const { scope } = asking
  return queryOptions({
    queryKey: ['compare', a, b, scope],
    queryFn: ({ signal }) => get(compare, { query: { ...scope, ...sidesIn(a, b) }, signal }),
    refetchInterval: atLeisure(REFRESH_MS, asking),
    retry: worthRetrying,
    staleTime: 10_000,
    // Of other sides nothing is kept: it would stand under their names.
    placeholderData: (before, query) => (query?.queryKey[1] === a && query.queryKey[2] === b ? before : undefined),
  })
}

/** One side alone, while both together are not there. */
export function compareSideQuery(side: 'a' | 'b', a: string, b: string, { scope }: Asking) {
  const key = side === 'a' ? a : b === '' ? `before ${a}` : b
  return queryOptions({
    queryKey: ['compare-side', side, key, scope],
    queryFn: ({ signal }) => get(compareSide, { query: { ...scope, ...sidesIn(a, b), side }, signal }),
    refetchInterval: untilAnswered,
    retry: worthRetrying,
    staleTime: 10_000,
  })
}

function sidesIn(a: string, b: string) {
  return { ...(a === '' ? {} : { a }), ...(b === '' ? {} : { b }) }
}
