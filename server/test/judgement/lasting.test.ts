import { describe, expect, test } from 'vitest'
import { workloadRow } from '../../src/domain/row.ts'
import { judge } from '../../src/domain/suspects.ts'
import { AT, course, D, type Given, SLOW, situationIn, verdictIn, X } from './incident-world.ts'

/** One workload with 50 ms usually, slower since so many steps of 15 s; the rate window is 60 s. */
const slow = (rate: number, addedSeconds: number, beganStepsAgo: number): Given => ({
  nodes: { [X]: course(rate, 0.05, 0.05 + addedSeconds) },
  calls: [],
  beganStepsAgo,
})

describe('how long a deviation has to last', () => {
  test.each([
    { is: 'named', rate: 41, adds: 0.3, steps: 3, because: 'it is large' },
    { is: 'quiet', rate: 41, adds: 0.07, steps: 3, because: 'a pause of one scrape shows for as long' },
    { is: 'named', rate: 41, adds: 0.07, steps: 8, because: 'it has outlasted the window' },
    { is: 'quiet', rate: 0.4, adds: 0.2, steps: 8, because: 'one slow request of 24 does as much' },
    { is: 'named', rate: 0.4, adds: 0.2, steps: 20, because: 'chance does not last that long' },
    { is: 'named', rate: 0.4, adds: 5, steps: 3, because: 'no chance does that' },
  ])('$rate/s, $adds s more since $steps steps: $is, for $because', ({ is, rate, adds, steps }) => {
    const { form, suspect } = verdictIn(slow(rate, adds, steps))
    expect({ form, suspect }).toEqual(
      is === 'named' ? { form: 'suspect', suspect: X } : { form: 'quiet', suspect: null },
    )
  })

  test('where something is wrong already, a smaller one is named with it at once', () => {
    const LEDGER = 'east/pay/ledger'
    const given = slow(41, 0.07, 3)
    const both = { ...given, nodes: { ...given.nodes, [LEDGER]: course(41, 0.05, 2.05) } }
    expect(judge(situationIn(both)).suspects.map(({ id }) => id)).toEqual([LEDGER, X])
  })

  test.each([1, 3, 4])('it goes on while the newest %i steps of the past are not read yet', (unreadSteps) => {
    expect(verdictIn({ ...SLOW, beganStepsAgo: 20, unreadSteps })).toMatchObject({
      suspect: D,
      sinceSeconds: AT - 19 * 15,
    })
  })

  test('nobody above his band is recovering, however little is known of the newest steps', () => {
    const situation = situationIn({ ...SLOW, beganStepsAgo: 20, unreadSteps: 12 })
    const workload = situation.assessment.workloads.get(D)
    if (workload === undefined) throw new Error('D is gone')
    expect(workload.trouble.latency).toBe('none')
    expect(workloadRow(situation, judge(situation), workload).notes).toEqual([])
  })
})
