import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Histogram, histogramOf, mergeHistograms, quantile, totalOf } from './histogram.ts'

const inf = Number.POSITIVE_INFINITY
const simple: Histogram = { upperBounds: [0.1, 0.5, 1, inf], cumulative: [50, 90, 98, 100] }

describe('quantile', () => {
  test.each([
    { q: 0.5, value: 0.1, low: 0, high: 0.1, why: 'lands on a boundary' },
    { q: 0.25, value: 0.05, low: 0, high: 0.1, why: 'the first bucket starts at 0' },
    { q: 0.7, value: 0.3, low: 0.1, high: 0.5, why: 'halfway through a bucket' },
    { q: 0.99, value: 1, low: 1, high: null, why: 'beyond the last finite bound: that bound, marked off scale' },
    { q: 1, value: 1, low: 1, high: null, why: 'the largest' },
  ])('q=$q: $why', ({ q, value, low, high }) => {
    const found = quantile(q, simple)
    expect(found?.value).toBeCloseTo(value, 12)
    expect([found?.low, found?.high]).toEqual([low, high])
  })

  test.each([
    { why: 'no observations', histogram: { upperBounds: [1, inf], cumulative: [0, 0] } },
    { why: 'no +Inf bucket', histogram: { upperBounds: [1, 2], cumulative: [1, 2] } },
    { why: 'a single bucket', histogram: { upperBounds: [inf], cumulative: [3] } },
    { why: 'nothing at all', histogram: { upperBounds: [], cumulative: [] } },
  ])('unknown for $why', ({ histogram }) => expect(quantile(0.5, histogram)).toBeNull())

  test('steps that are rounding noise are flattened before the rank is looked up', () => {
    const step = 10.000000000000002
    const noisy = { upperBounds: [5, 1_000, 2_000, inf], cumulative: [10, step, step, 20.000000000000004] }
    // Without the flattening the rank would be found at 1000, in a bucket that holds nobody.
    expect(quantile(0.5, noisy)).toMatchObject({ value: 2_000, high: null })
  })

  test('a decrease is flattened as Prometheus does', () => {
    const broken = { upperBounds: [1, 2, 3, inf], cumulative: [5, 4, 8, 10] }
    expect(quantile(0.5, broken)?.value).toBe(1)
  })
})

const bounds = [0.001, 0.01, 0.1, 1, inf]
const anyHistogram = fc
  .array(fc.integer({ min: 0, max: 1_000 }), { minLength: bounds.length, maxLength: bounds.length })
  .map((counts): Histogram => {
    let sum = 0
    return { upperBounds: bounds, cumulative: counts.map((count) => (sum += count)) }
  })

describe('properties', () => {
  test('a quantile lies in its bucket and rises with q', () => {
    const q = fc.double({ min: 0.001, max: 1, noNaN: true })
    fc.assert(
      fc.property(anyHistogram, q, q, (histogram, a, b) => {
        const low = quantile(Math.min(a, b), histogram)
        const high = quantile(Math.max(a, b), histogram)
        if (low === null || high === null) return totalOf(histogram) === 0
        const inside = low.value >= low.low - 1e-12 && (low.high === null || low.value <= low.high + 1e-12)
        return inside && low.value <= high.value + 1e-12
      }),
    )
  })

  test('merging is adding observations, in any order', () => {
    fc.assert(
      fc.property(fc.array(anyHistogram, { minLength: 1, maxLength: 5 }), (parts) => {
        const { merged, lostBounds } = mergeHistograms(parts)
        const backwards = mergeHistograms([...parts].reverse()).merged
        expect(lostBounds).toEqual([])
        expect(merged).toEqual(backwards)
        expect(totalOf(merged)).toBe(parts.reduce((sum, part) => sum + totalOf(part), 0))
      }),
    )
  })

  test('a merged quantile lies between the smallest and the largest of its parts', () => {
    fc.assert(
      fc.property(anyHistogram, anyHistogram, fc.constantFrom(0.5, 0.95, 0.99), (a, b, q) => {
        const parts = [a, b].flatMap((part) => quantile(q, part)?.value ?? [])
        const merged = quantile(q, mergeHistograms([a, b]).merged)
        if (merged === null || parts.length < 2) return true
        return merged.value >= Math.min(...parts) - 1e-9 && merged.value <= Math.max(...parts) + 1e-9
      }),
    )
  })
})

test('differing layouts keep the shared boundaries and state the loss', () => {
  const other = histogramOf(
    new Map([
      [0.1, 1],
      [0.25, 2],
      [1, 3],
      [inf, 4],
    ]),
  )
  const { merged, lostBounds } = mergeHistograms([simple, other])
  expect(merged).toEqual({ upperBounds: [0.1, 1, inf], cumulative: [51, 101, 104] })
  expect(lostBounds).toEqual([0.25, 0.5])
})

test('one without observations costs the others no boundary; alone it keeps its own', () => {
  const bounds = [0.25, 2, inf]
  const idle = { upperBounds: bounds, cumulative: [0, 0, 0] }
  expect(mergeHistograms([idle, simple, idle])).toEqual({ merged: simple, lostBounds: [] })
  expect(mergeHistograms([idle, idle])).toEqual({ merged: idle, lostBounds: [] })
})
