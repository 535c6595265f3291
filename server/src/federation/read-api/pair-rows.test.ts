import { expect, test } from 'vitest'
import { type Asked, joinPlan, NotJoinable } from './join-plan.ts'
import { joinRows } from './join-rows.ts'
import { parsePromql } from './parse-promql.ts'

const planOf = (text: string) => joinPlan(parsePromql(text) ?? expect.fail(`${text} is not understood`))

type Told = Readonly<Record<string, Readonly<Record<number, number>>>>

/** By pod, what is made of two questions with these answers at instants. */
function made(promql: string, left: Told, right: Told) {
  const rows = (told: Told) =>
    Object.entries(told).map(([pod, at]) => ({
      labels: { pod },
      at: new Map(Object.entries(at).map(([second, value]): [number, number] => [Number(second), value])),
    }))
  const answersTo = ({ text }: Asked) => new Map([['east', rows(text.includes('left') ? left : right)]])
  const { rows: joined } = joinRows(planOf(promql), answersTo)
  return Object.fromEntries(joined.map(({ labels, at }) => [labels.pod, Object.fromEntries(at)]))
}

const between = (operator: string) => `sum by (pod) (left) ${operator} sum by (pod) (right)`
const LEFT = { a: { 60: 1, 75: 2 }, b: { 60: 3 } }
const RIGHT = { a: { 60: 10 }, c: { 75: 20 } }

test.each<[operator: string, Told]>([
  ['-', { a: { 60: -9 } }],
  ['- fill(0)', { a: { 60: -9, 75: 2 }, b: { 60: 3 }, c: { 75: -20 } }],
  ['- fill_left(5)', { a: { 60: -9 }, c: { 75: -15 } }],
  ['- fill_right(-5)', { a: { 60: -9, 75: 7 }, b: { 60: 8 } }],
  ['- fill_right(1) fill_left(2)', { a: { 60: -9, 75: 1 }, b: { 60: 2 }, c: { 75: -18 } }],
  ['- Fill (0x10)', { a: { 60: -9, 75: -14 }, b: { 60: -13 }, c: { 75: -4 } }],
  ['< fill(2)', { a: { 60: 1 }, c: { 75: 2 } }],
  ['> bool fill_right(2)', { a: { 60: 0, 75: 0 }, b: { 60: 1 } }],
])('what has no partner at an instant is filled in as it is asked for: %s', (operator, wanted) => {
  expect(made(between(operator), LEFT, RIGHT)).toEqual(wanted)
})

test.each([between('and fill(0)'), between('+ fill(1m)'), between('+ on (pod) fill(0)'), 'sum(a) + fill(0) 5'])(
  'not joined: %s',
  (text) => {
    expect(() => planOf(text)).toThrow(NotJoinable)
  },
)
