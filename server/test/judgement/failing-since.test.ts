import { describe, expect, test } from 'vitest'
import { workloadRow } from '../../src/domain/row.ts'
import { type Situation, situationOf } from '../../src/domain/situation.ts'
import { judge } from '../../src/domain/suspects.ts'
import { AT, C, course, D, type Given, situationIn, verdictIn, X } from './incident-world.ts'

/** X calls C over the seam, C calls D, which fails a fifth of its requests and is no slower. */
const failing = (rate: number) => course(rate, 0.03, 0.03, rate * 0.2)
const FAILS: Given = {
  nodes: { [X]: failing(41), [C]: failing(41), [D]: failing(41) },
  calls: [
    { from: X, to: C, course: failing(41) },
    { from: C, to: D, course: failing(41) },
  ],
  beganStepsAgo: 20,
}
/** The first of twenty steps of 15 s, the last of which is the present. */
const SINCE = AT - 19 * 15

/** The same with what is known of the pods of D. */
function withEvent(situation: Situation, atSeconds: number): Situation {
  const facts = { events: [{ atSeconds, kind: 'restart', text: 'd-1 restarted' }], kubeTold: true, pods: null }
  const clusters = [...situation.clusters.values()].map((cluster) => ({
    ...cluster,
    surroundings: { goals: new Map(), alerts: null, ...cluster.surroundings, suspects: new Map([[D, facts]]) },
  }))
  return situationOf({ ...situation, clusters })
}

describe('who fails and is no slower', () => {
  test('has failed since the first step that did, in the sentence and in the lanes', () => {
    const verdict = verdictIn(FAILS)
    expect(verdict).toMatchObject({ suspect: D, sinceSeconds: SINCE })
    expect(verdict.text).toContain(' Since 07:55 UTC.')
    const [prime] = judge(situationIn(FAILS)).suspects
    expect(prime?.timeline).toEqual([D, X, C].map((id) => ({ id, onsetSeconds: SINCE })))
  })

  test.each([
    { event: 'a minute before', at: SINCE - 60, answer: true, text: 'possible trigger: d-1 restarted at 07:54 UTC' },
    { event: 'an hour before', at: SINCE - 3_600, answer: false, text: 'near 07:55 UTC' },
  ])('an event $event: $answer', ({ at, answer, text }) => {
    const [prime] = judge(withEvent(situationIn(FAILS), at)).suspects
    const events = prime?.evidence.find(({ name }) => name === 'events')
    expect(events).toMatchObject({ answer, text: expect.stringContaining(text) })
  })

  test('is not said to have been the first: a caller fails with the request that its callee fails', () => {
    const [prime] = judge(situationIn(FAILS)).suspects
    expect(prime?.evidence.find(({ name }) => name === 'first')).toMatchObject({
      answer: null,
      text: expect.stringContaining('failures pass up the calls at once'),
    })
  })

  test('is recovering for five minutes after the last failure', () => {
    const notes = (endedStepsAgo: number) => {
      const situation = situationIn({ ...FAILS, beganStepsAgo: 60, endedStepsAgo })
      const workload = situation.assessment.workloads.get(D)
      return workload === undefined ? [] : workloadRow(situation, judge(situation), workload).notes
    }
    expect(notes(8)).toEqual(['recovering since 07:58 UTC'])
    expect(notes(24)).toEqual([])
  })

  test('since always: nobody knows since when', () => {
    expect(verdictIn({ ...FAILS, beganStepsAgo: 300 }).sinceSeconds).toBeNull()
  })
})
