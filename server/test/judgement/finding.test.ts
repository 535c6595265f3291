import { expect, test } from 'vitest'
import { findingOf } from '../../src/domain/finding.ts'
import { judge } from '../../src/domain/suspects.ts'
import { dependencyTree } from '../../src/domain/tree.ts'
import { C, course, D, type Given, SLOW, situationIn, verdictIn, X } from './incident-world.ts'

function found(given: Given, focus: string) {
  const situation = situationIn(given)
  return findingOf(situation, judge(situation, focus), focus)
}

test('a page says of its workload what the fleet says of it', () => {
  expect(found(SLOW, X)).toEqual(verdictIn(SLOW))
  expect(found(SLOW, C)).toMatchObject({ form: 'suspect', subject: C, suspect: D })
})

test('who may not be named for the fleet is not named on a page', () => {
  const silent = { ...SLOW, silent: ['west'] }
  expect(verdictIn(silent)).toMatchObject({ form: 'unknown', suspect: null })
  expect(found(silent, X)).toEqual(verdictIn(silent))
})

test('nothing is found of one that is not in trouble', () => {
  const nodes = { ...SLOW.nodes, 'east/mail/m': course(10, 0.1, 0.1) }
  expect(found({ ...SLOW, nodes }, 'east/mail/m')).toBeNull()
})

test('several troubles elsewhere are none of its own', () => {
  const nodes = { ...SLOW.nodes, 'east/mail/m': course(10, 0.1, 3) }
  const both = { ...SLOW, nodes }
  expect(verdictIn(both).form).toBe('several')
  expect(found(both, 'east/mail/m')).toMatchObject({ form: 'suspect', suspect: 'east/mail/m' })
})

test('what a workload calls is told by its failures where only these are more than usual', () => {
  // Means moved by chance.
  const failing: Given = {
    nodes: { [X]: course(41, 0.1, 0.101, 10), [C]: course(41, 0.06, 0.061), [D]: course(41, 0.02, 0.02, 10) },
    calls: [
      { from: X, to: C, course: course(41, 0.07, 0.071) },
      { from: X, to: D, course: course(41, 0.021, 0.021, 10) },
    ],
  }
  const situation = situationIn(failing)
  const judgement = judge(situation, X)
  expect(judgement.suspects[0]).toMatchObject({ id: D, trouble: 'failures' })
  const { share, children } = dependencyTree(situation, judgement, X)
  const shares = new Map(children.map(({ id, share: own }) => [id, own]))
  expect(shares.get(D)).toBeCloseTo(1, 6)
  expect(shares.get(C) ?? 0).toBeCloseTo(0, 6)
  expect(share ?? 0).toBeCloseTo(0, 6)
})
