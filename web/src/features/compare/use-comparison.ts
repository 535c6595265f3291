import type { Compare } from '@goldseam/server/contract'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { compareQuery, compareSideQuery } from '../../api/compare.ts'
import type { Asking } from '../../api/polling.ts'
import { type OneSided, oneSided } from './one-sided.ts'

/** The side that is not there, and why: null while it is waited for. */
export interface Absent {
  readonly side: 'a' | 'b'
  readonly sinceMs: number
  readonly error: Error | null
  readonly retry: () => void
}

interface Comparison {
  readonly both: UseQueryResult<Compare>
  /** What one side alone can tell, where both are not to be had; null where both are, or none is. */
  readonly half: { readonly answer: OneSided; readonly absent: Absent } | null
}

/** Both sides together; until they are there, or where one of them fails, the one that is. */
export function useComparison(a: string, b: string, asking: Asking): Comparison {
  const both = useQuery(compareQuery(a, b, asking))
  // Saved is what both told together.
  const enabled = both.data === undefined && asking.scope.saved === undefined
  const sides = {
    a: useQuery({ ...compareSideQuery('a', a, b, asking), enabled }),
    b: useQuery({ ...compareSideQuery('b', a, b, asking), enabled }),
  }
  const there = sides.a.data === undefined ? 'b' : 'a'
  const missing = there === 'a' ? 'b' : 'a'
  const { data, dataUpdatedAt } = sides[there]
  if (!enabled || data === undefined) return { both, half: null }
  const retry = () => {
    void sides[missing].refetch()
    void both.refetch()
  }
  const absent = { side: missing, sinceMs: dataUpdatedAt, error: sides[missing].error ?? both.error, retry } as const
  return { both, half: { answer: oneSided(there, data), absent } }
}
