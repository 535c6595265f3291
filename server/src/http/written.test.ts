import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Listed, Written, wholeOf } from './written.ts'

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
