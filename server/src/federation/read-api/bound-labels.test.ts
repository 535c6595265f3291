import { expect, test } from 'vitest'
import { boundsIn, boundsSpelled } from './bound-labels.ts'
import { type Asked, joinPlan } from './join-plan.ts'
import { joinRows } from './join-rows.ts'
import { parsePromql } from './parse-promql.ts'

type Labels = Readonly<Record<string, string>>

/** What is joined of clusters, by the values that each has of one label, by question. */
function joined(promql: string, label: string, told: Readonly<Record<string, Readonly<Record<string, number>>>>) {
  const plan = joinPlan(parsePromql(promql) ?? expect.fail(`${promql} is not understood`))
  const answersTo = ({ text }: Asked) =>
    new Map(
      Object.entries(told)
        .filter(([name]) => !name.includes(' ') || name.endsWith(` ${text}`))
        .map(([cluster, values]) => [
          cluster,
          Object.entries(values).map(([value, number]) => ({
            labels: { [label]: value },
            at: new Map([[60, number]]),
          })),
        ]),
    )
  return Object.fromEntries(joinRows(plan, answersTo).rows.map(({ labels, at }) => [labels[label], at.get(60)]))
}

test('a bucket is one, whether Prometheus 2 or 3 wrote its bound, and is called as 3 calls it', () => {
  const told = {
    old: { '0.5': 1, '1': 2, '1000000': 4, '+Inf': 8 },
    new: { '0.5': 1, '1.0': 2, '1e+06': 4, '+Inf': 8 },
  }
  expect(joined('sum by (le) (a_bucket)', 'le', told)).toEqual({
    '0.5': 2,
    '1.0': 4,
    '1e+06': 8,
    '+Inf': 16,
  })
  expect(joined('max by (le) (a_bucket)', 'le', told)).toMatchObject({ '1.0': 2, '1e+06': 4 })
})

test('as the clusters call it, where they agree', () => {
  expect(joined('sum by (le) (a_bucket)', 'le', { a: { '1': 2, '5': 4 }, b: { '1': 3 } })).toEqual({ '1': 5, '5': 4 })
})

test('it has a partner of the other spelling', () => {
  const told = { 'old sum by (le) (a)': { '1': 6, '5': 9 }, 'new sum by (le) (b)': { '1.0': 3, '5.0': 3 } }
  for (const [operator, values] of [
    ['/', { '1.0': 2, '5.0': 3 }],
    ['and', { '1.0': 6, '5.0': 9 }],
    ['unless', {}],
    ['or', { '1.0': 6, '5.0': 9 }],
  ] as const)
    expect(joined(`sum by (le) (a) ${operator} sum by (le) (b)`, 'le', told)).toEqual(values)
})

test('so are the quantiles of summaries', () => {
  expect(joined('max by (quantile) (a)', 'quantile', { old: { '1': 2, '0.99': 1 }, new: { '1.0': 3 } })).toEqual({
    '1.0': 3,
    '0.99': 1,
  })
})

test.each([
  ['pod', { '1': 2 }, { '1.0': 3 }],
  ['le', { x: 2 }, { X: 3 }],
  ['le', { '': 2 }, { '0': 3 }],
  ['le', { '0x1': 2 }, { '1': 3 }],
  ['quantile', { '7': 2 }, { '007': 3 }],
])('other texts stay apart: %s', (label, old, young) => {
  expect(joined(`sum by (${label}) (a)`, label, { old, young })).toEqual({ ...old, ...young })
})

test.each([
  ['0', '0.0'],
  ['-2', '-2.0'],
  ['0.10', '0.1'],
  ['100000', '100000.0'],
  ['1000000.0', '1e+06'],
  ['2.5e6', '2.5e+06'],
  ['0.00001', '1e-05'],
  ['+Inf', '+Inf'],
  ['inf', '+Inf'],
  ['10s', '10s'],
])('the bound %s is spelled %s', (given, wanted) => {
  const labels: Labels = { le: given, job: '1' }
  expect(boundsSpelled(labels)).toEqual({ le: wanted, job: '1' })
  expect(boundsIn([{ labels }])({ le: '7' })).toEqual({ le: '7' })
})
