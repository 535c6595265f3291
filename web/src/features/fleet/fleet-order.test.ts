import { expect, test } from 'vitest'
import { golden, nothing, suspect, workload } from '../../../test/builders.ts'
import { A, C, D, fleet, X } from '../../../test/incident.ts'
import { blameOrder, orderFleet } from './fleet-order.ts'
import { nextSort, readSort } from './fleet-search.ts'
import { holdOrder, pendingMoves } from './held-order.ts'

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

test('the culprit stands first, those it hurts right under it, nearest first', () => {
  const order = ids(blameOrder(fleet.workloads, fleet.suspects))
  expect(order[0]).toBe(D)
  expect(order.indexOf(C)).toBeLessThan(order.indexOf(A))
  expect(order.indexOf(A)).toBeLessThan(order.indexOf(X))
  expect(new Set(order).size).toBe(fleet.workloads.length)
})

test('then other trouble, then the healthy by traffic, then those without any', () => {
  const order = ids(blameOrder(fleet.workloads, fleet.suspects))
  const places = ['east/pay/refunds', 'east/shop/images', 'east/pay/checkout', 'west/mailing/letters'].map((id) =>
    order.indexOf(id),
  )
  expect(places).toEqual([...places].sort((a, b) => a - b))
})

test('time lost between two workloads gets a row of its own', () => {
  const link = suspect(`${X}~${A}`, { victims: [X] })
  const hurt = workload(X, golden(10, 1), golden(10, 0.1), { health: 'crit', via: link.id })
  const rows = blameOrder([workload(A, golden(10, 0.1), golden(10, 0.1)), hurt], [link])
  expect(rows.map(({ kind, id }) => [kind, id])).toEqual([
    ['other', `${X}~${A}`],
    ['workload', X],
    ['workload', A],
  ])
})

test('sorted by a column, what cannot be told comes last either way', () => {
  const rows = [
    workload('e/n/none', nothing, nothing),
    workload('e/n/few', golden(1, 9), golden(1, 9)),
    workload('e/n/slow', golden(100, 2), golden(100, 2)),
    workload('e/n/fast', golden(100, 0.1), golden(100, 0.1)),
  ]
  expect(ids(orderFleet(rows, [], readSort('-p99')))).toEqual(['e/n/slow', 'e/n/fast', 'e/n/few', 'e/n/none'])
  expect(ids(orderFleet(rows, [], readSort('p99')))).toEqual(['e/n/fast', 'e/n/slow', 'e/n/few', 'e/n/none'])
})

test('a header shows the worst first, then the best, then blame again', () => {
  const clicks = ['-blame']
  for (let click = 0; click < 3; click += 1) clicks.push(nextSort(readSort(clicks.at(-1) ?? ''), 'success'))
  expect(clicks).toEqual(['-blame', 'success', '-success', '-blame'])
})

test('a held order keeps its rows, drops what is gone and slips new ones in where they belong', () => {
  expect(holdOrder(['a', 'b', 'c'], ['c', 'new', 'a'])).toEqual(['a', 'c', 'new'])
})

test.each([
  { shown: 'abcd', fresh: 'abcd', moves: 0, why: 'nothing moved' },
  { shown: 'abcd', fresh: 'dabc', moves: 1, why: 'one row jumps, the others only make room' },
  { shown: 'abcd', fresh: 'dcba', moves: 3, why: 'all but one' },
])('$moves moves pending from $shown to $fresh: $why', ({ shown, fresh, moves }) => {
  expect(pendingMoves([...shown], [...fresh])).toBe(moves)
})
