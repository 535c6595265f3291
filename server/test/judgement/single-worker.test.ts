import { describe, expect, test } from 'vitest'
import { workloadRow } from '../../src/domain/row.ts'
import type { Situation } from '../../src/domain/situation.ts'
import { judge } from '../../src/domain/suspects.ts'
import { verdictOf } from '../../src/domain/verdict.ts'
import { type Course, course, type Given, situationIn } from './incident-world.ts'

/*
 * The published incident of a workload whose check calls one of a single replica, which does one request
 * at a time: as it came, after that one was given more replicas, and after the check was taken out.
 */
const X = 'east/shop/x'
const [A, B, C] = ['west/labs/a', 'west/labs/b', 'west/labs/c']
const [D, E, F] = ['west/labs/d', 'west/labs/e', 'west/labs/f']

/** Seconds that C's calls to D take while it lasts, and what everybody on the way waits for it. */
interface Phase {
  readonly d: number
  /** Two minutes ago D was given more replicas, or its calls were taken out. */
  readonly later?: { readonly d: number; readonly rate: number; readonly dRate: number }
}

const RATE = { usual: 4, now: 5 }
const BEFORE_D = 0.23
const STEPS_SINCE = 12

/** `usual` seconds with D answering in a fifth of one, the rest its own; the same part of all calls goes to each. */
function world({ d, later }: Phase): Given {
  const at = (part: number, adds: number): Course => ({
    ...course(part * RATE.usual, BEFORE_D + adds, d + adds),
    rateNow: part * RATE.now,
    ...(later && { later: { stepsAgo: STEPS_SINCE, now: later.d + adds, rate: part * later.rate } }),
  })
  const fast = { usual: 0.02, now: 0.02 }
  const small: Course = {
    rate: RATE.usual,
    rateNow: RATE.now,
    ...fast,
    ...(later && { later: { stepsAgo: STEPS_SINCE, now: fast.now, rate: later.rate } }),
  }
  const inside = {
    ...at(1, -0.03),
    ...(later && { later: { stepsAgo: STEPS_SINCE, now: later.d, rate: later.dRate } }),
  }
  return {
    beganStepsAgo: 40,
    nodes: {
      [X]: at(1, 0.1),
      [A]: at(0.5, 0.06),
      [B]: at(0.3, 0.055),
      [C]: at(1, 0.04),
      [D]: inside,
      [E]: small,
      [F]: small,
    },
    calls: [
      { from: X, to: A, course: at(0.5, 0.065) },
      { from: X, to: B, course: at(0.3, 0.06) },
      { from: X, to: C, course: at(0.2, 0.045) },
      { from: A, to: C, course: at(0.5, 0.041) },
      { from: B, to: C, course: at(0.3, 0.041) },
      { from: C, to: D, course: inside },
      { from: C, to: E, course: small },
      { from: C, to: F, course: small },
    ],
    // C is asked by that name from its own cluster as well, so that rates do not tell whom X asks.
    routes: [{ host: 'c.example', to: C }],
    pods: { [D]: { usual: 1, now: later === undefined ? 1 : 4 } },
  }
}

const RAMP: Phase = { d: 38 }
const SCALED: Phase = { d: 38, later: { d: 9, rate: 18, dRate: 18 } }
const REMOVED: Phase = { d: 38, later: { d: 0, rate: 100, dRate: 0 } }

function rowOf(situation: Situation, id: string) {
  const workload = situation.assessment.workloads.get(id)
  if (workload === undefined) throw new Error(`${id} is gone`)
  return workloadRow(situation, judge(situation), workload)
}

describe('one slow worker that everybody waits for', () => {
  test('the ramp: all on the way look alike, and D is named with what it hurts', () => {
    const situation = situationIn(world(RAMP))
    const judgement = judge(situation)
    expect(verdictOf(situation, judgement)).toMatchObject({ form: 'suspect', subject: X, suspect: D, word: 'strong' })
    for (const id of [X, A, B, C, D]) expect(rowOf(situation, id)).toMatchObject({ health: 'crit', change: '+++' })
    expect([...(judgement.suspects[0]?.victims ?? [])].sort()).toEqual([A, B, C, X].sort())
    expect(judgement.suspects).toHaveLength(1)
    expect(judgement.suspects[0]?.share).toBeGreaterThan(0.99)
    expect(judgement.cleared).toEqual(expect.arrayContaining([A, B, C]))
  })

  test('D scaled out: timeouts are over and it still takes long, so D is still named, with what changed', () => {
    const situation = situationIn(world(SCALED))
    const judgement = judge(situation)
    expect(verdictOf(situation, judgement)).toMatchObject({ form: 'suspect', subject: X, suspect: D })
    const [prime] = judgement.suspects
    expect(prime?.hints).toContain('4 pods (was 1)')
    expect(prime?.evidence.find(({ name }) => name === 'scaling')).toMatchObject({
      answer: true,
      text: '4 pods (was 1)',
    })
    expect(prime?.share).toBeGreaterThan(0.9)
  })

  test('the check taken out: all quiet, C faster than ever, and D has no traffic rather than 100 %', () => {
    const situation = situationIn(world(REMOVED))
    const judgement = judge(situation)
    expect(judgement.suspects).toEqual([])
    expect(verdictOf(situation, judgement)).toMatchObject({ form: 'quiet', suspect: null })
    const d = rowOf(situation, D)
    expect(d.reading.truths.successRatio).toBe('noTraffic')
    expect(d.reading.golden.successRatio).toBeNull()
    expect(d.notes).toContain('no longer called (was 4.00/s)')
    expect(rowOf(situation, C)).toMatchObject({ health: 'ok', change: '--' })
  })
})
