import { z } from 'zod'

const Columns = z.record(z.string(), z.unknown())

/**
 * Thousands of rows as columns: what stands below each other is alike, so that a fleet is a third smaller over the wire.
 * `columns` has the names of a row's members; how each is written follows from the schema of the rows (`layoutOf`).
 */
export const Table = z.object({ rows: z.number().int().nonnegative(), columns: Columns }).meta({
  id: 'Table',
  description:
    'Rows as columns. `columns` has a column for each member that the schema of a row names: an array with one value a ' +
    'row; of members that are objects, an object with one column a member; of members that may be missing, and of ' +
    'objects that may be null, `{"is": "1-0", "of": column}` with one character a row: `1` takes the next value of ' +
    '`of`, `0` is null, `-` is no such member.',
})
export type Table = z.infer<typeof Table>

/**
 * How one member of all rows is written.
 * - `values`: an array with one value a row.
 * - `object`: an object with one column a member.
 * - `some`: `{"is": "11-0", "of": column}`, one character a row: `1` the next value of `of`, `0` null, `-` no such member.
 */
export type Layout =
  | { readonly kind: 'values' }
  | { readonly kind: 'object'; readonly members: readonly (readonly [name: string, of: Layout])[] }
  | { readonly kind: 'some'; readonly of: Layout }

/** Of rows that this schema promises. */
export function layoutOf(schema: z.ZodType): Layout {
  let [inner, optional, nullable] = [schema, false, false]
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) {
    optional ||= inner instanceof z.ZodOptional
    nullable ||= inner instanceof z.ZodNullable
    inner = inner.unwrap() as z.ZodType
  }
  const of: Layout =
    inner instanceof z.ZodObject
      ? { kind: 'object', members: Object.entries(inner.shape).map(([name, part]) => [name, layoutOf(part)]) }
      : { kind: 'values' }
  // Null is a value among others where no member hangs on it.
  return optional || (nullable && of.kind === 'object') ? { kind: 'some', of } : of
}

/**
 * The answer with rows in place of tables. What is no table of the promised rows is left as it is, for the schema to
 * refuse.
 */
export function withRows(schema: z.ZodType, answer: unknown): unknown {
  const given = Columns.safeParse(answer).data
  if (given === undefined || !(schema instanceof z.ZodObject)) return answer
  const read: Record<string, unknown> = {}
  for (const [name, list] of Object.entries(schema.shape)) {
    const table = list instanceof z.ZodArray ? Table.safeParse(given[name]).data : undefined
    const rows = table && rowsIn(table, layoutOf((list as z.ZodArray<z.ZodType>).element))
    if (rows) read[name] = rows
  }
  return Object.keys(read).length === 0 ? answer : { ...given, ...read }
}

/** Null where a column is missing or not as long as the others. */
function rowsIn({ rows, columns }: Table, layout: Layout): unknown[] | null {
  const next = readerOf(layout, columns, rows)
  return next && Array.from({ length: rows }, () => next())
}

const ABSENT = Symbol('no such member')
const Some = z.object({ is: z.string().regex(/^[-01]*$/), of: z.unknown() })

/** Gives a column's values, one with each call; null where it has not just so many. */
function readerOf(layout: Layout, column: unknown, count: number): (() => unknown) | null {
  switch (layout.kind) {
    case 'values':
      return Array.isArray(column) && column.length === count ? inTurn(column) : null
    case 'some':
      return readerOfSome(layout.of, column, count)
    case 'object':
      return readerOfObject(layout.members, column, count)
    default:
      return layout satisfies never
  }
}

function inTurn(values: readonly unknown[]): () => unknown {
  let at = -1
  return () => {
    at += 1
    return values[at]
  }
}

function readerOfSome(of: Layout, column: unknown, count: number): (() => unknown) | null {
  // A server of an older version does not know the member yet.
  if (column === undefined) return () => ABSENT
  const some = Some.safeParse(column).data
  if (some?.is.length !== count) return null
  const value = readerOf(of, some.of, some.is.replaceAll(/[^1]/g, '').length)
  const is = inTurn([...some.is])
  return (
    value &&
    (() => {
      const mark = is()
      if (mark === '1') return value()
      return mark === '0' ? null : ABSENT
    })
  )
}

function readerOfObject(
  members: readonly (readonly [name: string, of: Layout])[],
  column: unknown,
  count: number,
): (() => unknown) | null {
  const columns = Columns.safeParse(column).data
  if (columns === undefined) return null
  const readers: (readonly [name: string, next: () => unknown])[] = []
  for (const [name, of] of members) {
    const next = readerOf(of, columns[name], count)
    if (next === null) return null
    readers.push([name, next])
  }
  return () => {
    const made: Record<string, unknown> = {}
    for (const [name, next] of readers) {
      const value = next()
      if (value !== ABSENT) made[name] = value
    }
    return made
  }
}
