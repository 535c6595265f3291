import { expect, test } from 'vitest'
import type { Goal } from '../../src/domain/goals.ts'
import { workloadRow } from '../../src/domain/row.ts'
import { judge } from '../../src/domain/suspects.ts'
import { verdictOf } from '../../src/domain/verdict.ts'
import { type Course, type Given, situationIn, verdictIn } from './incident-world.ts'

const course = (rate: number, usual: number, now: number, failing = 0): Course => ({ rate, usual, now, failing })
const goal = (workload: string, more: Partial<Goal>): Goal => ({
  workload,
  successRatio: null,
  latencySeconds: {},
  leastRequestsPerSecond: null,
  periodSeconds: null,
  ...more,
})

const [X, D] = ['east/shop/x', 'west/labs/d']
const SLOW: Given = {
  nodes: { [X]: course(41, 0.1, 2.1), [D]: course(41, 0.02, 2) },
  calls: [{ from: X, to: D, course: course(41, 0.03, 2.03) }],
}

test('the sentence says which goals the affected one misses', () => {
  const goals = [goal(X, { latencySeconds: { mean: 0.5 } }), goal(D, { latencySeconds: { mean: 5 } })]
  expect(verdictIn({ ...SLOW, goals }).text).toContain(' It misses its goal: mean 2.10 s (goal 500 ms).')
  expect(verdictIn({ ...SLOW, goals: [goal(D, { latencySeconds: { mean: 1 } })] }).text).not.toContain('goal')
})

test('usual and yet below its goals is not "all quiet"', () => {
  const calm: Given = { nodes: { [X]: course(41, 0.1, 0.1), [D]: course(41, 0.02, 0.02) }, calls: [] }
  expect(verdictIn({ ...calm, goals: [goal(X, { latencySeconds: { mean: 0.2 } })] }).form).toBe('quiet')
  expect(verdictIn({ ...calm, goals: [goal('*/shop/*', { latencySeconds: { mean: 0.05 } })] })).toMatchObject({
    form: 'unknown',
    subject: X,
    text: 'Nothing is outside its usual range, but shop/x (east) misses its goals: mean 100 ms (goal 50 ms).',
  })
})

test('those who call each other in a circle that feeds itself are one suspect', () => {
  const [W, A, B] = ['west/shop/w', 'west/labs/a', 'west/labs/b']
  // Each request of the one makes nearly one of the other.
  const verdict = verdictIn({
    nodes: { [W]: course(4, 0.1, 2.1), [A]: course(100, 0.05, 2), [B]: course(99, 0.05, 1.95) },
    calls: [
      { from: W, to: A, course: course(4, 0.06, 2.06) },
      { from: A, to: B, course: course(98, 0.045, 1.94) },
      { from: B, to: A, course: course(97, 0.045, 1.93) },
    ],
  })
  expect(verdict).toMatchObject({ form: 'suspect', subject: W })
  expect([A, B]).toContain(verdict.suspect)
  expect(verdict.text).toMatch(
    /^shop\/w \(west\) is slow because of labs\/[ab] \(west\) and labs\/[ab] \(west\), which call each other in a circle and cannot be told apart: .* are lost among them\./,
  )
})

test('rps stuck while more and more wait: a flat line, said of whoever has it', () => {
  const situation = situationIn({ ...SLOW, beganStepsAgo: 20 })
  const notesOf = () => {
    const workload = situation.assessment.workloads.get(D)
    return workload === undefined ? [] : workloadRow(situation, judge(situation), workload).notes
  }
  // The queue stands: it is slow, but nothing grows.
  expect(notesOf().join()).not.toContain('flat line')
  const past = situation.clusters.get('west')?.history?.inbound.get(D)?.total
  if (past === undefined) throw new Error('the past is known')
  const steps = past.latencySeconds.length
  for (let ago = 0; ago < 20; ago += 1) past.latencySeconds[steps - 1 - ago] = 41 * (2 - 0.08 * ago)
  expect(notesOf()).toContain('flat line: rps stuck at 41/s while in-flight grows, 82 (was 0.8)')
  for (let ago = 0; ago < 20; ago += 1) past.success[steps - 1 - ago] = 41 - ago
  expect(notesOf().join()).not.toContain('flat line')
})

test('who is slow by itself, though its callers hardly wait for it, is a problem of its own', () => {
  const [Y, Z] = ['west/labs/y', 'west/labs/z']
  const situation = situationIn({
    nodes: { ...SLOW.nodes, [Y]: course(20, 0.1, 2.1), [Z]: course(20, 0.02, 30) },
    calls: [
      ...SLOW.calls,
      { from: Y, to: D, course: course(20, 0.03, 2.03) },
      // It gives up on it at once.
      { from: Y, to: Z, course: course(20, 0.021, 0.022) },
    ],
  })
  const judgement = judge(situation)
  expect(judgement.suspects.map(({ id, of }) => [id, of])).toEqual([
    [D, X],
    [Z, Z],
  ])
  expect(verdictOf(situation, judgement)).toMatchObject({ form: 'several', suspect: D })
})
