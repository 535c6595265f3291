import type { z } from 'zod'
import { BROKEN, type SearchText } from './search-codec.ts'

/** One parameter of the URL: its schema, and what holds when it is absent or wrong. */
export interface Field<Value> {
  readonly schema: z.ZodType<Value>
  readonly fallback: Value
}

export type Fields = Readonly<Record<string, Field<unknown>>>
export type Values<F extends Fields> = { readonly [Key in keyof F]: F[Key] extends Field<infer Value> ? Value : never }

/** A value in the link that does not fit: named once, quietly, and left in the address bar. */
export interface Misfit {
  readonly key: string
  readonly raw: string
  readonly shown: string
}

export function field<Value>(schema: z.ZodType<Value>, fallback: NoInfer<Value>): Field<Value> {
  return { schema, fallback }
}

export function readFields<F extends Fields>(fields: F, search: SearchText): Values<F> {
  const entries = Object.entries(fields).map(([key, { schema, fallback }]) => {
    const raw = search[key]
    return [key, raw === undefined || isBroken(raw) ? fallback : schema.catch(fallback).parse(raw)]
  })
  return Object.fromEntries(entries) as Values<F>
}

export function misfits(fields: Fields, search: SearchText): Misfit[] {
  return Object.entries(fields).flatMap(([key, { schema, fallback }]) => {
    const raw = search[key]
    const fits = raw === undefined || (!isBroken(raw) && schema.safeParse(raw).success)
    return fits ? [] : [{ key, raw, shown: describe(fallback) }]
  })
}

function isBroken(raw: string): boolean {
  return raw.includes(BROKEN)
}

function describe(fallback: unknown): string {
  if (Array.isArray(fallback)) return fallback.join(',') || 'all'
  return fallback === '' || fallback === null || fallback === undefined ? 'the default' : String(fallback)
}
