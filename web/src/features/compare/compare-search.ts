import { z } from 'zod'
import { field } from '../../scope/fields.ts'

export const ALIGNS = ['clock', 'onset'] as const
export type Align = (typeof ALIGNS)[number]
export const SORTS = ['change', 'name', 'rps'] as const
export type CompareSort = (typeof SORTS)[number]

export const compareFields = {
  a: field(z.string().max(400), ''),
  b: field(z.string().max(400), ''),
  align: field(z.enum(ALIGNS), 'clock' as Align),
  sort: field(z.enum(SORTS), 'change' as CompareSort),
  goals: field(z.string().max(200), ''),
}

/** `cluster/ns/name@v:1@from~to` in the two parts that are edited apart. */
export function splitSide(text: string): { place: string; window: string } {
  const [place = '', ...marks] = text.split('@')
  const window = marks.find((mark) => mark.includes('~')) ?? ''
  const rest = marks.filter((mark) => mark !== window)
  return { place: [place, ...rest].join('@'), window }
}

export function joinSide(place: string, window: string): string {
  const whole = place.trim()
  if (whole === '' && window === '') return ''
  return window === '' ? whole : `${whole === '' ? '*' : whole}@${window}`
}
