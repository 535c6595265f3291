import { LINKS_PATH, link, MadeLink, type NewLink } from '@goldseam/server/contract'
import { queryOptions } from '@tanstack/react-query'
import { get, post } from './client.ts'
import { untilAnswered, worthRetrying } from './polling.ts'

/** Where a code leads. It does not change while one looks. */
export function linkQuery(code: string) {
  return queryOptions({
    queryKey: ['link', code.toUpperCase()],
    queryFn: ({ signal }) => get(link, { params: { code }, signal }),
    refetchInterval: untilAnswered,
    retry: worthRetrying,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Makes a short link, or saves the answers of a page. */
export function makeLink(wanted: NewLink): Promise<MadeLink> {
  return post(LINKS_PATH, wanted, MadeLink)
}
