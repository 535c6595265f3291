import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BucketColumns } from './bucket-columns.ts'
import { addInto, emptyColumn, isAbsent } from './columns.ts'

const STEPS = 4
const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(Number.NaN)), {
  minLength: STEPS,
  maxLength: STEPS,
})
const added = fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), values), { maxLength: 120 })

/** What the class stands for, plainly. */
function plain(rows: readonly (readonly [number, readonly number[]])[]): Map<number, number[]> {
  const map = new Map<number, Float64Array>()
  for (const [bound, row] of rows) {
    const column = map.get(bound) ?? new Float64Array(STEPS).fill(Number.NaN)
    addInto(column, row)
    map.set(bound, column)
  }
  return new Map([...map].map(([bound, column]) => [bound, [...column]]))
}

function filled(rows: readonly (readonly [number, readonly number[]])[]): BucketColumns {
  const buckets = new BucketColumns(STEPS)
  for (const [bound, row] of rows) buckets.add(bound, row)
  return buckets
}

const told = (buckets: BucketColumns) => new Map([...buckets].map(([bound, column]) => [bound, [...column]]))

test('holds for any additions what a map of columns would, in the order of their first ones', () => {
  fc.assert(
    fc.property(added, (rows) => {
      const buckets = filled(rows)
      const expected = plain(rows)
      expect(told(buckets)).toEqual(expected)
      expect(buckets.bounds()).toEqual([...expected.keys()])
      expect(buckets.size).toBe(expected.size)
      for (let bound = 0; bound <= 60; bound += 1) {
        expect(buckets.has(bound)).toBe(expected.has(bound))
        expect(buckets.get(bound) && [...(buckets.get(bound) ?? [])]).toEqual(expected.get(bound))
      }
    }),
    { numRuns: 60 },
  )
})

test('one step is added as several are', () => {
  const buckets = new BucketColumns(1)
  buckets.add(0.1, [Number.NaN])
  expect(buckets.get(0.1)).toEqual(emptyColumn(1))
  for (const value of [2, Number.POSITIVE_INFINITY, Number.NaN, 3]) buckets.add(0.1, [value])
  expect([...(buckets.get(0.1) ?? [])]).toEqual([5])
})

test('a window and a copy hold the steps they are of, without bounds that hold nothing there', () => {
  fc.assert(
    fc.property(added, fc.integer({ min: -3, max: 5 }), fc.integer({ min: 0, max: 6 }), (rows, from, steps) => {
      const cut = [...plain(rows)]
        .map(([bound, row]) => [bound, Array.from({ length: steps }, (_, at) => row[from + at] ?? Number.NaN)] as const)
        .filter(([, row]) => !isAbsent(Float64Array.from(row)))
      const make = (length: number) => new Float64Array(length).fill(Number.NaN)
      expect([...told(filled(rows).copied(from, steps, make))]).toEqual(cut)
      if (from >= 0 && from + steps <= STEPS) expect([...told(filled(rows).window(from, steps))]).toEqual(cut)
    }),
    { numRuns: 60 },
  )
})

test('a window sees what is written to its steps, and no bounds that came later; neither changes the other by adding', () => {
  const buckets = filled([
    [1, [1, 2, 3, Number.NaN]],
    [2, [4, 5, 6, Number.NaN]],
  ])
  const window = buckets.window(1, 3)
  buckets.column(1)[3] = 7
  buckets.add(5, [8, 8, 8, 8])
  expect(told(window)).toEqual(
    new Map([
      [1, [2, 3, 7]],
      [2, [5, 6, Number.NaN]],
    ]),
  )
  window.add(9, [1, 1, 1])
  buckets.add(7, [2, 2, 2, 2])
  expect(window.bounds()).toEqual([1, 2, 9])
  expect(buckets.bounds()).toEqual([1, 2, 5, 7])
  expect([...(buckets.get(2) ?? [])]).toEqual([4, 5, 6, Number.NaN])
})
