import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeExponential } from './merge-native.ts'
import { type NativeHistogram, nativeHistogram, nativeQuantile, settled } from './native-histogram.ts'

const inf = Number.POSITIVE_INFINITY
type Bucket = readonly [number, number, number]

function histogramOf(buckets: readonly Bucket[], sum = 1): NativeHistogram {
  const count = buckets.reduce((total, bucket) => total + bucket[2], 0)
  const [only] = [nativeHistogram({ count, sum }, buckets)]
  return settled([only])(only)
}

describe('the layout is read off the bounds', () => {
  test.each([
    { buckets: [[2 ** 0.125, 2 ** 0.25, 1]], layout: 'exponential', schema: 3, why: 'a bucket as wide as 2^(1/8)' },
    { buckets: [[2 ** (7 / 256), 2 ** (8 / 256), 1]], layout: 'exponential', schema: 8, why: 'the finest schema' },
    { buckets: [[1, 65_536, 1]], layout: 'either', schema: -4, why: 'the coarsest schema, or two custom bounds' },
    { buckets: [[-0.001, 0.001, 2]], layout: 'exponential', schema: null, why: 'only a zero bucket' },
    {
      buckets: [
        [1, 2, 1],
        [2, 4, 1],
        [8, 16, 1],
      ],
      layout: 'exponential',
      schema: 0,
      why: 'three on powers of two',
    },
    { buckets: [[1, 2, 1]], layout: 'either', schema: 0, why: 'one on powers of two' },
    { buckets: [[2, 3, 1]], layout: 'custom', schema: null, why: 'a width of no schema' },
    { buckets: [[10, 20, 1]], layout: 'custom', schema: null, why: 'twice as high, and not on the grid' },
    {
      buckets: [
        [1, 2, 1],
        [3, 4, 1],
      ],
      layout: 'custom',
      schema: null,
      why: 'one of several is off',
    },
    { buckets: [[-inf, 1, 1]], layout: 'custom', schema: null, why: 'the first custom bucket has no lower bound' },
    { buckets: [[5e4, inf, 1]], layout: 'custom', schema: null, why: 'the last custom bucket has no upper bound' },
    {
      buckets: [
        [Number.MAX_VALUE, inf, 1],
        [1, 2 ** 0.5, 1],
      ],
      layout: 'exponential',
      schema: 1,
      why: 'observed infinities',
    },
  ] as { buckets: Bucket[]; layout: string; schema: number | null; why: string }[])('$layout, $schema: $why', (one) => {
    expect(nativeHistogram({ count: 1, sum: 1 }, one.buckets)).toMatchObject({ layout: one.layout, schema: one.schema })
  })

  test('bounds that fit both are read as the other histograms of the answer are', () => {
    const unsure = nativeHistogram({ count: 1, sum: 1 }, [[1, 2, 1]])
    const custom = nativeHistogram({ count: 1, sum: 1 }, [[2, 3, 1]])
    const exponential = nativeHistogram({ count: 1, sum: 1 }, [[1, 2 ** 0.125, 1]])
    expect(settled([unsure, custom])(unsure).layout).toBe('custom')
    expect(settled([unsure, exponential])(unsure)).toMatchObject({ layout: 'exponential', schema: 0 })
    expect(settled([unsure])(unsure).layout).toBe('custom')
  })
})

describe('quantile', () => {
  const fine = histogramOf([
    [1, 2, 4],
    [2, 4, 4],
    [4, 8, 2],
  ])
  test.each([
    { q: 0.2, value: 2 ** 0.5, low: 1, high: 2, why: 'halfway through a bucket on a logarithmic scale' },
    { q: 0.6, value: 2 ** 1.5, low: 2, high: 4, why: 'from the top on' },
    { q: 1, value: 8, low: 4, high: 8, why: 'the largest' },
    { q: 0, value: 1, low: 1, high: 2, why: 'the smallest' },
  ])('exponential, q=$q: $why', ({ q, ...want }) => {
    const found = nativeQuantile(q, fine)
    expect(found?.value).toBeCloseTo(want.value, 12)
    expect([found?.low, found?.high]).toEqual([want.low, want.high])
  })

  const custom = histogramOf([
    [-inf, 10, 50],
    [10, 20, 40],
    [50, inf, 10],
  ])
  test.each([
    { q: 0.25, value: 5, low: 0, high: 10, why: 'the first bucket starts at 0' },
    { q: 0.7, value: 15, low: 10, high: 20, why: 'linear within a bucket' },
    { q: 0.99, value: 50, low: 50, high: null, why: 'beyond the last bound: that bound, marked off scale' },
  ])('custom, q=$q: $why', ({ q, value, low, high }) => expect(nativeQuantile(q, custom)).toEqual({ value, low, high }))

  test('linear within the zero bucket, from 0 where nothing is below', () => {
    expect(
      nativeQuantile(
        0.25,
        histogramOf([
          [-1, 1, 2],
          [1, 2, 2],
          [2, 4, 1],
          [4, 8, 0],
        ]),
      )?.low,
    ).toBe(0)
    expect(
      nativeQuantile(
        0.25,
        histogramOf([
          [-2, -1, 0.5],
          [-1, 1, 2],
          [1, 2, 2],
        ]),
      ),
    ).toMatchObject({ low: -1, high: 1 })
  })

  test('observed NaNs lie in no bucket: ranks among them are unknown, the others stay', () => {
    const withNaN = { ...nativeHistogram({ count: 10, sum: Number.NaN }, [[10, 20, 5]]), layout: 'custom' as const }
    expect(nativeQuantile(0.25, withNaN)?.value).toBe(15)
    expect(nativeQuantile(0.9, withNaN)).toBeNull()
  })

  test.each([
    ['nothing observed', nativeHistogram({ count: 0, sum: 0 }, [])],
    ['a count that is NaN', nativeHistogram({ count: Number.NaN, sum: 0 }, [[1, 2, 3]])],
  ])('unknown for %s', (_, histogram) => expect(nativeQuantile(0.5, histogram)).toBeNull())

  test('bounds are seconds, whatever was measured in', () => {
    const milliseconds = { ...histogramOf([[2 ** 3.5, 2 ** 3.75, 1]]), unitSeconds: 0.001 }
    expect(nativeQuantile(1, milliseconds)?.value).toBeCloseTo(2 ** 3.75 / 1_000, 12)
  })
})

/** Random exponential histograms; integer counts, so that sums are exact in any order. */
const anyExponential = fc
  .record({
    schema: fc.integer({ min: -2, max: 6 }),
    zero: fc.option(fc.record({ threshold: fc.constantFrom(0.001, 0.25), count: fc.integer({ min: 1, max: 50 }) })),
    buckets: fc.uniqueArray(
      fc.record({ at: fc.integer({ min: 0, max: 60 }), count: fc.integer({ min: 1, max: 99 }) }),
      {
        minLength: 3,
        maxLength: 12,
        selector: ({ at }) => at,
      },
    ),
  })
  .map(({ schema, zero, buckets }) => {
    const bound = (index: number) => 2 ** (index / 2 ** Math.max(schema, -2))
    const filled = buckets.map(({ at, count }): Bucket => [bound(at), bound(at + 1), count])
    return histogramOf([...filled, ...(zero === null ? [] : [[-zero.threshold, zero.threshold, zero.count] as Bucket])])
  })

/** How many lie at or below a bound that no bucket crosses. */
function below({ highs, counts }: NativeHistogram, bound: number): number {
  return counts.reduce((sum, count, index) => ((highs[index] ?? 0) <= bound * (1 + 1e-9) ? sum + count : sum), 0)
}

describe('adding exponential histograms', () => {
  const bare = ({ lows, highs, counts, count, sum, schema }: NativeHistogram) => {
    const round = (values: readonly number[]) => values.map((value) => value.toPrecision(12))
    return { lows: round(lows), highs: round(highs), counts, count, sum, schema }
  }

  test('in any order, in any groups', () => {
    fc.assert(
      fc.property(anyExponential, anyExponential, anyExponential, (a, b, c) => {
        const all = bare(mergeExponential([a, b, c]))
        expect(bare(mergeExponential([c, b, a]))).toEqual(all)
        expect(bare(mergeExponential([mergeExponential([a, b]), c]))).toEqual(all)
        expect(bare(mergeExponential([a, mergeExponential([b, c])]))).toEqual(all)
      }),
    )
  })

  test('loses no observation, and none crosses a bound that is left', () => {
    fc.assert(
      fc.property(anyExponential, anyExponential, (a, b) => {
        const merged = mergeExponential([a, b])
        expect(merged.counts.reduce((sum, count) => sum + count, 0)).toBe(merged.count)
        expect(merged.schema).toBe(Math.min(a.schema ?? 9, b.schema ?? 9))
        for (const bound of merged.highs) expect(below(merged, bound)).toBe(below(a, bound) + below(b, bound))
      }),
    )
  })

  test('a quantile rises with q and lies in its bucket', () => {
    const q = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(anyExponential, anyExponential, q, q, (a, b, one, other) => {
        const merged = mergeExponential([a, b])
        const low = nativeQuantile(Math.min(one, other), merged)
        const high = nativeQuantile(Math.max(one, other), merged)
        if (low === null || high === null) return false
        const inside = low.value >= low.low * (1 - 1e-9) && low.value <= (low.high ?? inf) * (1 + 1e-9)
        return inside && low.value <= high.value * (1 + 1e-9)
      }),
    )
  })

  test('the same bound with other last digits is one bucket', () => {
    // As Prometheus writes 2^1.5 and 2^2.5, and as a power of two has them; they are an ulp apart.
    const theirs = histogramOf([
      [2, 2.8284271247461903, 2],
      [2.8284271247461903, 4, 4],
      [4, 5.656854249492381, 1],
    ])
    const finer = histogramOf([
      [2 ** 1.25, 2 ** 1.5, 1],
      [2 ** 1.5, 2 ** 1.75, 3],
      [2 ** 2.25, 2 ** 2.5, 5],
    ])
    const { counts, highs } = mergeExponential([theirs, finer])
    expect(counts).toEqual([3, 7, 6])
    expect(highs).toHaveLength(3)
  })

  test('the widest zero bucket takes in what it covers, whole buckets only', () => {
    const narrow = histogramOf([
      [-0.001, 0.001, 1],
      [0.125, 0.25, 2],
      [0.25, 0.5, 4],
      [0.5, 1, 8],
    ])
    const wide = histogramOf([
      [-0.3, 0.3, 16],
      [1, 2, 1],
      [2, 4, 1],
      [4, 8, 1],
    ])
    const merged = mergeExponential([narrow, wide])
    expect([merged.lows[0], merged.highs[0], merged.counts[0]]).toEqual([-0.5, 0.5, 23])
    expect(merged.count).toBe(34)
  })
})
