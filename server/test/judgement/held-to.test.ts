import { describe, expect, test } from 'vitest'
import { heldTo } from '../../src/domain/held-to.ts'
import { workloadRow } from '../../src/domain/row.ts'
import { judge } from '../../src/domain/suspects.ts'
import { type Course, course, type Given, situationIn } from './incident-world.ts'

const ID = 'west/labs/d'

function rowOf(only: Course, given: Partial<Given> = {}) {
  const situation = situationIn({ nodes: { [ID]: only }, calls: [], ...given })
  const workload = situation.assessment.workloads.get(ID)
  if (workload === undefined) throw new Error('it is observed')
  return workloadRow(situation, judge(situation), workload)
}

describe('what a status is held against is what it was judged by', () => {
  test('a mean of usually 30 ms: 20 ms more is unusual, three times as much critical', () => {
    const limits = rowOf(course(40, 0.03, 0.03)).heldTo?.mean ?? [0, 0]
    expect(limits[0]).toBeCloseTo(0.05, 9)
    expect(limits[1]).toBeCloseTo(0.09, 9)
  })

  test.each([
    { seconds: 0.049, health: 'ok' },
    { seconds: 0.051, health: 'warn' },
    { seconds: 0.0899, health: 'warn' },
    { seconds: 0.0901, health: 'crit' },
  ])('a mean of $seconds s is $health', ({ seconds, health }) => {
    expect(rowOf(course(40, 0.03, seconds), { beganStepsAgo: 40 }).health).toBe(health)
  })

  test.each([5, 40, 400])('failures at %i requests a second: trouble from the limit on, not below', (rate) => {
    const [warn, crit] = rowOf(course(rate, 0.03, 0.03)).heldTo?.failures ?? [0, 0]
    expect(crit).toBeGreaterThanOrEqual(warn)
    const health = (share: number) => rowOf(course(rate, 0.03, 0.03, share * rate), { beganStepsAgo: 40 }).health
    expect(health(warn * 0.999)).toBe('ok')
    expect(health(warn * 1.001)).toBe(warn * 1.001 >= crit ? 'crit' : 'warn')
    expect(health(crit * 1.001)).toBe('crit')
  })

  test('of a handful of requests nothing is judged, and how many it takes is told', () => {
    const row = rowOf(course(0.2, 0.03, 3), { beganStepsAgo: 40 })
    expect(row).toMatchObject({ health: 'ok', heldTo: { mean: null, failures: null, tooFewBelow: 20 } })
  })

  test('a goal is told with how it fares; a silent cluster is held to nothing', () => {
    const goals = [
      {
        workload: '**',
        successRatio: null,
        latencySeconds: { mean: 0.02 },
        leastRequestsPerSecond: 10,
        periodSeconds: null,
      },
    ]
    const row = rowOf(course(40, 0.03, 0.03), { goals })
    expect(row.health).toBe('warn')
    expect(row.heldTo?.goals).toEqual([
      { measure: 'mean', goal: 0.02, verdict: 'missed' },
      { measure: 'requestsPerSecond', goal: 10, verdict: 'met' },
    ])
    expect(rowOf(course(40, 0.03, 0.03), { goals, silent: ['west'] }).heldTo).toBeNull()
  })

  test('a goal that is kept at the moment burns where its budget is spent too fast', () => {
    const situation = situationIn({ nodes: { [ID]: course(40, 0.03, 0.03) }, calls: [] })
    const workload = situation.assessment.workloads.get(ID)
    const budget = { periodSeconds: 1, knownSeconds: 1, spentRatio: 2, burns: [], grade: 'crit' as const }
    const row = { measure: 'p99' as const, goal: 1, usual: 0.5, now: 0.5, truth: 'value' as const, text: '', budget }
    const held = workload && heldTo(situation, workload, [{ ...row, verdict: 'met' }])
    expect(held?.goals).toEqual([{ measure: 'p99', goal: 1, verdict: 'burning' }])
  })
})
