import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Listed, Tabled, Written, wholeOf } from './written.ts'

describe('an answer that is written as it is made', () => {
  test('says what it says as a whole, to the letter', () => {
    const answers = fc.record(
      { rows: fc.array(fc.jsonValue()), edges: fc.array(fc.object()), note: fc.jsonValue(), more: fc.nat() },
      { requiredKeys: ['rows', 'note'] },
    )
    fc.assert(
      fc.property(answers, ({ rows, edges, ...rest }) => {
        const parts = {
          ...rest,
          rows: new Listed(() => rows),
          ...(edges === undefined ? {} : { edges: new Listed(() => edges) }),
        }
        const written = new Written<Record<string, unknown>>(parts as never)
        expect([...written.json()].join('')).toBe(JSON.stringify(written.whole()))
        expect(written.whole()).toEqual({ ...rest, rows, ...(edges === undefined ? {} : { edges }) })
      }),
    )
  })

  test('leaves out what is not there, as JSON does', () => {
    const written = new Written<{ a: number; b?: number | undefined }>({ a: 1, b: undefined })
    expect([...written.json()].join('')).toBe('{"a":1}')
    expect([...new Written({}).json()].join('')).toBe('{}')
  })

  test('makes an item when it is its turn, and holds none', () => {
    let made = 0
    const written = new Written<{ rows: number[] }>({
      rows: new Listed(function* () {
        for (let row = 0; row < 3; row += 1) {
          made += 1
          yield row
        }
      }),
    })
    const pieces = written.json()
    expect(made).toBe(0)
    pieces.next()
    pieces.next()
    expect(made).toBe(1)
    expect(wholeOf(written).rows).toEqual([0, 1, 2])
    expect(wholeOf({ rows: [7] }).rows).toEqual([7])
  })
})

describe('an answer with a table', () => {
  const Row = z.object({ id: z.number(), half: z.number().optional() })
  let made = 0
  const written = new Written<{ note: string; rows: z.output<typeof Row>[] }>({
    note: 'n',
    rows: new Tabled(Row, function* () {
      for (let id = 0; id < 3; id += 1) {
        made += 1
        yield id === 1 ? { id } : { id, half: id / 2 }
      }
    }),
  })

  test('has rows as a whole, and columns as JSON', () => {
    expect(written.whole()).toEqual({ note: 'n', rows: [{ id: 0, half: 0 }, { id: 1 }, { id: 2, half: 1 }] })
    const text = '{"note":"n","rows":{"rows":3,"columns":{"id":[0,1,2],"half":{"is":"1-1","of":[0,1]}}}}'
    expect([...written.json()].join('')).toBe(text)
    // Of another viewer, from the start.
    expect([...written.json()].join('')).toBe(text)
  })

  test('makes a row when it is its turn, with a piece that says nothing yet', () => {
    const pieces = written.json()
    made = 0
    for (const piece of ['{"note":', '"n"', ',"rows":']) expect(pieces.next().value).toBe(piece)
    expect(made).toBe(0)
    for (const rows of [1, 2, 3]) {
      expect(pieces.next().value).toBe('')
      expect(made).toBe(rows)
    }
  })
})
