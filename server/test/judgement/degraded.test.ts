import { describe, expect, test } from 'vitest'
import { workloadRow } from '../../src/domain/row.ts'
import { judge } from '../../src/domain/suspects.ts'
import { type Course, course, type Given, situationIn, verdictIn } from './incident-world.ts'

const [X, A, B, C, D, DB] = [
  'east/shop/x',
  'west/labs/a',
  'west/labs/b',
  'west/labs/c',
  'west/labs/d',
  'west/labs/statefulset:db',
]

/** X calls A, B and C over the seam; A and B call C; C calls D, which became 736 ms slower by itself. */
const NODES: Record<string, Course> = {
  [X]: course(41, 0.14, 0.894),
  [A]: course(20.5, 0.06, 0.806),
  [B]: course(12.3, 0.055, 0.802),
  [C]: course(41, 0.038, 0.78),
  [D]: course(41, 0.024, 0.76),
}
const TO_D = { from: C, to: D, course: course(41, 0.025, 0.761) }
const CALLS = [
  { from: X, to: A, course: course(20.5, 0.065, 0.812) },
  { from: X, to: B, course: course(12.3, 0.06, 0.808) },
  { from: X, to: C, course: course(8.2, 0.043, 0.786) },
  { from: A, to: C, course: course(20.5, 0.039, 0.781) },
  { from: B, to: C, course: course(12.3, 0.039, 0.781) },
]
const INCIDENT: Given = { nodes: NODES, calls: [...CALLS, TO_D] }

test('the incident itself: D, by name, three calls down, with nothing taken back', () => {
  const verdict = verdictIn(INCIDENT)
  expect(verdict).toMatchObject({ form: 'suspect', subject: X, suspect: D, word: 'strong' })
  expect(verdict.text).toContain('shop/x (east) is slow because of labs/d (west)')
})

describe('degraded', () => {
  test('west does not answer: the direction is named, nobody is', () => {
    const verdict = verdictIn({ ...INCIDENT, silent: ['west'] })
    expect(verdict).toMatchObject({ form: 'unknown', subject: X, suspect: null })
    expect(verdict.text).toMatch(
      /lie beyond the seam to west, as its caller sees it\. west has not answered for 40 s\./,
    )
  })

  test('the seam cannot be joined: D still leads inside west, and nobody is blamed through a guess', () => {
    const situation = situationIn({ ...INCIDENT, hostless: true })
    const { suspects, cleared } = judge(situation)
    const [d] = suspects.filter(({ id }) => id === D)
    expect(d).toMatchObject({ id: D, of: expect.stringMatching(/^west\//) })
    expect(cleared).toContain(C)
    // X's own calls end in the dark: no workload of west is blamed for them.
    for (const { id, of } of suspects) if (of === X) expect(id.startsWith('west/')).toBe(false)
  })

  test('... the sentence says no more than "likely", and whom X may call is told by matching rates', () => {
    const verdict = verdictIn({ ...INCIDENT, hostless: true })
    expect(['likely', 'weak']).toContain(verdict.word)
    expect(verdict.subject).toBe(X)
    const seams = situationIn({ ...INCIDENT, hostless: true }).edges.filter(({ edge }) => edge.seam)
    expect(seams.map(({ edge }) => [edge.to, edge.confidence, edge.rule])).toEqual(
      [A, B, C].map((to) => [to, 'dotted', 'rates']),
    )
    expect(seams[0]?.edge.evidence.join()).toContain('21/s called, 21/s arriving at labs/a (west)')
  })

  test('D is not meshed: the time lands on the call, without a claim about its inside', () => {
    const { [D]: _unmeshed, ...nodes } = NODES
    const given = { nodes, calls: [...CALLS, { ...TO_D, to: 'host:d.outside' }] }
    const verdict = verdictIn(given)
    expect(verdict).toMatchObject({ suspect: 'outside/d.outside' })
    expect(verdict.text).toContain('d.outside or what is behind it')
    const [prime] = judge(situationIn(given)).suspects
    expect(prime?.word).toBe('weak')
    expect(prime?.evidence.find(({ name }) => name === 'callees')?.answer).toBeNull()
  })

  test('the clock of east is ahead: who moved first does not count, and the word is likely', () => {
    const given = { ...INCIDENT, skewSeconds: { east: 60 } }
    const verdict = verdictIn(given)
    expect(verdict).toMatchObject({ form: 'suspect', suspect: D, word: 'likely' })
    expect(verdict.text).toContain('The clock of east is 60 s ahead: who moved first is not counted.')
    const [prime] = judge(situationIn(given)).suspects
    expect(prime?.evidence.find(({ name }) => name === 'first')?.answer).toBeNull()
  })

  test('D waits for its database: the database is named, D is cleared', () => {
    const nodes = { ...NODES, [DB]: course(41, 0.01, 0.716) }
    const given = { nodes, calls: [...CALLS, TO_D, { from: D, to: DB, course: course(41, 0.011, 0.717) }] }
    const judgement = judge(situationIn(given))
    expect(verdictIn(given).suspect).toBe(DB)
    expect(judgement.cleared).toContain(D)
  })

  test('two incidents that share nothing are two problems', () => {
    const nodes = { ...NODES, 'east/pay/ledger': course(12, 0.05, 0.3) }
    const verdict = verdictIn({ ...INCIDENT, nodes })
    expect(verdict).toMatchObject({ form: 'several', suspect: D })
    expect(verdict.text).toMatch(/^2 separate problems\. Worst: shop\/x/)
  })

  test('it began before what usual values are taken from: no calm is claimed, and another day is proposed', () => {
    const verdict = verdictIn({ ...INCIDENT, beganStepsAgo: 240 })
    expect(verdict.form).toBe('unknown')
    expect(verdict.text).toMatch(/times slower at .* UTC and has been so for 60 m: its usual values may be those/)
    expect(verdict.text).toContain('cmp=1d')
  })

  test('D fails instead of being slow: the same tree by failures', () => {
    const failing = (rate: number) => course(rate, 0.03, 0.03, rate * 0.2)
    const nodes = Object.fromEntries(Object.entries(NODES).map(([id, { rate }]) => [id, failing(rate)]))
    const calls = INCIDENT.calls.map((call) => ({ ...call, course: failing(call.course.rate) }))
    const verdict = verdictIn({ nodes, calls })
    expect(verdict).toMatchObject({ form: 'suspect', subject: X, suspect: D })
    expect(verdict.text).toContain('fails because of labs/d (west)')
  })

  test('D recovers: nobody is named any more, and its row says so for five minutes', () => {
    const rowOf = (endedStepsAgo: number) => {
      const situation = situationIn({ ...INCIDENT, beganStepsAgo: 60, endedStepsAgo })
      const workload = situation.assessment.workloads.get(D)
      if (workload === undefined) throw new Error('D is gone')
      return { row: workloadRow(situation, judge(situation), workload), suspects: judge(situation).suspects }
    }
    const soon = rowOf(8)
    expect(soon.suspects).toEqual([])
    expect(soon.row.notes.join()).toMatch(/recovering since \d\d:\d\d UTC/)
    expect(soon.row.health).toBe('ok')
    expect(rowOf(24).row.notes).toEqual([])
  })

  test('hardly anybody calls: the word is weaker, and it says how few', () => {
    const thin = (one: Course): Course => ({ ...one, rate: one.rate / 60 })
    const nodes = Object.fromEntries(Object.entries(NODES).map(([id, one]) => [id, thin(one)]))
    const calls = INCIDENT.calls.map((call) => ({ ...call, course: thin(call.course) }))
    const verdict = verdictIn({ nodes, calls })
    expect(verdict).toMatchObject({ suspect: D, word: 'likely' })
    expect(verdict.text).toContain('Only 41 requests in the rate window.')
  })
})
