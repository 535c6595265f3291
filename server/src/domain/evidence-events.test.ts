import { describe, expect, test } from 'vitest'
import { eventsEvidence, podsEvidence } from './evidence-events.ts'
import type { SuspectFacts } from './surroundings.ts'

const ONSET = 1_800_000_000
const pod = (name: string, requestsPerSecond: number, meanSeconds: number | null = 0.05) => ({
  name,
  requestsPerSecond,
  meanSeconds,
})
const facts = (more: Partial<SuspectFacts>): SuspectFacts => ({
  events: [],
  kubeTold: true,
  pods: [pod('a', 10)],
  ...more,
})
const at = (seconds: number, text: string) => ({ atSeconds: ONSET + seconds, kind: 'restart', text })

describe('events near the onset', () => {
  test.each([
    {
      why: 'a restart a minute before',
      given: facts({ events: [at(-60, 'cart-1 restarted')] }),
      answer: true,
      text: 'possible trigger: cart-1 restarted at 07:59 UTC',
    },
    {
      why: 'an hour before is not near',
      given: facts({ events: [at(-3_600, 'cart-1 restarted')] }),
      answer: false,
      text: 'no restart, rollout or scaling seen near 08:00 UTC',
    },
    {
      why: 'long after it cannot have set it off',
      given: facts({ events: [at(120, 'cart-1 restarted')] }),
      answer: false,
      text: 'no restart',
    },
    {
      why: 'restarts are not seen without kube-state-metrics',
      given: facts({ kubeTold: false }),
      answer: null,
      text: 'restarts inside a pod are not seen',
    },
    {
      why: 'nothing is told apart',
      given: facts({ kubeTold: false, pods: null }),
      answer: null,
      text: 'pods are not told apart',
    },
    { why: 'nothing was asked yet', given: null, answer: null, text: 'not known' },
  ])('$why', ({ given, answer, text }) => {
    const evidence = eventsEvidence(given, ONSET)
    expect(evidence.answer).toBe(answer)
    expect(evidence.text).toContain(text)
  })

  test('without an onset nothing is near it', () => {
    expect(eventsEvidence(facts({ events: [at(0, 'x')] }), null).answer).toBeNull()
  })

  test('several are told in their order', () => {
    const events = [at(-10, 'b'), at(-200, 'a'), at(10, 'c'), at(20, 'd')]
    expect(eventsEvidence(facts({ events }), ONSET).text).toMatch(/trigger: a at .*, b at .*, c at .* and 1 more/)
  })
})

describe('pods', () => {
  test.each([
    { pods: [pod('a', 10), pod('b', 11), pod('c', 9)], answer: false, text: 'its 3 pods share evenly (x1.1 at most)' },
    { pods: [pod('a', 41), pod('b', 12), pod('c', 11)], answer: true, text: '41/s against 12/s in the middle (x3.4)' },
    { pods: [pod('a', 99), pod('b', 1)], answer: true, text: 'unevenly: 99/s against 1.00/s of the other (x99)' },
    { pods: [pod('a', 10), pod('b', 11)], answer: false, text: 'its 2 pods share evenly (x1.1 at most)' },
    {
      pods: [pod('a', 50), pod('b', 50, 5)],
      answer: true,
      text: 'one of 2 pods is slow: b, 5.00 s against 50 ms',
    },
    {
      pods: [pod('a', 9), pod('b', 9, 5), pod('c', 9, 6), pod('d', 9)],
      answer: true,
      text: '2 of 4 pods are slow, most of all c, 6.00 s against 50 ms',
    },
    {
      pods: [pod('a', 100), pod('b', 1), pod('c', 1), pod('d', 100)],
      answer: true,
      text: '100/s against 1.00/s in the middle',
    },
    { pods: [pod('a', 10), pod('b', 0), pod('c', 9)], answer: true, text: '1 of 3 pods gets no traffic' },
    {
      pods: [pod('a', 10), pod('b', 10, 2), pod('c', 10)],
      answer: true,
      text: 'one of 3 pods is slow: b, 2.00 s against 50 ms',
    },
    { pods: [pod('a', 0), pod('b', 0), pod('c', 9)], answer: true, text: '2 of 3 pods get no traffic' },
    { pods: [pod('a', 10)], answer: null, text: 'one pod only' },
    { pods: [], answer: null, text: 'no pod reports' },
    { pods: null, answer: null, text: 'do not tell pods apart' },
  ])('$text', ({ pods, answer, text }) => {
    const evidence = podsEvidence(facts({ pods }))
    expect(evidence.answer).toBe(answer)
    expect(evidence.text).toContain(text)
  })
})
