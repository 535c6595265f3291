import { describe, expect, test } from 'vitest'
import type { Evidence } from '../../src/domain/evidence-item.ts'
import type { SignalName } from '../../src/domain/signals.ts'
import { type Situation, situationOf } from '../../src/domain/situation.ts'
import type { Surroundings } from '../../src/domain/surroundings.ts'
import { judge } from '../../src/domain/suspects.ts'
import { AT, C, course, D, type Given, SLOW, situationIn, X } from './incident-world.ts'

function evidenceAgainst(situation: Situation, id: string, name: Evidence['name']) {
  const suspect = judge(situation).suspects.find((one) => one.id === id)
  const item = suspect?.evidence.find((one) => one.name === name)
  return item === undefined ? null : { answer: item.answer, text: item.text }
}

/** The world in which D is slow, with one of its workloads told otherwise. */
const but = (id: string, more: Partial<Given['nodes'][string]>): Given => {
  const told = SLOW.nodes[id]
  if (told === undefined) throw new Error(`${id} is not in the world`)
  return { ...SLOW, nodes: { ...SLOW.nodes, [id]: { ...told, ...more } } }
}

function around(situation: Situation, surroundings: Partial<Surroundings>): Situation {
  const clusters = [...situation.clusters.values()].map((cluster) => ({
    ...cluster,
    surroundings: { goals: new Map(), alerts: null, ...surroundings },
  }))
  return situationOf({ ...situation, clusters })
}

describe('the evidence against D, which X waits for over two calls', () => {
  test.each<{ name: Evidence['name']; given: Given; answer: boolean | null; text: string; why: string }>([
    { name: 'share', given: SLOW, answer: true, text: 'adds +1.98 s per request to the +2.00 s', why: 'nearly all' },
    {
      name: 'share',
      given: but(X, { now: 5.1 }),
      answer: false,
      text: 'adds +1.98 s per request to the +5.00 s that shop/x (east) gained (40 %)',
      why: 'X has trouble of its own',
    },
    { name: 'callees', given: SLOW, answer: true, text: 'it calls nothing that is measured', why: 'a leaf' },
    {
      name: 'callees',
      given: {
        nodes: { ...SLOW.nodes, 'west/labs/e': course(41, 0.01, 0.012) },
        calls: [...SLOW.calls, { from: D, to: 'west/labs/e', course: course(41, 0.011, 0.013) }],
      },
      answer: true,
      text: 'its own calls are fine: labs/e (west)',
      why: 'its callee is as usual',
    },
    {
      name: 'callees',
      given: {
        nodes: { ...SLOW.nodes, 'west/labs/e': course(41, 0.01, 0.6) },
        calls: [...SLOW.calls, { from: D, to: 'west/labs/e', course: course(41, 0.011, 0.601) }],
      },
      answer: false,
      text: 'it calls labs/e (west), in trouble as well',
      why: 'its callee is slow too',
    },
    {
      name: 'callees',
      given: { ...SLOW, calls: [...SLOW.calls, { from: D, to: 'host:disk.outside', course: course(13, 0.01, 0.01) }] },
      answer: null,
      text: 'which cannot be seen into',
      why: 'its callee is not meshed',
    },
    {
      name: 'callees',
      given: { ...SLOW, calls: [...SLOW.calls, { from: D, to: 'host:disk.outside', course: course(41, 0.01, 0.01) }] },
      answer: false,
      text: 'it may call shop/x (east), in trouble as well',
      why: 'only a rate that matches says whom it calls',
    },
    { name: 'first', given: SLOW, answer: true, text: 'among the first to change, at 07:58 UTC', why: 'all at once' },
    {
      name: 'first',
      given: but(D, { now: 0.02, later: { stepsAgo: 4, now: 2 } }),
      answer: false,
      text: 'changed 60 s after the first',
      why: 'it became slow a minute later',
    },
    {
      name: 'queueing',
      given: SLOW,
      answer: true,
      text: 'in-flight 82 (was 0.8), rps stuck at 41/s',
      why: 'more wait, as many get done',
    },
    {
      name: 'queueing',
      given: but(D, { later: { stepsAgo: 2, now: 2, rate: 60 } }),
      answer: false,
      text: 'rps still moves',
      why: 'more get done as well',
    },
    {
      name: 'oneAtATime',
      given: { ...SLOW, pods: { [D]: { usual: 1, now: 1 } } },
      answer: true,
      text: '41/s x 20 ms usual over 1 pod = 0.82 requests at a time per pod',
      why: 'one worker, always busy',
    },
    {
      name: 'oneAtATime',
      given: { ...SLOW, pods: { [D]: { usual: 4, now: 4 } } },
      answer: false,
      text: '= 0.20 requests at a time per pod',
      why: 'there is room for more',
    },
    { name: 'oneAtATime', given: SLOW, answer: null, text: 'pods are not known', why: 'nobody counts pods' },
    {
      name: 'scaling',
      given: { ...SLOW, pods: { [D]: { usual: 6, now: 2 } } },
      answer: true,
      text: '2 pods (was 6)',
      why: 'pods were lost',
    },
    {
      name: 'scaling',
      given: { ...SLOW, pods: { [D]: { usual: 2, now: 2 } } },
      answer: false,
      text: '2 pods, as usual',
      why: 'as many as ever',
    },
    {
      name: 'traffic',
      given: but(X, { rateNow: 82 }),
      answer: true,
      text: 'possible trigger: traffic at shop/x (east) x2.0 (41/s to 82/s), since 07:57 UTC',
      why: 'twice the load at the entry',
    },
    { name: 'traffic', given: SLOW, answer: false, text: 'x1.0 (41/s to 41/s)', why: 'the usual load' },
  ])('$name is $answer where $why', ({ name, given, answer, text }) => {
    const found = evidenceAgainst(situationIn(given), D, name)
    expect(found).toEqual({ answer, text: expect.stringContaining(text) })
  })

  test.each<{ counted: readonly (readonly [SignalName, number])[]; answer: boolean | null; text: string }>([
    { counted: [['overflowsPerSecond', 3]], answer: true, text: '3/s turned away by a circuit breaker' },
    { counted: [['breakersOpen', 1]], answer: true, text: 'circuit breaking: 1 circuit breakers open' },
    { counted: [['breakerHeadroom', 0]], answer: true, text: 'circuit breaking: nothing is left below its limit' },
    {
      counted: [['retryOverflowsPerSecond', 5]],
      answer: null,
      text: 'no circuit breaker is counted on it or on the calls to it; 5.00/s retries not made: over the limit or the budget',
    },
    {
      counted: [
        ['breakerHeadroom', 0.4],
        ['overflowsPerSecond', 0],
      ],
      answer: false,
      text: 'no circuit breaker is open, and none turned a request away, and 40 % of the nearest limit is left',
    },
    { counted: [], answer: null, text: 'no circuit breaker is counted' },
  ])('breaker is $answer: $text', ({ counted, answer, text }) => {
    const situation = situationIn(SLOW)
    const signals = new Map(counted.map(([name, value]) => [name, Float64Array.of(value)] as const))
    situation.clusters.get('west')?.now?.signals.set(D, signals)
    expect(evidenceAgainst(situation, D, 'breaker')).toEqual({ answer, text: expect.stringContaining(text) })
  })

  const firing = (workload: string) => ({
    name: 'Slow',
    severity: 'page',
    summary: null,
    sinceSeconds: AT - 60,
    labels: { namespace: 'labs', deployment: workload },
  })

  test.each<{ alerts: Surroundings['alerts']; answer: boolean | null; text: string }>([
    { alerts: { told: true, firing: [firing('d')] }, answer: true, text: 'firing for it: Slow since 07:59 UTC' },
    { alerts: { told: true, firing: [] }, answer: false, text: 'no alert fires for it' },
    { alerts: { told: false, firing: [] }, answer: null, text: 'the endpoint of west evaluates no alerts' },
    { alerts: null, answer: null, text: 'alerts of west are not known' },
  ])('alerts is $answer: $text', ({ alerts, answer, text }) => {
    const found = evidenceAgainst(around(situationIn(SLOW), { alerts }), D, 'alerts')
    expect(found).toEqual({ answer, text: expect.stringContaining(text) })
  })
})

describe('the evidence against the way between two workloads', () => {
  const lost = (callee: number): Given => ({
    nodes: { [X]: course(41, 0.1, 2.1), [C]: course(41, 0.06, 0.06 + callee) },
    calls: [{ from: X, to: C, course: course(41, 0.07, 2.06) }],
  })

  test.each([
    { callee: 0, text: 'labs/c (west) itself does as usual' },
    { callee: 0.5, text: 'what labs/c (west) itself counts is not part of it, though it is in trouble as well' },
  ])('with $callee s more in the callee: $text', ({ callee, text }) => {
    expect(evidenceAgainst(situationIn(lost(callee)), `${X}~${C}`, 'callees')?.text).toBe(text)
  })
})
