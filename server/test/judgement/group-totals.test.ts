import { expect, test } from 'vitest'
import type { ClusterView } from '../../src/domain/assess.ts'
import { groupsOf } from '../../src/domain/group.ts'
import { course, type Given, pictureIn, viewsIn } from './incident-world.ts'

const CARTS: Given = {
  nodes: { 'east/shop/cart': course(40, 0.1, 0.1), 'west/shop/cart': course(60, 0.1, 0.1) },
  calls: [],
}

/** The carts of all clusters as one, as a viewer of `scope` gets them; `silent`: a cluster of which nothing is known. */
function carts(silent: string | null, scope: ReadonlySet<string> | null = null) {
  const views = viewsIn(CARTS).map((view): ClusterView => {
    return view.name === silent ? { ...view, state: 'missing', now: null, history: null } : view
  })
  const { situation } = pictureIn(CARTS, views)
  const shown = [...situation.assessment.workloads.values()].filter(({ ref }) => scope?.has(ref.cluster) !== false)
  return groupsOf(situation, shown, scope).map(({ members, reading: { golden, truths } }) => ({
    members: members.length,
    requestsPerSecond: golden.requestsPerSecond,
    truths: [truths.requestsPerSecond, truths.successRatio],
  }))
}

test('a sum over all clusters is one', () => {
  expect(carts(null)).toEqual([{ members: 2, requestsPerSecond: 100, truths: ['value', 'value'] }])
})

test('a sum that lacks a cluster is no total, and says so', () => {
  expect(carts('west')).toEqual([{ members: 1, requestsPerSecond: 40, truths: ['partial', 'partial'] }])
})

test('a cluster that nobody asked for is no lack', () => {
  expect(carts('west', new Set(['east']))).toEqual([{ members: 1, requestsPerSecond: 40, truths: ['value', 'value'] }])
  expect(carts('west', new Set(['east', 'west']))[0]?.truths).toEqual(['partial', 'partial'])
})
