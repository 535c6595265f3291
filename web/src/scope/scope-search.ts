import { DurationText, TimeText } from '@goldseam/server/contract'
import { z } from 'zod'
import { field, type Values } from './fields.ts'
import { staysBehind } from './parameters.ts'
import type { SearchText } from './search-codec.ts'
import { compareFits, windowFits } from './time-fits.ts'

const Names = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .pipe(z.array(z.string().max(253)))

/** What every screen shares through the URL. Values equal to the fallback are left out of links. */
export const scopeFields = {
  /** The version of the link's shape; a newer server's links may say things that this page does not know. */
  v: field(z.literal('1'), '1'),
  from: field(TimeText, 'now-30m'),
  to: field(TimeText, 'now'),
  window: field(DurationText.refine(windowFits).or(z.literal('')), ''),
  /** When a live link was copied. */
  asof: field(z.string().regex(/^(\d{8}T\d{4}(\d{2})?Z|)$/), ''),
  cmp: field(z.string().max(100).refine(compareFits), ''),
  c: field(Names, []),
  ns: field(Names, []),
  /** Saved evidence that stands in for the clusters. */
  saved: field(z.string().regex(/^([0-9A-Za-z]{4,16}|)$/), ''),
  tz: field(z.enum(['utc', 'local']), 'local'),
  theme: field(z.enum(['light', 'dark', 'auto', '']), ''),
  refresh: field(z.string().regex(/^(off|\d+s|)$/), ''),
}
export type ScopeValues = Values<typeof scopeFields>

/** For links between screens: time, compare, clusters and everything unknown come along. */
export function keepScope(search: SearchText): SearchText {
  return Object.fromEntries(Object.entries(search).filter(([key]) => !staysBehind(key)))
}

/** Changes some parameters; defaults and empty values vanish from the link. */
export function withSearch(search: SearchText, change: SearchText): SearchText {
  const defaults: SearchText = { from: scopeFields.from.fallback, to: scopeFields.to.fallback, tz: 'local', v: '1' }
  // What a link said about its own making is over as soon as somebody changes what it shows.
  const merged = { ...search, k: undefined, asof: undefined, ...change }
  return Object.fromEntries(
    Object.entries(merged).filter(([key, value]) => value !== undefined && value !== '' && value !== defaults[key]),
  )
}

/** What the server is asked for. Absent means its default, so that all viewers share one snapshot. */
export function serverScope(scope: ScopeValues): Record<string, string> {
  const { from, to, window, cmp, saved } = scope
  const asked = withSearch({}, { from, to, window, cmp, saved })
  return Object.fromEntries(
    Object.entries(asked).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}
