import { expect, test } from 'vitest'
import { mergeBuckets, readBuckets } from './merge-buckets.ts'
import { mergedQuantile } from './merged-quantile.ts'
import { parsePromql } from './parse-promql.ts'

const found = (text: string) => mergedQuantile(parsePromql(text) ?? expect.fail(`${text} is not understood`))

test.each([
  'histogram_quantile(0.99, sum by (le) (rate(x_bucket[1m])))',
  'histogram_quantile(0.99, sum(rate(x_bucket[1m])) by (le, deployment))',
  '# a comment\nhistogram_quantile(.5, (sum without (cluster, pod) (rate(x_bucket{a="b"}[1m] offset 5m))))',
])('buckets of several clusters can be added up: %s', (text) => {
  expect(found(text)).toMatchObject({
    buckets: expect.stringMatching(/^sum/),
    summed: expect.stringMatching(/^rate/),
    steps: [],
  })
})

test.each([
  ['histogram_quantile(0.5, sum by (le) (x_bucket)) / 1000', 2_000, 2],
  ['1000 * -(histogram_quantile(0.5, sum by (le) (x_bucket)))', 2, -2_000],
  ['(histogram_quantile(0.5, sum by (le) (x_bucket)) - 1) * 10 > 5', 2, 10],
  ['(histogram_quantile(0.5, sum by (le) (x_bucket)) - 1) * 10 > 5', 1.1, null],
  ['3 < bool histogram_quantile(0.5, sum by (le) (x_bucket))', 2, 0],
  ['2 ^ histogram_quantile(0.5, sum by (le) (x_bucket))', 3, 8],
  ['histogram_quantile(0.5, sum by (le) (x_bucket)) ^ 2', 3, 9],
])('what stands around the quantile is done to each of its numbers: %s', (text, value, expected) => {
  const steps = found(text)?.steps ?? []
  expect(steps.reduce<number | null>((at, step) => (at === null ? null : step(at)), value)).toBe(expected)
})

test.each([
  // Each cluster can answer these for itself.
  'histogram_quantile(0.99, sum by (le, cluster) (rate(x_bucket[1m])))',
  'histogram_quantile(0.99, sum without (pod) (rate(x_bucket[1m])))',
  'histogram_quantile(0.99, rate(x_bucket[1m]))',
  // Nothing of these can be added up.
  'histogram_quantile(0.99, max by (le) (rate(x_bucket[1m])))',
  'histogram_quantile(0.99, sum by (pod) (rate(x_bucket[1m])))',
  'histogram_quantile(scalar(q), sum by (le) (rate(x_bucket[1m])))',
  'avg(histogram_quantile(0.99, sum by (le) (rate(x_bucket[1m]))))',
  'histogram_quantile(0.99, sum by (le) (x_bucket)) / histogram_quantile(0.5, sum by (le) (x_bucket))',
  'sum(rate(x_total[1m]))',
  '1 + 2',
])('not: %s', (text) => {
  expect(found(text)).toBeNull()
})

const bucket = (le: string, value: string, more: object = {}) => ({ metric: { le, ...more }, value: [60, value] })
const part = (cluster: string, rows: readonly object[], resultType = 'vector') => {
  const read = readBuckets({ resultType, result: rows }) ?? expect.fail('the buckets are classic ones')
  return { cluster, ...read, warnings: [], infos: [] }
}

test('one quantile over the buckets of both, where the mean of two would be far off', () => {
  const fast = part('east', [bucket('0.1', '99'), bucket('1', '99'), bucket('+Inf', '99')])
  const slow = part('west', [bucket('0.1', '0'), bucket('1.0', '1'), bucket('+Inf', '1')])
  const { rows, clusters, lostBounds } = mergeBuckets([fast, slow], 0.5, [])
  // 50 of 100 lie in the first bucket, 99 of them: 0.1 * 50 / 99.
  expect(rows).toEqual([{ metric: {}, value: [60, String(0.1 * (50 / 99))] }])
  expect({ clusters, lostBounds }).toEqual({ clusters: ['east', 'west'], lostBounds: [] })
})

test('boundaries that one of them lacks are left out, and named; who observed nothing takes none away', () => {
  const fine = part('east', [bucket('1', '2'), bucket('2', '4'), bucket('+Inf', '4')])
  const coarse = part('west', [bucket('2', '4'), bucket('+Inf', '4')])
  const idle = part('north', [bucket('5', '0'), bucket('+Inf', '0')])
  const { rows, lostBounds } = mergeBuckets([fine, coarse, idle], 0.5, [])
  expect(rows).toEqual([{ metric: {}, value: [60, '1'] }])
  expect(lostBounds).toEqual([1])
})

test('each instant and each set of labels on its own; beyond 0 to 1 and without observations as Prometheus', () => {
  const row = (le: string, pod: string, values: [number, string][]) => ({ metric: { le, pod }, values })
  const rows = [
    row('1', 'a', [
      [60, '1'],
      [75, '0'],
    ]),
    row('+Inf', 'a', [
      [60, '1'],
      [75, '0'],
    ]),
    row('1', 'b', [[75, '2']]),
    row('+Inf', 'b', [[75, '2']]),
  ]
  const both = [part('east', rows, 'matrix'), part('west', rows.slice(2), 'matrix')]
  expect(mergeBuckets(both, 0.5, [])).toMatchObject({
    type: 'matrix',
    rows: [
      {
        metric: { pod: 'a' },
        values: [
          [60, '0.5'],
          [75, 'NaN'],
        ],
      },
      { metric: { pod: 'b' }, values: [[75, '0.5']] },
    ],
  })
  expect(mergeBuckets(both, 2, []).rows[1]).toMatchObject({ values: [[75, '+Inf']] })
  expect(mergeBuckets(both, 0.5, [(value) => (value > 1 ? value : null)]).rows).toEqual([])
})

test('native histograms have no bounds to add up by', () => {
  expect(readBuckets({ resultType: 'vector', result: [{ metric: {}, histogram: [60, {}] }] })).toBeNull()
})
