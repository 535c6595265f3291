import { frozenSide } from '@goldseam/server/contract'
import { withSearch } from './scope-search.ts'
import type { SearchText } from './search-codec.ts'
import { asOfText, frozen, isoInstant, livened, toInstantMs } from './time-range.ts'
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
  return withSearch(search, frozenTimes(search, from, to, atMs))
}

/** What of an address tells of time, as it stood at an instant. */
export function frozenTimes(search: SearchText, from: string, to: string, atMs: number): SearchText {
  const sides = Object.fromEntries(
    SIDES.flatMap((side) => {
      const text = search[side]
      return text === undefined ? [] : [[side, frozenSide(text, (time) => isoInstant(toInstantMs(time, atMs) ?? atMs))]]
    }),
  )
  return { ...sides, ...frozen(from, to, atMs), refresh: undefined }
}

/** The sides of a comparison, which may have windows of their own: `east/shop/cart@now-1h~now-30m`. */
const SIDES = ['a', 'b'] as const
