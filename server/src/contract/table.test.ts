import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { withRows } from './table.ts'

const Row = z.object({
  id: z.string(),
  age: z.number().nullable(),
  tags: z.array(z.string()),
  own: z.object({ seconds: z.number(), why: z.string().optional() }),
  tcp: z.object({ bytes: z.number().nullable() }).nullable(),
  limit: z.object({ mean: z.number() }).nullable().optional(),
})
const Answer = z.object({ note: z.string(), rows: z.array(Row) })

const columns = {
  id: ['a', 'b', 'c'],
  age: [1, null, 3],
  tags: [['x', 'y'], [], ['z']],
  own: { seconds: [0.1, 0.2, 0.3], why: { is: '--1', of: ['slow'] } },
  tcp: { is: '101', of: { bytes: [7, null] } },
  limit: { is: '10-', of: { mean: [5] } },
}
const rows = [
  { id: 'a', age: 1, tags: ['x', 'y'], own: { seconds: 0.1 }, tcp: { bytes: 7 }, limit: { mean: 5 } },
  { id: 'b', age: null, tags: [], own: { seconds: 0.2 }, tcp: null, limit: null },
  { id: 'c', age: 3, tags: ['z'], own: { seconds: 0.3, why: 'slow' }, tcp: { bytes: null } },
]
const answerWith = (table: unknown) => ({ note: 'n', rows: table })

describe('a table', () => {
  test('is read as the rows that it says', () => {
    expect(withRows(Answer, answerWith({ rows: 3, columns }))).toStrictEqual(answerWith(rows))
  })

  test('without rows is an empty list', () => {
    const none = { is: '', of: { bytes: [], mean: [] } }
    const empty = { id: [], age: [], tags: [], own: { seconds: [], why: { is: '', of: [] } }, tcp: none, limit: none }
    expect(withRows(Answer, answerWith({ rows: 0, columns: empty }))).toStrictEqual(answerWith([]))
  })

  test('of an older server lacks a member that may be absent, of a newer one has more: both can be read', () => {
    const { limit, ...older } = columns
    const without = rows.map(({ limit: _, ...row }) => row)
    expect(withRows(Answer, answerWith({ rows: 3, columns: older }))).toStrictEqual(answerWith(without))
    const newer = { ...columns, more: ['?'] }
    expect(withRows(Answer, answerWith({ rows: 3, columns: newer }))).toStrictEqual(answerWith(rows))
  })

  test('holds its rows to the schema no less than a list does', () => {
    const read = withRows(Answer, answerWith({ rows: 3, columns: { ...columns, id: ['a', 2, 'c'] } }))
    expect(Answer.safeParse(read).error?.issues).toMatchObject([{ path: ['rows', 1, 'id'] }])
  })

  test.each([
    ['a column is missing', { rows: 3, columns: { ...columns, id: undefined } }],
    ['a column is too short', { rows: 3, columns: { ...columns, id: ['a', 'b'] } }],
    ['a column is too long', { rows: 3, columns: { ...columns, id: ['a', 'b', 'c', 'd'] } }],
    ['a column is no list', { rows: 3, columns: { ...columns, tags: 'abc' } }],
    ['an object is none', { rows: 3, columns: { ...columns, own: null } }],
    ['an object is a list', { rows: 3, columns: { ...columns, own: [1, 2, 3] } }],
    ['nobody says which rows have it', { rows: 3, columns: { ...columns, tcp: columns.tcp.of } }],
    ['too few rows are said to have it', { rows: 3, columns: { ...columns, tcp: { ...columns.tcp, is: '11' } } }],
    [
      'more rows have it than there are values',
      { rows: 3, columns: { ...columns, tcp: { ...columns.tcp, is: '111' } } },
    ],
    ['a row has it in an unknown way', { rows: 3, columns: { ...columns, tcp: { ...columns.tcp, is: '1?1' } } }],
    ['its columns are none', { rows: 3, columns: null }],
    ['it has more rows than fit into memory', { rows: 2 ** 40, columns }],
    ['it has less than no rows', { rows: -1, columns }],
    ['it has parts of rows', { rows: 2.5, columns }],
  ])('is left for the schema to refuse where %s', (_, table) => {
    const answer = answerWith(table)
    expect(withRows(Answer, answer)).toBe(answer)
    expect(Answer.safeParse(answer).success).toBe(false)
  })
})

test.each([
  ['rows', answerWith(rows)],
  ['what is no answer', null],
  ['a text', 'rows'],
  ['a list', [1, 2]],
])('%s stays as it is', (_, answer) => {
  expect(withRows(Answer, answer)).toBe(answer)
})

test('of schemas that promise no object nothing is read', () => {
  const answer = { rows: 3, columns }
  expect(withRows(z.array(Row), answer)).toBe(answer)
})
