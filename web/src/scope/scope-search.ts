import { DurationText, TimeText } from '@goldseam/server/contract'
import { z } from 'zod'
import { field, type Values } from './fields.ts'
import type { SearchText } from './search-codec.ts'

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
  from: field(TimeText, 'now-30m'),
  to: field(TimeText, 'now'),
  window: field(DurationText.or(z.literal('')), ''),
  cmp: field(
    z
      .string()
      .max(100)
      .regex(/^(prev|\d+[hdw]|[\w:./@~+-]*)$/),
    '',
  ),
  c: field(Names, []),
  ns: field(Names, []),
  tz: field(z.enum(['utc', 'local']), 'local'),
  theme: field(z.enum(['light', 'dark', 'auto', '']), ''),
  refresh: field(z.string().regex(/^(off|\d+s|)$/), ''),
}
export type ScopeValues = Values<typeof scopeFields>

/** Parameters that belong to one screen and must not follow to another. */
const OF_ONE_SCREEN = ['q', 'st', 'sort', 'open', 'sel', 'not', 'show', 'view', 'e1', 'on', 'step']

/** For links between screens: time, compare, clusters and everything unknown come along. */
export function keepScope(search: SearchText): SearchText {
  return Object.fromEntries(Object.entries(search).filter(([key]) => !OF_ONE_SCREEN.includes(key)))
}

/** Changes some parameters; defaults and empty values vanish from the link. */
export function withSearch(search: SearchText, change: SearchText): SearchText {
  const defaults: SearchText = { from: scopeFields.from.fallback, to: scopeFields.to.fallback, tz: 'local' }
  const merged = { ...search, ...change }
  return Object.fromEntries(
    Object.entries(merged).filter(([key, value]) => value !== undefined && value !== '' && value !== defaults[key]),
  )
}

/** What the server is asked for. Absent means its default, so that all viewers share one snapshot. */
export function serverScope(scope: ScopeValues): Record<string, string> {
  const { from, to, window, cmp } = scope
  const asked = withSearch({}, { from, to, window, cmp })
  return Object.fromEntries(
    Object.entries(asked).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}
