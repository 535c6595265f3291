import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Asked, joinPlan, NotJoinable } from './join-plan.ts'
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
