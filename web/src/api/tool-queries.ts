import { tools } from '@goldseam/server/contract'
import { queryOptions } from '@tanstack/react-query'
import { get } from './client.ts'
import { untilAnswered, worthRetrying } from './polling.ts'

/** Of the config, so it does not change while one looks. */
export function toolsQuery() {
  return queryOptions({
    queryKey: ['tools'],
    queryFn: ({ signal }) => get(tools, { signal }),
    refetchInterval: untilAnswered,
    retry: worthRetrying,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
