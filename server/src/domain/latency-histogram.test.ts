import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Histogram, histogramOf } from './histogram.ts'
import { eitherOrBoth, isNative, latencyQuantile, mergeLatencies, observationsOf } from './latency-histogram.ts'
import { type NativeHistogram, nativeHistogram, settled } from './native-histogram.ts'

const inf = Number.POSITIVE_INFINITY
type Bucket = readonly [number, number, number]

function native(buckets: readonly Bucket[]): NativeHistogram {
  const count = buckets.reduce((sum, bucket) => sum + bucket[2], 0)
  const one = nativeHistogram({ count, sum: 1 }, buckets)
  return settled([one])(one)
}

const classic = (...buckets: [number, number][]): Histogram => histogramOf(new Map(buckets))

describe('kinds that do not fit each other keep the boundaries at which all know their count', () => {
  test('classic buckets and the same buckets converted: nothing is lost', () => {
    const kept = classic([1, 2], [2, 2], [5, 6], [inf, 7])
    const converted = native([
      [-inf, 1, 1],
      [2, 5, 3],
      [5, inf, 2],
    ])
    const { merged, lostBounds } = mergeLatencies([kept, converted])
    expect(merged).toEqual(classic([1, 3], [2, 3], [5, 10], [inf, 13]))
    expect(lostBounds).toEqual([])
  })

  test('classic and exponential: what lies inside a filled bucket of the other goes, and is told', () => {
    const { merged, lostBounds } = mergeLatencies([
      classic([1, 4], [3, 4], [10, 8], [inf, 8]),
      native([
        [-0.001, 0.001, 1],
        [2, 2 ** 1.5, 2],
        [2 ** 1.5, 4, 3],
      ]),
    ])
    // 2 and 2.8 lie between 1 and 3, where the classic one holds nothing: it knows its count there.
    expect(merged).toEqual(classic([1, 5], [2, 5], [2 ** 1.5, 7], [10, 14], [inf, 14]))
    expect(lostBounds).toEqual([0.001, 3, 4])
    expect(latencyQuantile(0.9, merged)).toMatchObject({ low: 2 ** 1.5, high: 10 })
  })

  test('custom buckets of two layouts keep what they share', () => {
    const { merged, lostBounds } = mergeLatencies([
      native([
        [-inf, 1, 1],
        [1, 2, 2],
        [2, 5, 3],
      ]),
      native([
        [-inf, 1, 1],
        [1, 5, 4],
      ]),
    ])
    expect(merged).toMatchObject({ layout: 'custom', lows: [0, 1], highs: [1, 5], counts: [2, 9], count: 11 })
    expect(lostBounds).toEqual([2])
  })

  test('nothing observed changes nothing', () => {
    const some = native([[1, 2 ** 0.5, 3]])
    const none = nativeHistogram({ count: 0, sum: 0 }, [])
    expect(mergeLatencies([some, none]).merged).toMatchObject({ counts: [3], count: 3, schema: 1 })
    expect(observationsOf(mergeLatencies([classic([1, 2], [inf, 3]), none]).merged)).toBe(3)
  })
})

describe('custom buckets at zero and below', () => {
  test('what lies at or below the first bound is counted', () => {
    const one = native([
      [-inf, 0, 60],
      [0, 5, 40],
    ])
    const { merged, lostBounds } = mergeLatencies([one, one])
    expect(merged).toMatchObject({ count: 200, lows: [-inf, 0], highs: [0, 5], counts: [120, 80] })
    expect(lostBounds).toEqual([])
    for (const q of [0.1, 0.5, 0.6, 0.75, 1]) expect(latencyQuantile(q, merged)).toEqual(latencyQuantile(q, one))
  })

  test('a bucket on both sides of zero stays as wide as it is', () => {
    const one = native([
      [-5, 10, 100],
      [10, 20, 20],
    ])
    const { merged } = mergeLatencies([one, one])
    for (const q of [0.1, 0.5, 0.9]) expect(latencyQuantile(q, merged)).toEqual(latencyQuantile(q, one))
  })

  test('bounds in milliseconds that are off by a rounding', () => {
    const [one, other] = [native([[-inf, 0.1 + 0.2, 3]]), native([[-inf, 0.3, 4]])]
    const { merged } = mergeLatencies([one, other])
    expect(isNative(merged) && merged.counts.reduce((a, b) => a + b, 0)).toBe(7)
  })
})

describe('one flow counted both ways', () => {
  const kept = classic([1, 6], [inf, 10])
  const converted = native([
    [-inf, 1, 6],
    [1, inf, 4],
  ])

  test('by the same pods: the same requests twice, so only the native one stands', () => {
    expect(eitherOrBoth(kept, converted, 10)?.merged).toBe(converted)
    expect(eitherOrBoth(kept, converted, null)?.merged).toBe(converted)
  })

  test('by different pods: all requests, so both', () => {
    expect(eitherOrBoth(kept, converted, 20)?.merged).toEqual(classic([1, 12], [inf, 20]))
  })

  test('by the same pods, natively only for a moment yet: the one that saw more', () => {
    const fresh = native([
      [-inf, 1, 1],
      [1, inf, 1],
    ])
    expect(eitherOrBoth(kept, fresh, 10)?.merged).toBe(kept)
  })

  test('one way only: that one', () => {
    expect(eitherOrBoth(kept, null, 10)?.merged).toBe(kept)
    expect(eitherOrBoth(null, converted, 10)?.merged).toBe(converted)
    expect(eitherOrBoth(null, null, 10)).toBeNull()
  })
})

/** Observations, seen through a random layout: classic, custom or exponential. */
const anySeen = fc.record({
  values: fc.array(fc.integer({ min: 1, max: 4_000 }), { minLength: 1, maxLength: 40 }),
  layout: fc.oneof(
    fc.record({
      kind: fc.constantFrom('classic', 'custom'),
      bounds: fc.uniqueArray(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 8 }),
    }),
    fc.record({ kind: fc.constant('exponential'), schema: fc.integer({ min: 1, max: 3 }) }),
  ),
})

function seenAs({
  values,
  layout,
}: {
  values: readonly number[]
  layout: { kind: string; bounds?: number[]; schema?: number }
}) {
  if (layout.kind === 'exponential') {
    const schema = layout.schema ?? 1
    const indexes = values.map((value) => Math.ceil(Math.log2(value) * 2 ** schema - 1e-9))
    return native(
      [...new Set(indexes)].map((index): Bucket => {
        const count = indexes.filter((other) => other === index).length
        return [2 ** ((index - 1) / 2 ** schema), 2 ** (index / 2 ** schema), count]
      }),
    )
  }
  const bounds = [...(layout.bounds ?? []), inf].sort((a, b) => a - b)
  const upTo = (bound: number) => values.filter((value) => value <= bound).length
  if (layout.kind === 'classic') return histogramOf(new Map(bounds.map((bound) => [bound, upTo(bound)])))
  const buckets = bounds.map((bound, index): Bucket => {
    const low = bounds[index - 1] ?? -inf
    return [low, bound, upTo(bound) - (index === 0 ? 0 : upTo(low))]
  })
  return native(buckets.filter((bucket) => bucket[2] > 0))
}

describe('whatever the layouts, against the observations themselves', () => {
  test('the merged percentile lies in a bucket that holds the true one', () => {
    fc.assert(
      fc.property(fc.array(anySeen, { minLength: 1, maxLength: 4 }), fc.constantFrom(0.5, 0.9, 0.99), (parts, q) => {
        const { merged } = mergeLatencies(parts.map(seenAs))
        const all = parts.flatMap(({ values }) => values).sort((a, b) => a - b)
        expect(observationsOf(merged)).toBe(all.length)
        const found = latencyQuantile(q, merged)
        // A classic histogram that kept nothing but +Inf has no percentile, in Prometheus neither.
        if (found === null) return !isNative(merged) && merged.upperBounds.length < 2
        const rank = q * all.length
        const [truth, next] = [
          all[Math.max(0, Math.ceil(rank - 1e-9) - 1)] ?? 0,
          all[Math.min(all.length - 1, Math.floor(rank + 1e-9))] ?? 0,
        ]
        const holds = (value: number) => value >= found.low * (1 - 1e-9) && value <= (found.high ?? inf) * (1 + 1e-9)
        return holds(truth) || holds(next)
      }),
      { numRuns: 300 },
    )
  })

  test('in any order', () => {
    fc.assert(
      fc.property(fc.array(anySeen, { minLength: 2, maxLength: 4 }), (parts) => {
        const seen = parts.map(seenAs)
        const [one, other] = [seen, [...seen].reverse()].map((list) => {
          const { merged, lostBounds } = mergeLatencies(list)
          return {
            lost: lostBounds.map((bound) => bound.toPrecision(9)),
            p: [0.5, 0.99].map((q) => latencyQuantile(q, merged)?.value.toPrecision(9)),
          }
        })
        expect(other).toEqual(one)
      }),
    )
  })
})
