import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PromHistogram } from '../../api/prometheus.ts'
import { heatOfHistograms, histogramSeries, keyOf } from './histograms.ts'
import { TOGETHER } from './together.ts'

type Bucket = readonly [number, number, number]
const of = (...buckets: readonly Bucket[]): PromHistogram => ({
  count: buckets.reduce((sum, [, , count]) => sum + count, 0),
  sum: 1,
  buckets,
})
const series = (at: readonly number[], ...histograms: readonly PromHistogram[]) =>
  histogramSeries('east', [{ labels: { __name__: 'n', pod: `p${histograms.length}` }, at, histograms }])
const stretch = { from: 60, to: 90, step: 15 }

test('rows are the buckets, columns the instants; an instant without one stays empty', () => {
  const { rows, columns, atMs } = heatOfHistograms(series([60, 90], of([1, 2, 5], [2, 4, 7]), of([4, 8, 1])), stretch)
  expect(rows.map(({ label }) => label)).toEqual(['1 to 2', '2 to 4', '4 to 8'])
  expect(columns).toEqual([[5, 7, 0], null, [0, 0, 1]])
  expect(atMs).toEqual([60_000, 75_000, 90_000])
})

test('where layouts differ a row ends only where no bucket is cut in two', () => {
  const all = [...series([60], of([1, 2, 5], [2, 4, 7])), ...series([60], of([1, 4, 3], [4, 8, 2]))]
  const { rows, columns } = heatOfHistograms(all, { from: 60, to: 60, step: 15 })
  expect(rows.map(({ label }) => label)).toEqual(['1 to 4', '4 to 8'])
  expect(columns).toEqual([[15, 2]])
})

test('the zero bucket, and what lies beyond every bound, are named', () => {
  const { rows } = heatOfHistograms(
    series(
      [60],
      of([Number.NEGATIVE_INFINITY, -0.1, 1], [-0.1, 0.1, 1], [0.1, 1, 1], [1, Number.POSITIVE_INFINITY, 1]),
    ),
    stretch,
  )
  expect(rows.map(({ label }) => label)).toEqual(['≤ −0.1', 'within 0.1 of 0', '0.1 to 1', '> 1'])
})

test('no observation is lost, however fine the buckets, and rows stay few enough to be read', () => {
  const histogram = fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 30 }))
    .map(([schema, indexes]) =>
      of(
        ...[...new Set(indexes)]
          .sort((a, b) => a - b)
          .map((index): Bucket => [2 ** (index / 2 ** schema), 2 ** ((index + 1) / 2 ** schema), index + 1]),
      ),
    )
  fc.assert(
    fc.property(histogram, histogram, (one, other) => {
      const { rows, columns } = heatOfHistograms([...series([60], one), ...series([60], other)], stretch)
      const total = (columns[0] ?? []).reduce<number>((sum, cell) => sum + (cell ?? 0), 0)
      expect(total).toBe(one.count + other.count)
      expect(rows.length).toBeLessThanOrEqual(41)
    }),
    { numRuns: 60 },
  )
})

test('what could not be joined is of its cluster, and a quantile is found by the labels without the name', () => {
  const given = { labels: { __name__: 'n', cluster: 'west', pod: 'a' }, at: [1], histograms: [of([1, 2, 3])] }
  const [one] = histogramSeries(TOGETHER, [given])
  expect(one).toMatchObject({ cluster: 'west', key: keyOf('west', { pod: 'a' }), newest: { count: 3 } })
})
