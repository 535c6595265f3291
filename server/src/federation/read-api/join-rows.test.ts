import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Asked, isQuantile, joinPlan, NotJoinable } from './join-plan.ts'
import { joinRows, readJoinRows } from './join-rows.ts'
import { parsePromql } from './parse-promql.ts'
import { writtenRows } from './write-rows.ts'

const planOf = (text: string) => joinPlan(parsePromql(text) ?? expect.fail(`${text} is not understood`))

test.each([
  ['sum(a)', 'sum(a)', 'a'],
  ['sum by (x) (sum by (x, y) (sum(rate(a[1m]))))', 'sum by (x) (sum by (x, y) (sum(rate(a[1m]))))', 'rate(a[1m])'],
  ['max(max(a))', 'max(max(a))', 'a'],
  ['count(count(a))', 'count(count(a))', 'count(a)'],
  ['sum(sum by (cluster) (a))', 'sum(sum by (cluster) (a))', 'sum by (cluster) (a)'],
])('of %s each cluster is asked %s, of what it can tell: %s', (text, asked, inner) => {
  expect(planOf(text)).toMatchObject({ kind: 'asked', text: asked, inner })
})

test.each([
  ['SUM BY (le) (rate(a[1m]))', { kind: 'asked', word: 'sum', fold: 'add', text: 'SUM BY (le) (rate(a[1m]))' }],
  ['SUM(Sum(a))', { kind: 'asked', inner: 'a' }],
  ['Avg(a)', { left: { text: 'sum(a)' }, right: { text: 'count(a)' } }],
  ['histogram_quantile(0.9, SUM BY (le) (rate(a[1m])))', { kind: 'quantile', q: 0.9 }],
])('capitals make no difference to an aggregation: %s', (text, plan) => {
  expect(planOf(text)).toMatchObject(plan)
})

test('an average is a sum by a count of the same', () => {
  expect(planOf('avg without (cluster) (a{b="avg"})')).toMatchObject({
    left: { text: 'sum without (cluster) (a{b="avg"})', inner: 'a{b="avg"}' },
    right: { text: 'count without (cluster) (a{b="avg"})' },
  })
})

test.each(['a', 'sum(a) offset 5m', 'vector(1)', 'sum(a) + 1 + b', 'sum(a)[5m:1m]', 'sum(a) or on () sum(b)'])(
  'not joined: %s',
  (text) => {
    expect(() => planOf(text)).toThrow(NotJoinable)
  },
)

/** What one Prometheus with all of it would say, held against the same series dealt out to clusters. */
test.each(['sum', 'count', 'max', 'min', 'avg'])('%s of what is dealt out to clusters is that of all', (word) => {
  const series = fc.array(
    fc.record({
      cluster: fc.constantFrom('a', 'b', 'c'),
      job: fc.constantFrom('x', 'y'),
      value: fc.integer({ min: -50, max: 50 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  const plan = planOf(`${word} by (job) (a)`)
  const FOLDS: Readonly<Record<string, (values: readonly number[]) => number>> = {
    sum: (values) => values.reduce((a, b) => a + b, 0),
    count: (values) => values.length,
    max: (values) => Math.max(...values),
    min: (values) => Math.min(...values),
    avg: (values) => values.reduce((a, b) => a + b, 0) / values.length,
  }
  const by = (all: readonly { job: string; value: number }[], as: string) =>
    new Map(
      ['x', 'y'].flatMap((job): [string, number][] => {
        const values = all.filter((one) => one.job === job).map(({ value }) => value)
        return values.length === 0 ? [] : [[job, FOLDS[as]?.(values) ?? Number.NaN]]
      }),
    )
  fc.assert(
    fc.property(series, (all) => {
      const answersTo = ({ text }: Asked) =>
        new Map(
          ['a', 'b', 'c'].map((cluster) => {
            const own = all.filter((one) => one.cluster === cluster)
            const rows = [...by(own, text.slice(0, text.indexOf(' ')))].map(([job, value]) => ({
              labels: { job },
              at: new Map([[60, value]]),
            }))
            return [cluster, rows] as const
          }),
        )
      const { rows } = joinRows(plan, answersTo)
      const made = new Map(rows.map(({ labels, at }) => [labels.job, at.get(60)]))
      const wanted = by(all, word)
      expect([...made.keys()].sort()).toEqual([...wanted.keys()].sort())
      for (const [job, value] of wanted) expect(made.get(job)).toBeCloseTo(value, 9)
    }),
    { numRuns: 60 },
  )
})

test('an instant that only some have is that of those; what has no partner is no pair', () => {
  const rows = (value: string, at: number) => [{ metric: {}, values: [[at, value]] }]
  const read = (result: unknown) => readJoinRows({ resultType: 'matrix', result }).rows
  const answers = new Map([
    ['east', read(rows('1', 60))],
    ['west', read(rows('NaN', 75))],
  ])
  const { rows: sums } = joinRows(planOf('sum(a)'), () => answers)
  expect(writtenRows(sums, 'matrix')).toEqual([
    {
      metric: {},
      values: [
        [60, '1'],
        [75, 'NaN'],
      ],
    },
  ])
  const none = joinRows(planOf('sum(a) / sum(b)'), ({ text }) => (text === 'sum(a)' ? answers : new Map()))
  expect(none.rows).toEqual([])
})

test('native histograms go out as they came in', () => {
  const histogram = {
    count: '6',
    sum: '-1.5',
    buckets: [
      [1, '-2', '-1', '1'],
      [3, '-0.001', '0.001', '2'],
      [0, '1', '2', '3'],
    ],
  }
  const given = { resultType: 'vector', result: [{ metric: { a: 'b' }, histogram: [60, histogram] }] }
  const { rows } = joinRows(planOf('sum by (a) (n)'), () => new Map([['east', readJoinRows(given).rows]]))
  expect(writtenRows(rows, 'vector')).toEqual(given.result)
})

const quantileOf = (text: string, clusters: Readonly<Record<string, readonly object[]>>, resultType = 'vector') => {
  const answers = new Map(
    Object.entries(clusters).map(([name, result]) => [name, readJoinRows({ resultType, result }).rows]),
  )
  const { rows, lostBounds } = joinRows(planOf(text), () => answers)
  return { rows: writtenRows(rows, resultType === 'matrix' ? 'matrix' : 'vector'), lostBounds }
}
const bucket = (le: string, value: string) => ({ metric: { le }, value: [60, value] })
const HALF = 'histogram_quantile(0.5, sum by (le) (x_bucket))'

test.each([
  [HALF, true],
  ['3 < bool -(histogram_quantile(.5, (sum without (cluster, pod) (x_bucket{a="b"} offset 5m))))', true],
  [`${HALF} / ${HALF}`, false],
  [`avg(${HALF})`, false],
  ['histogram_quantile(0.5, max by (le) (x_bucket))', false],
  ['histogram_quantile(0.5, x_bucket)', false],
  ['histogram_quantile(scalar(q), sum by (le) (x_bucket))', false],
  ['sum(x)', false],
])('%s is a quantile over all clusters, unasked: %s', (text, expected) => {
  expect(isQuantile(parsePromql(text) ?? expect.fail(text))).toBe(expected)
})

test('one quantile over the buckets of both, where the mean of two would be far off', () => {
  const fast = [bucket('0.1', '99'), bucket('1', '99'), bucket('+Inf', '99')]
  const slow = [bucket('0.1', '0'), bucket('1.0', '1'), bucket('+Inf', '1')]
  // 50 of 100 lie in the first bucket, 99 of them: 0.1 * 50 / 99.
  const rows = [{ metric: {}, value: [60, String(0.1 * (50 / 99))] }]
  expect(quantileOf(HALF, { east: fast, west: slow })).toEqual({ rows, lostBounds: [] })
})

test('boundaries that one of them lacks are left out, and named; who observed nothing takes none away', () => {
  const fine = [bucket('1', '2'), bucket('2', '4'), bucket('+Inf', '4')]
  const coarse = [bucket('2', '4'), bucket('+Inf', '4')]
  const idle = [bucket('5', '0'), bucket('+Inf', '0')]
  const { rows, lostBounds } = quantileOf(HALF, { east: fine, west: coarse, north: idle })
  expect(rows).toEqual([{ metric: {}, value: [60, '1'] }])
  expect(lostBounds).toEqual([1])
})

test('each instant on its own; beyond 0 to 1, without observations and without a bound as Prometheus', () => {
  const over = (le: string | undefined, ...values: [number, string][]) => ({
    metric: le === undefined ? {} : { le },
    values,
  })
  const east = [over('1', [60, '1'], [75, '0']), over('+Inf', [60, '1'], [75, '0']), over(undefined, [60, '7'])]
  const clusters = { east, west: [over('1', [60, '2']), over('+Inf', [60, '2'])] }
  expect(quantileOf(HALF, clusters, 'matrix').rows).toMatchObject([
    {
      values: [
        [60, '0.5'],
        [75, 'NaN'],
      ],
    },
  ])
  expect(quantileOf(HALF.replace('0.5', '2'), clusters, 'matrix').rows).toMatchObject([
    {
      values: [
        [60, '+Inf'],
        [75, '+Inf'],
      ],
    },
  ])
  expect(quantileOf(`${HALF} > 1`, clusters, 'matrix').rows).toEqual([])
})

test.each([
  [`${HALF} / 1000`, 2_000, '2'],
  [`1000 * -(${HALF})`, 2, '-2000'],
  [`(${HALF} - 1) * 10 > 5`, 2, '10'],
  [`3 < bool ${HALF}`, 2, '0'],
  [`1 < ${HALF}`, 2, '2'],
  [`2 ^ ${HALF}`, 3, '8'],
  [`${HALF} ^ 2`, 3, '9'],
])('what stands around it is done to each of its numbers: %s', (text, value, expected) => {
  const all = [bucket('0', '0'), bucket(String(2 * value), '2'), bucket('+Inf', '2')]
  expect(quantileOf(text, { east: all }).rows).toEqual([{ metric: {}, value: [60, expected] }])
})

test.each([
  ['0.5', 'sum by (le) (a)', []],
  ['1.5', 'sum by (le) (a)', ['quantile value should be between 0 and 1, got 1.5']],
  ['-1', 'sum by (le) (a)', ['quantile value should be between 0 and 1, got -1']],
  ['12500000', 'sum by (le) (a)', ['quantile value should be between 0 and 1, got 1.25e+07']],
  ['1', 'sum(a)', ['bucket label "le" is missing or has a malformed value of ""']],
  ['0', 'sum by (le) (odd)', ['bucket label "le" is missing or has a malformed value of "x"']],
])('a quantile of %s of %s is warned of as by Prometheus', (q, sum, warnings) => {
  const rowOf = (labels: Record<string, string>) => [{ labels, at: new Map([[4, 1]]) }]
  const le = sum.includes('odd') ? { le: 'x' } : sum.includes('le') ? { le: '+Inf' } : {}
  const joined = joinRows(planOf(`histogram_quantile(${q}, ${sum})`), () => new Map([['east', rowOf(le as never)]]))
  expect(joined.warnings).toEqual(warnings.map((text) => `PromQL warning: ${text}`))
})

test.each([
  'sum by (__name__) (a) / sum by (__name__) (b)',
  'sum by (__name__) (a) * 2',
  'sum by (__name__) (a) or sum(b)',
])('names of metrics are no labels to match by: %s', (text) => {
  const rows = [{ labels: { __name__: 'a' }, at: new Map([[4, 2]]) }]
  expect(() => joinRows(planOf(text), () => new Map([['east', rows]]))).toThrow(NotJoinable)
  expect(joinRows(planOf('sum by (__name__) (a)'), () => new Map([['east', rows]])).rows).toEqual(rows)
})
