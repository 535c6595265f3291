import type { z } from 'zod'
import { type Layout, layoutOf } from '../contract/index.ts'

/** So many cells of a column become text at once: of a trend, each has 60 numbers. */
const CELLS_AT_ONCE = 100

/**
 * The JSON of rows as a table (`Table`), in pieces. A column can only be written when all rows are known: until then its
 * cells are held as the text that they will be, which is less than the rows are. Pieces are empty meanwhile, so that
 * others can have a turn.
 */
export function* tableJson(row: z.ZodObject, items: Iterable<unknown>): Generator<string> {
  const columns = columnOf(layoutOf(row))
  let rows = 0
  for (const item of items) {
    columns.add(item)
    rows += 1
    yield ''
    if (rows % CELLS_AT_ONCE === 0) yield* columns.settle()
  }
  yield* columns.settle()
  yield `{"rows":${rows},"columns":`
  yield* columns.json()
  yield '}'
}

interface Column {
  add(value: unknown): void
  /** Makes text of what was added since; a piece for each turn that others can have. */
  settle(): Generator<''>
  json(): Generator<string>
}

function columnOf(layout: Layout): Column {
  switch (layout.kind) {
    case 'values':
      return valuesColumn()
    case 'object':
      return objectColumn(layout.members)
    case 'some':
      return someColumn(layout.of)
    default:
      return layout satisfies never
  }
}

function valuesColumn(): Column {
  let cells: unknown[] = []
  const texts: string[] = []
  return {
    add(value) {
      cells.push(value)
    },
    *settle() {
      if (cells.length > 0) texts.push(JSON.stringify(cells).slice(1, -1))
      cells = []
      yield ''
    },
    *json() {
      let before = '['
      for (const text of texts) {
        yield `${before}${text}`
        before = ','
      }
      yield before === '[' ? '[]' : ']'
    },
  }
}

function objectColumn(members: readonly (readonly [name: string, of: Layout])[]): Column {
  const columns = members.map(([name, of]) => ({ name, column: columnOf(of) }))
  return {
    add(value) {
      for (const { name, column } of columns) column.add((value as Readonly<Record<string, unknown>>)[name])
    },
    *settle() {
      for (const { column } of columns) yield* column.settle()
    },
    *json() {
      let before = '{'
      for (const { name, column } of columns) {
        yield `${before}${JSON.stringify(name)}:`
        yield* column.json()
        before = ','
      }
      yield before === '{' ? '{}' : '}'
    },
  }
}

function someColumn(of: Layout): Column {
  let is = ''
  const column = columnOf(of)
  return {
    add(value) {
      is += value === undefined ? '-' : value === null ? '0' : '1'
      if (value !== undefined && value !== null) column.add(value)
    },
    settle: () => column.settle(),
    *json() {
      yield `{"is":"${is}","of":`
      yield* column.json()
      yield '}'
    },
  }
}
