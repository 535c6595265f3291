import { failover, outlooks } from '@goldseam/server/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get } from './client.ts'
import { type Asking, atLeisure, worthRetrying } from './polling.ts'

/** Days are read for it, so it follows time at leisure. */
const REFRESH_MS = 60_000

export interface FailoverAsked {
  /** The cluster that is taken to be gone; empty: none is chosen. */
  readonly gone: string
  /** `east:70,north:30`; empty: as requests are routed now. */
  readonly split: string
  readonly days: number
}

export function failoverQuery({ gone, split, days }: FailoverAsked, asking: Asking) {
  const { scope } = asking
  const query = { ...scope, cluster: gone, days: String(days), ...(split === '' ? {} : { split }) }
  return queryOptions({
    queryKey: ['failover', gone, split, days, scope],
    queryFn: ({ signal }) => get(failover, { query, signal }),
    enabled: gone !== '',
    refetchInterval: atLeisure(REFRESH_MS, asking),
    retry: worthRetrying,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })
}

/** What would land where, for each cluster: what is shown before one is chosen. */
export function outlooksQuery(asking: Asking) {
  const { scope } = asking
  return queryOptions({
    queryKey: ['outlooks', scope],
    queryFn: ({ signal }) => get(outlooks, { query: scope, signal }),
    refetchInterval: atLeisure(REFRESH_MS, asking),
    retry: worthRetrying,
    staleTime: 30_000,
  })
}
