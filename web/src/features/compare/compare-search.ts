import { z } from 'zod'
import { field } from '../../scope/fields.ts'

export const ALIGNS = ['clock', 'onset'] as const
export type Align = (typeof ALIGNS)[number]
export const SORTS = ['change', 'name', 'rps'] as const
export type CompareSort = (typeof SORTS)[number]

export const PERCENTILES = ['p50', 'p95', 'p99', 'p999', 'mean'] as const
export type Percentile = (typeof PERCENTILES)[number]

const Percentiles = z
  .string()
  .transform((text) => text.split(',').filter(Boolean))
  .pipe(z.array(z.enum(PERCENTILES)).min(1))

export const compareFields = {
  a: field(z.string().max(400), ''),
  b: field(z.string().max(400), ''),
  align: field(z.enum(ALIGNS), 'clock' as Align),
  sort: field(z.enum(SORTS), 'change' as CompareSort),
  goals: field(z.string().max(200), ''),
  lat: field(Percentiles, ['p50', 'p95', 'p99', 'p999'] as Percentile[]),
}

/** `cluster/ns/name@v:1@from~to` in the parts that are edited apart; empty: none. */
export interface SideParts {
  readonly place: string
  readonly version: string
  readonly window: string
}

export function splitSide(text: string): SideParts {
  const [place = '', ...marks] = text.split('@')
  const window = marks.find((mark) => mark.includes('~')) ?? ''
  const version = marks.find((mark) => mark.startsWith('v:')) ?? ''
  // What is neither stays where it was typed: the server says what is wrong with it.
  const rest = marks.filter((mark) => mark !== window && mark !== version)
  return { place: [place, ...rest].join('@'), version: version.slice(2), window }
}

export function joinSide({ place, version, window }: SideParts): string {
  const whole = place.trim()
  const marks = [version === '' ? '' : `v:${version}`, window].filter(Boolean)
  if (whole === '' && marks.length === 0) return ''
  return [whole === '' ? '*' : whole, ...marks].join('@')
}

/** The sides changed round. An empty A is everything; an empty B would not be: it is the window before that of A. */
export function swapped(a: string, b: string): { readonly a: string; readonly b: string } {
  return { a: b, b: a === '' ? '*' : a }
}

/** A window of a side as links write it, from a range that somebody typed or chose. */
export function windowText({ from, to }: { readonly from: string; readonly to: string }): string {
  return `${from}~${to}`
}
