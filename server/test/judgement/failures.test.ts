import { describe, expect, test } from 'vitest'
import { evidenceFor } from '../../src/domain/evidence.ts'
import { workloadRow } from '../../src/domain/row.ts'
import type { Situation } from '../../src/domain/situation.ts'
import { judge } from '../../src/domain/suspects.ts'
import { emptyTraffic } from '../../src/domain/traffic.ts'
import { verdictOf } from '../../src/domain/verdict.ts'
import { course, type Given, pictureIn, situationIn, verdictIn, viewsIn } from './incident-world.ts'

const [X, D, R, E] = ['east/shop/x', 'east/shop/d', 'east/shop/r', 'west/shop/e']

const notesOf = (situation: Situation, id: string) => {
  const workload = situation.assessment.workloads.get(id) ?? expect.fail(`${id} is not there`)
  return workloadRow(situation, judge(situation), workload).notes
}

describe('a callee that is dead and refuses at once', () => {
  const DEAD: Given = {
    nodes: { [X]: course(100, 0.1, 0.06, 99), [D]: { ...course(100, 0.04, 0.04), rateNow: 0 } },
    calls: [{ from: X, to: D, course: course(100, 0.045, 0.001, 100) }],
  }

  test('is named itself, not the way to it', () => {
    const situation = situationIn(DEAD)
    const [prime] = judge(situation).suspects
    expect(prime).toMatchObject({ id: D, kind: 'workload', of: X, trouble: 'failures' })
    expect(verdictOf(situation, judge(situation)).text).toContain('shop/x (east) fails because of shop/d (east)')
  })

  test('is said to be called and to count nothing', () => {
    expect(notesOf(situationIn(DEAD), D)).toEqual(['called 100/s, and counts no request (was 100/s)'])
    const [call] = DEAD.calls
    const uncalled = { ...DEAD, calls: call === undefined ? [] : [{ ...call, course: { ...call.course, rateNow: 0 } }] }
    expect(notesOf(situationIn(uncalled), D)).toEqual(['no longer called (was 100/s)'])
  })

  test('is no callee that is fine to whoever calls it', () => {
    // E fails more than its calls to D do, so that it is suspected itself.
    const situation = situationIn({
      nodes: { ...DEAD.nodes, [E]: course(100, 0.1, 0.1, 90) },
      calls: [...DEAD.calls, { from: E, to: D, course: course(20, 0.045, 0.001, 20) }],
    })
    const suspect = judge(situation).suspects.find(({ id }) => id === E)
    expect(suspect?.evidence.find(({ name }) => name === 'callees')).toMatchObject({
      answer: false,
      text: 'it calls shop/d (east), where no request is counted any more',
    })
  })

  test('does not do as usual, where the way to it is suspected', () => {
    const situation = situationIn(DEAD)
    const [entry] = judge(situation).entries
    if (entry === undefined) expect.fail('nobody is in trouble')
    const way = { id: `${X}~${D}`, kind: 'link', entry, share: 1, contributedSeconds: 99, path: [X, D] } as const
    expect(evidenceFor(situation, way).find(({ name }) => name === 'callees')?.text).toBe(
      'shop/d (east) itself counts no request any more',
    )
  })
})

test('a part that names the caller and counts nothing is no part: the callee is held to all it counts', () => {
  const given: Given = {
    nodes: { [X]: course(100, 0.1, 0.1, 50), [D]: course(100, 0.02, 0.02, 50) },
    calls: [{ from: X, to: D, course: course(100, 0.025, 0.025, 50) }],
  }
  const views = viewsIn(given)
  for (const { now, history } of views) {
    for (const observation of [now, history]) {
      const inbound = observation?.inbound.get(D)
      if (inbound !== undefined) inbound.byCaller = new Map([[X, emptyTraffic(observation?.steps ?? 0)]])
    }
  }
  const { verdict, situation } = pictureIn(given, views)
  expect(verdict).toMatchObject({ subject: X, suspect: D })
  expect(situation.edges[0]?.flows).toMatchObject({ calleeMean: 'all', calleeNow: { failuresPerSecond: 50 } })
})

describe('what weighs most', () => {
  test('is who leaves more requests without an answer, not who has more of them', () => {
    const verdict = verdictIn({
      nodes: { [X]: course(2_000, 0.1, 0.1, 30), [E]: course(300, 0.1, 0.1, 150) },
      calls: [],
    })
    expect(verdict).toMatchObject({ form: 'several', suspect: E })
  })

  test('is who is slow where more wait for it than fail elsewhere, and the other way round', () => {
    const beside = (seconds: number) =>
      verdictIn({ nodes: { [X]: course(2_000, 0.1, 0.1, 30), [E]: course(300, 0.1, 0.1 + seconds) }, calls: [] })
    expect(beside(10)).toMatchObject({ form: 'several', suspect: E })
    expect(beside(0.5)).toMatchObject({ form: 'several', suspect: X })
  })
})

describe('who is slow and fails as well', () => {
  const slowAnd = (x: number, r: number): Given => ({
    nodes: { [X]: course(100, 0.1, 0.25, x), [D]: course(100, 0.03, 0.18), [R]: course(100, 0.02, 0.02, r) },
    calls: [
      { from: X, to: D, course: course(100, 0.035, 0.185) },
      { from: X, to: R, course: course(100, 0.025, 0.025, r) },
    ],
  })
  const named = (given: Given) => judge(situationIn(given)).suspects.map(({ id, of, trouble }) => [id, of, trouble])

  test('has two problems where two have caused it', () => {
    const situation = situationIn(slowAnd(50, 50))
    const { problems } = judge(situation)
    expect(named(slowAnd(50, 50))).toEqual([
      [R, X, 'failures'],
      [D, X, 'latency'],
    ])
    expect(problems).toEqual([
      [R, X],
      [D, X],
    ])
    expect(verdictOf(situation, judge(situation)).form).toBe('several')
  })

  test('has one where the calls that became slow are those that fail', () => {
    const given: Given = {
      nodes: { [X]: course(100, 0.1, 1.1, 50), [D]: course(100, 0.03, 3) },
      calls: [{ from: X, to: D, course: course(100, 0.035, 1.035, 50) }],
    }
    expect(named(given)).toEqual([[D, X, 'latency']])
    expect(verdictIn(given).form).toBe('suspect')
  })

  test('has one where it fails for having waited too long', () => {
    const given: Given = {
      nodes: { [X]: course(100, 0.1, 1.1, 50), [D]: course(100, 0.03, 1.03) },
      calls: [{ from: X, to: D, course: course(100, 0.035, 1.035) }],
    }
    expect(named(given)).toEqual([[D, X, 'latency']])
  })

  test('has none that is named where it waits for a cluster that does not answer', () => {
    const given: Given = {
      nodes: { [X]: course(100, 0.1, 1.1, 50), [E]: course(100, 0.03, 1.03) },
      calls: [{ from: X, to: E, course: course(100, 0.035, 1.035, 50) }],
      silent: ['west'],
    }
    expect(named(given)).toEqual([])
    expect(verdictIn(given).text).toContain('1.00 s of the 1.00 s it gained lie beyond the seam to west')
  })

  test('and who fails by itself is told of though its caller does without it', () => {
    expect(named(slowAnd(0, 80))).toEqual([
      [D, X, 'latency'],
      [R, R, 'failures'],
    ])
  })
})

test('a ring of failing ones is told of though somebody else is in trouble', () => {
  const [A, B] = ['west/labs/a', 'west/labs/b']
  const ring: Given = {
    nodes: { [A]: course(100, 0.05, 0.05, 80), [B]: course(100, 0.05, 0.05, 80) },
    calls: [
      { from: A, to: B, course: course(20, 0.01, 0.01, 16) },
      { from: B, to: A, course: course(20, 0.01, 0.01, 16) },
    ],
  }
  const alone = judge(situationIn(ring))
  expect(alone.suspects.length).toBeGreaterThan(0)
  const beside = judge(situationIn({ ...ring, nodes: { ...ring.nodes, [X]: course(41, 0.1, 0.6) } }))
  expect(beside.suspects.map(({ id }) => id).sort()).toEqual([X, ...alone.suspects.map(({ id }) => id)].sort())
  expect(beside.problems).toHaveLength(alone.problems.length + 1)
})
