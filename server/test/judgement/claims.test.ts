import { expect, test } from 'vitest'
import type { Goal } from '../../src/domain/goals.ts'
import { workloadRow } from '../../src/domain/row.ts'
import { judge } from '../../src/domain/suspects.ts'
import { verdictOf } from '../../src/domain/verdict.ts'
import { type Course, course, D, type Given, SLOW, situationIn, verdictIn, X } from './incident-world.ts'

const goal = (workload: string, more: Partial<Goal>): Goal => ({
  workload,
  successRatio: null,
  latencySeconds: {},
  leastRequestsPerSecond: null,
  periodSeconds: null,
  ...more,
})

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

test('a circle is one suspect from wherever it is felt, and its members are not suspects of their own', () => {
  const [V, W, A, B] = ['west/shop/v', 'west/shop/w', 'west/labs/a', 'west/labs/b']
  const situation = situationIn({
    nodes: {
      [V]: course(4, 0.1, 2.1),
      [W]: course(4, 0.1, 2.1),
      [A]: course(100, 0.05, 2),
      [B]: course(99, 0.05, 1.95),
    },
    calls: [
      // Each front enters it at another place.
      { from: W, to: A, course: course(4, 0.06, 2.06) },
      { from: V, to: B, course: course(4, 0.06, 2.06) },
      { from: A, to: B, course: course(98, 0.045, 1.94) },
      { from: B, to: A, course: course(97, 0.045, 1.93) },
    ],
  })
  const { suspects, problems, via } = judge(situation)
  expect(suspects.map(({ id, alike }) => [id, ...alike].sort())).toEqual([[A, B]])
  expect(problems).toHaveLength(1)
  const [named] = suspects
  expect(via.get(named?.alike[0] ?? '')).toBe(named?.id)
})

test('what is in flight is an estimate while the rate or the mean still moves', () => {
  const rowOf = (given: Given) => {
    const situation = situationIn(given)
    const workload = situation.assessment.workloads.get(D)
    if (workload === undefined) throw new Error('D is gone')
    return workloadRow(situation, judge(situation), workload)
  }
  expect(rowOf(SLOW)).toMatchObject({ inFlightEstimated: false, limitLeft: null })
  // Three of the rate window's five steps are from before.
  const young = { ...SLOW, beganStepsAgo: 2 }
  expect(rowOf(young).inFlightEstimated).toBe(true)
  const [suspect] = judge(situationIn({ ...SLOW, beganStepsAgo: 4 })).suspects
  expect(suspect?.hints[0]).toBe('in-flight ~82 (was 0.8)')
  expect(judge(situationIn(SLOW)).suspects[0]?.hints[0]).toBe('in-flight 82 (was 0.8)')
})

test('a queue that formed after its calls became slow is put down to them, one that did not is its own', () => {
  const [W, C2] = ['west/shop/w', 'west/labs/c']
  const queueing = (later: Course['later']): Given => ({
    beganStepsAgo: 20,
    nodes: {
      [W]: { ...course(41, 0.1, later === undefined ? 12.1 : 2.1), ...(later && { later: { ...later, now: 12.1 } }) },
      [C2]: { ...course(41, 0.06, later === undefined ? 12 : 2.05), ...(later && { later }) },
      [D]: course(41, 0.02, 2),
    },
    calls: [
      {
        from: W,
        to: C2,
        course: {
          ...course(41, 0.07, later === undefined ? 12.01 : 2.06),
          ...(later && { later: { ...later, now: 12.01 } }),
        },
      },
      { from: C2, to: D, course: course(41, 0.021, 2.001) },
    ],
  })
  // As many requests as ever get done: its rate does not tell the two apart.
  expect(verdictIn(queueing({ stepsAgo: 8, now: 12 }))).toMatchObject({ subject: W, suspect: D })
  expect(verdictIn(queueing(undefined))).toMatchObject({ subject: W, suspect: C2 })
})

test('whom all give up on counts nothing any more, and is named all the same', () => {
  const W = 'west/shop/w'
  const verdict = verdictIn({
    nodes: { [W]: course(10, 0.1, 1.1, 9), [D]: { ...course(10, 0.05, 0.05), rateNow: 0 } },
    calls: [{ from: W, to: D, course: course(10, 0.06, 1, 10) }],
  })
  expect(verdict.suspect).toBe(D)
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
