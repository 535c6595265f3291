import { withSearch } from './scope-search.ts'
import type { SearchText } from './search-codec.ts'
import { asOfText, frozen, livened } from './time-range.ts'
import { sealed } from './whole-link.ts'

/** What is on screen, as far as a link can tell. */
export interface Place {
  readonly pathname: string
  readonly search: SearchText
  readonly from: string
  readonly to: string
}

/** Goes on with time; carries when it was copied, so that who opens it later can see what was seen then. */
export function liveLink({ pathname, search, from, to }: Place, nowMs: number): string {
  const live = withSearch(search, { ...livened(from, to, nowMs), saved: undefined })
  return sealed(pathname, { ...live, asof: asOfText(nowMs) })
}

/** Shows for good what is on screen. `atMs`: the instant of the snapshot on screen. */
export function frozenLink({ pathname, search, from, to }: Place, atMs: number): string {
  return sealed(pathname, frozenSearch(search, from, to, atMs))
}

export function frozenSearch(search: SearchText, from: string, to: string, atMs: number): SearchText {
  return withSearch(search, { ...frozen(from, to, atMs), refresh: undefined })
}
