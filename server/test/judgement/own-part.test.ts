import { describe, expect, test } from 'vitest'
import { ownPartOf, ownPartText } from '../../src/domain/own-part.ts'
import { decomposeValue } from '../../src/domain/own-time.ts'
import { judge } from '../../src/domain/suspects.ts'
import { C, course, D, type Given, SLOW, situationIn, X } from './incident-world.ts'

const [W, S, T] = ['west/shop/w', 'west/labs/s', 'west/labs/t']

/** W calls S and T, 10 requests per second each; nobody tells whether one after the other. */
const FORK: Given = {
  nodes: { [W]: course(10, 0.3, 0.9), [S]: course(10, 0.1, 0.3), [T]: course(10, 0.08, 0.08) },
  calls: [
    { from: W, to: S, course: course(10, 0.1, 0.3) },
    { from: W, to: T, course: course(10, 0.08, 0.08) },
  ],
}

const near = (value: number) => expect.closeTo(value, 9)
const partIn = (given: Given, id: string) => ownPartOf(situationIn(given), id)

describe('own time', () => {
  test('lies between calls one after the other and all at once, as it is and as a change', () => {
    expect(partIn(FORK, W).latency).toEqual({
      now: { low: near(0.9 - 0.38), high: near(0.9 - 0.3) },
      // Usually 0.3 s less 0.18 s, or less 0.1 s.
      change: { low: near(0.4), high: near(0.4) },
      reason: null,
    })
    const faster = { ...FORK.calls[1], course: course(10, 0.08, 0.04) } as Given['calls'][number]
    const given = { ...FORK, calls: [...FORK.calls.slice(0, 1), faster] }
    expect(partIn(given, W).latency.change).toEqual({ low: near(0.4), high: near(0.44) })
  })

  test('its low end is what the sums over the whole graph leave to it', () => {
    const { graph } = situationIn(FORK)
    expect(decomposeValue(graph, W)?.secondsOf('workload', W)).toBeCloseTo(0.52, 9)
  })

  test('of one that calls nothing is all of its mean', () => {
    expect(partIn(FORK, S).latency).toMatchObject({ now: { low: 0.3, high: 0.3 } })
  })

  test('has no number where nobody waits for its calls, and says so', () => {
    const given: Given = { ...FORK, nodes: { ...FORK.nodes, [W]: course(10, 0.1, 0.1) } }
    const part = partIn(given, W)
    expect(part.latency).toMatchObject({ now: null, change: null, reason: expect.stringContaining('nobody waits') })
    expect(ownPartText(part, 0.1).join()).toMatch(/^Its own time cannot be told: .*nobody waits/)
  })

  test('is said as a range, and once where both ends are the same', () => {
    expect(ownPartText(partIn(FORK, W), 0.9)).toEqual([
      'Of its mean of 900 ms its own time is 520 ms if its calls go one after the other, 600 ms if all at once.',
    ])
    expect(ownPartText(partIn(SLOW, D), 2)).toEqual(['Of its mean of 2.00 s its own time is 2.00 s.'])
  })
})

describe('own failures', () => {
  const failing = (rate: number, failures: number) => course(rate, 0.05, 0.05, failures)
  /** W fails 5 requests per second; of its calls to S fail so many. */
  const given = (ofCalls: number): Given => ({
    nodes: { [W]: failing(10, 5), [S]: failing(10, ofCalls) },
    calls: [{ from: W, to: S, course: failing(10, ofCalls) }],
  })

  test.each([
    { ofCalls: 0, low: 5 },
    { ofCalls: 2, low: 3 },
    { ofCalls: 7, low: 0 },
  ])('of 5/s, with $ofCalls/s of its calls failing: $low to 5', ({ ofCalls, low }) => {
    expect(partIn(given(ofCalls), W).failures).toEqual({ now: { low, high: 5 }, more: { low, high: 5 } })
  })

  test('are not known of one that does not answer', () => {
    const { failures } = partIn({ ...given(2), silent: ['west'] }, W)
    expect(failures).toEqual({ now: null, more: null })
  })

  test('are told in the evidence against a suspect, and on its page', () => {
    const [prime] = judge(situationIn(given(2))).suspects
    expect(prime).toMatchObject({ id: W, trouble: 'failures' })
    expect(prime?.evidence.find(({ name }) => name === 'share')?.text).toBe(
      '3.00/s of the 5.00/s failures of shop/w (west) (60 %); of its 5.00/s more failures its own are 3.00/s if each failed call failed one of its requests, 5.00/s if none did',
    )
    expect(ownPartText(partIn(given(2), W), null)).toEqual([
      'Of its 5.00/s failures its own are 3.00/s if each failed call failed one of its requests, 5.00/s if none did.',
    ])
  })
})

test('the evidence against who is slow by itself has the range of its own change, where it is one', () => {
  const given: Given = { ...FORK, nodes: { ...FORK.nodes, [W]: course(10, 0.3, 2.4) } }
  const faster = { from: W, to: T, course: course(10, 0.08, 0.02) }
  const [prime] = judge(situationIn({ ...given, calls: [...given.calls.slice(0, 1), faster] })).suspects
  expect(prime?.id).toBe(W)
  expect(prime?.evidence.find(({ name }) => name === 'share')?.text).toContain(
    '; its own change: +1.96 s if its calls go one after the other, +1.90 s if all at once',
  )
  const told = judge(situationIn(SLOW)).suspects.map(({ id, evidence }) => [id, evidence[0]?.text])
  expect(told).toEqual([[D, 'adds +1.98 s per request to the +2.00 s that shop/x (east) gained (99 %)']])
  expect([X, C]).not.toContain(told[0]?.[0])
})
