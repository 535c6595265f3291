import { type Layout, layoutOf, type Table } from '@goldseam/server/contract'
import type { z } from 'zod'

/** Rows as the server writes them where it is asked for a table. */
export function tableOf<Row>(row: z.ZodObject & z.ZodType<Row>, rows: readonly Row[]): Table {
  return { rows: rows.length, columns: columnOf(layoutOf(row), rows) as Table['columns'] }
}

function columnOf(layout: Layout, values: readonly unknown[]): unknown {
  if (layout.kind === 'values') return values
  if (layout.kind === 'some') {
    const is = values.map((value) => (value === undefined ? '-' : value === null ? '0' : '1')).join('')
    const there = values.filter((value) => value !== undefined && value !== null)
    return { is, of: columnOf(layout.of, there) }
  }
  const column = ([name, of]: (typeof layout.members)[number]) =>
    columnOf(
      of,
      values.map((value) => (value as Readonly<Record<string, unknown>>)[name]),
    )
  return Object.fromEntries(layout.members.map((member) => [member[0], column(member)]))
}
