import { endpoints, withRows } from '@goldseam/server/contract'
import { listsLongerThan } from './parse-in-parts.ts'

/** What is not a long list, then rows of the long lists, then the end; or why there is nothing. */
export type AnswerPart =
  | { readonly kind: 'rest'; readonly rest: object }
  | { readonly kind: 'rows'; readonly key: string; readonly rows: readonly unknown[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'misfit' | 'failed'; readonly why: string }

/** So many rows arrive at the page at once: a few milliseconds of its time, even on a slow machine. */
const ROWS_AT_ONCE = 50

/** Reads an answer (JSON in UTF-8) and holds it to what is promised for `path`, as the contract writes that. */
export function* partsOfAnswer(path: string, bytes: ArrayBuffer): Generator<AnswerPart> {
  const promised = Object.values(endpoints).find((endpoint) => endpoint.path === path)?.response
  if (promised === undefined) return yield { kind: 'failed', why: `nothing is promised for ${path}` }
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    return yield { kind: 'failed', why: String(error) }
  }
  const parsed = promised.safeParse(withRows(promised, body))
  if (!parsed.success) return yield { kind: 'misfit', why: parsed.error.message }
  const lists = listsLongerThan(ROWS_AT_ONCE, promised, parsed.data)
  yield { kind: 'rest', rest: { ...parsed.data, ...Object.fromEntries(lists.map(({ key }) => [key, []])) } }
  for (const { key, rows } of lists) {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      yield { kind: 'rows', key, rows: rows.slice(from, from + ROWS_AT_ONCE) }
    }
  }
  yield { kind: 'end' }
}
