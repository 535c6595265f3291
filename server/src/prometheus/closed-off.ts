import type { CallAbout } from './around.ts'
import { UpstreamError } from './upstream-error.ts'

const OF_QUERIES = ['/api/v1/query', '/api/v1/query_range']

/**
 * Whether a page beside the queries is refused or is another page, as where a proxy lets queries through and nothing
 * else: that says nothing about whether queries are answered.
 */
export function isClosedOff(error: unknown, { kind, question }: CallAbout): boolean {
  const isBeside = kind === 'status' || (kind === 'others' && !OF_QUERIES.includes(question))
  return isBeside && error instanceof UpstreamError && (error.kind === 'malformed' || error.kind === 'unauthorized')
}
