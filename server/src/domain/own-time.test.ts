import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CallEdge, type CallNode, callGraph, type EdgeFlow, type NodeFlow } from './call-graph.ts'
import type { Decomposition } from './decomposition.ts'
import { decomposeDelta, decomposeValue, ownDelta } from './own-time.ts'

function sum(decomposition: Decomposition): number {
  return decomposition.contributions.reduce((total, { seconds }) => total + seconds, 0)
}

function secondsOf(decomposition: Decomposition | undefined, kind: string, id: string): number {
  return (decomposition?.contributions ?? [])
    .filter((item) => item.kind === kind && item.id === id)
    .reduce((total, { seconds }) => total + seconds, 0)
}

const flow = (requestsPerSecond: number, meanSeconds: number): NodeFlow => ({ requestsPerSecond, meanSeconds })
const calls = (
  requestsPerSecond: number,
  callerMeanSeconds: number,
  calleeMeanSeconds: number | null = null,
): EdgeFlow => ({ requestsPerSecond, callerMeanSeconds, calleeMeanSeconds })
const node = (id: string, now: NodeFlow | null, usual: NodeFlow | null): CallNode => ({ id, reportAs: id, now, usual })
const edge = (from: string, to: string, now: EdgeFlow | null, usual: EdgeFlow | null): CallEdge => ({
  id: `${from}~${to}`,
  from,
  to,
  now,
  usual,
})

/** The published shape: X calls A, B, C over a seam; A and B call C; C calls D. Means in seconds, 41 requests/s. */
const published = callGraph(
  [
    node('X', flow(41, 0.894), flow(20, 0.14)),
    node('A', flow(20.5, 0.806), flow(10, 0.06)),
    node('B', flow(12.3, 0.802), flow(6, 0.055)),
    node('C', flow(41, 0.78), flow(20, 0.038)),
    node('D', flow(41, 0.76), flow(20, 0.024)),
  ],
  [
    edge('X', 'A', calls(20.5, 0.812), calls(10, 0.064)),
    edge('X', 'B', calls(12.3, 0.808), calls(6, 0.059)),
    edge('X', 'C', calls(8.2, 0.786), calls(4, 0.042)),
    edge('A', 'C', calls(20.5, 0.781), calls(10, 0.039)),
    edge('B', 'C', calls(12.3, 0.781), calls(6, 0.039)),
    edge('C', 'D', calls(41, 0.761), calls(20, 0.025)),
  ],
)

describe('the published incident', () => {
  test('D alone explains the slowdown of X, three calls up', () => {
    const found = decomposeDelta(published, 'X')
    expect(found?.totalSeconds).toBeCloseTo(0.754, 12)
    expect(secondsOf(found, 'workload', 'D')).toBeCloseTo(0.736, 3)
    for (const id of ['A', 'B', 'C']) expect(Math.abs(secondsOf(found, 'workload', id))).toBeLessThan(0.03)
    expect(found?.visitsOf('D')).toBeCloseTo(1, 12)
  })

  test('every leaf is all of its own delta, so ofSelf ranks nothing', () => {
    expect(ownDelta(published, 'D').ofSelf).toBe(1)
    expect(ownDelta(published, 'A').seconds).toBeCloseTo(0.746 - (0.781 - 0.039), 12)
  })
})

describe('what does not add up is said, not guessed', () => {
  test('calls nobody waits for leave own time without a number', () => {
    const graph = callGraph(
      [node('a', flow(10, 0.1), flow(10, 0.1)), node('b', flow(10, 1), flow(10, 1))],
      [edge('a', 'b', calls(10, 1), calls(10, 1))],
    )
    expect(ownDelta(graph, 'a')).toMatchObject({ seconds: null, reason: expect.stringContaining('nobody waits') })
    expect(secondsOf(decomposeValue(graph, 'a'), 'unexplained', 'a')).toBeCloseTo(0.1, 12)
  })

  test('a callee without numbers keeps its part as beyond', () => {
    const graph = callGraph(
      [node('a', flow(10, 0.5), flow(10, 0.1))],
      [edge('a', 'outside', calls(10, 0.45), calls(10, 0.05))],
    )
    const found = decomposeDelta(graph, 'a')
    expect(secondsOf(found, 'beyond', 'outside')).toBeCloseTo(0.4, 12)
    expect(secondsOf(found, 'workload', 'a')).toBeCloseTo(0, 12)
  })

  test('a caller that gave up is not slowed by what the callee did afterwards', () => {
    const graph = callGraph(
      [node('a', flow(10, 3.01), flow(10, 0.11)), node('b', flow(10, 8), flow(10, 0.1))],
      [edge('a', 'b', calls(10, 3), calls(10, 0.1))],
    )
    const found = decomposeDelta(graph, 'a')
    expect(secondsOf(found, 'link', 'a~b')).toBeCloseTo(0, 12)
    expect(secondsOf(found, 'workload', 'b')).toBeCloseTo(2.9, 12)
  })

  test('a call without a usual value is the doing of the caller', () => {
    const graph = callGraph(
      [node('a', flow(10, 0.3), flow(10, 0.1)), node('b', flow(10, 0.2), flow(1, 0.2))],
      [edge('a', 'b', calls(10, 0.2), null)],
    )
    expect(secondsOf(decomposeDelta(graph, 'a'), 'workload', 'a')).toBeCloseTo(0.2, 12)
  })

  test('calling twice as often is the doing of the caller', () => {
    const graph = callGraph(
      [node('a', flow(10, 0.3), flow(10, 0.2)), node('b', flow(20, 0.1), flow(10, 0.1))],
      [edge('a', 'b', calls(20, 0.1), calls(10, 0.1))],
    )
    const found = decomposeDelta(graph, 'a')
    expect(secondsOf(found, 'workload', 'a')).toBeCloseTo(0.1, 12)
    expect(secondsOf(found, 'workload', 'b')).toBeCloseTo(0, 12)
  })
})

describe("queues that are somebody else's doing", () => {
  const waiting = (rate: number) =>
    callGraph(
      [node('a', flow(rate, 20), flow(40, 0.1)), node('b', flow(rate, 2), flow(40, 0.05))],
      [edge('a', 'b', calls(rate, 2), calls(40, 0.05))],
    )

  test('who gets less done because its calls hold its workers passes its own queue on to them', () => {
    const found = decomposeDelta(waiting(30), 'a')
    expect(secondsOf(found, 'workload', 'a')).toBe(0)
    expect(secondsOf(found, 'workload', 'b')).toBeCloseTo(19.9, 9)
    // What it waited at its own door stays told of it.
    expect(ownDelta(waiting(30), 'a').seconds).toBeCloseTo(19.9 - 1.95, 9)
  })

  test('who gets as much done as usual has a queue of its own', () => {
    expect(secondsOf(decomposeDelta(waiting(40), 'a'), 'workload', 'a')).toBeCloseTo(19.9 - 1.95, 9)
  })

  test('... unless that queue came after its calls became slow', () => {
    const { nodes, outgoing } = waiting(40)
    const late = callGraph(
      [...nodes.values()].map((one) => (one.id === 'a' ? { ...one, afterItsCalls: true } : one)),
      [...outgoing.values()].flat(),
    )
    expect(secondsOf(decomposeDelta(late, 'a'), 'workload', 'a')).toBe(0)
    expect(secondsOf(decomposeDelta(late, 'a'), 'workload', 'b')).toBeCloseTo(19.9, 9)
  })

  test('who has no more requests in its calls than usual does not wait for them', () => {
    const graph = callGraph(
      [node('a', flow(1, 70), flow(40, 0.2)), node('b', flow(1, 2), flow(40, 0.1))],
      [edge('a', 'b', calls(1, 2), calls(40, 0.1))],
    )
    expect(secondsOf(decomposeDelta(graph, 'a'), 'workload', 'a')).toBeCloseTo(69.8 - 1.9, 9)
  })

  test('who answers nobody because one of its calls does not come back passes on what is waited for it', () => {
    const graph = callGraph(
      [
        node('a', flow(10, 10.1), flow(10, 0.4)),
        { ...node('b', flow(30, 10), flow(10, 0.3)), answersNobody: true },
        node('c', flow(1, 50), flow(10, 0.2)),
      ],
      [edge('a', 'b', calls(10, 10), calls(10, 0.3)), edge('b', 'c', calls(1, 50), calls(10, 0.21))],
    )
    const found = decomposeDelta(graph, 'a')
    expect(secondsOf(found, 'workload', 'b')).toBe(0)
    expect(secondsOf(found, 'workload', 'c')).toBeCloseTo(9.7, 1)
  })

  test('what is waited for in vain is spent where the calls behind it hang', () => {
    const given = { ...calls(10, 3), unansweredPerSecond: 5 }
    const graph = callGraph(
      [
        node('a', flow(10, 3.1), flow(10, 0.2)),
        // It lives to count only those that did not have to wait.
        node('b', flow(5, 0.05), flow(10, 0.1)),
        node('c', flow(5, 24), flow(6, 0.04)),
      ],
      [edge('a', 'b', given, calls(10, 0.11)), edge('b', 'c', calls(5, 24), calls(6, 0.05))],
    )
    expect(secondsOf(decomposeDelta(graph, 'a'), 'workload', 'c')).toBeGreaterThan(2.5)
  })

  test('a caller whose requests are those that a callee takes long for is not slowed on the way to it', () => {
    const graph = callGraph(
      [node('a', flow(3, 46.5), flow(2, 0.6)), node('b', flow(6.6, 21), flow(4.4, 0.5))],
      [edge('a', 'b', calls(3, 46), calls(2, 0.5))],
    )
    const found = decomposeDelta(graph, 'a')
    expect(secondsOf(found, 'link', 'a~b')).toBe(0)
    expect(secondsOf(found, 'workload', 'b')).toBeCloseTo(45.5, 9)
    // More than all of its requests together took longer: the rest is lost on the way.
    const way = callGraph(
      [node('a', flow(6, 46.5), flow(4, 0.6)), node('b', flow(6.6, 21), flow(4.4, 0.5))],
      [edge('a', 'b', calls(6, 46), calls(4, 0.5))],
    )
    expect(secondsOf(decomposeDelta(way, 'a'), 'link', 'a~b')).toBeCloseTo(25, 9)
  })

  test('calls all at once that became slower together share what they added', () => {
    const graph = callGraph(
      [
        node('a', flow(10, 1.05), flow(10, 0.11)),
        node('b', flow(20, 1), flow(20, 0.1)),
        node('c', flow(10, 0.1), flow(10, 0.1)),
      ],
      [edge('a', 'b', calls(20, 1), calls(20, 0.1)), edge('a', 'c', calls(10, 0.1), calls(10, 0.1))],
    )
    const found = decomposeDelta(graph, 'a')
    expect(ownDelta(graph, 'a')).toMatchObject({ seconds: null, reason: expect.stringContaining('overlap') })
    expect(secondsOf(found, 'workload', 'b')).toBeCloseTo(0.94, 9)
    expect(secondsOf(found, 'workload', 'c')).toBe(0)
  })

  test('a callee that nobody waits for explains nothing', () => {
    const graph = callGraph(
      [node('a', flow(10, 0.1), flow(10, 0.1)), node('b', flow(10, 3), flow(10, 0.1))],
      [edge('a', 'b', calls(10, 3), calls(10, 0.1))],
    )
    expect(secondsOf(decomposeDelta(graph, 'a'), 'workload', 'b')).toBe(0)
  })

  test.each([
    { counted: 0.5, to: 'the callee, beyond what it counted', inVain: 0 },
    { counted: 0.11, to: 'the callee, which lived to count none of it', inVain: 0.88 },
  ])('what was waited for in vain goes to $to', ({ counted, inVain }) => {
    const given = { ...calls(10, 1), unansweredPerSecond: 5 }
    const graph = callGraph(
      [node('a', flow(10, 1.1), flow(10, 0.2)), node('b', flow(10, counted), flow(10, 0.1))],
      [edge('a', 'b', given, calls(10, 0.11))],
    )
    const found = decomposeDelta(graph, 'a')
    expect(secondsOf(found, 'link', 'a~b')).toBe(0)
    expect(secondsOf(found, 'workload', 'b')).toBeCloseTo(0.89, 9)
    expect(secondsOf(found, 'workload', 'b') - inVain).toBeGreaterThan(0)
  })
})

/** Seen by the property below: a share of a callee's change that is none would be of infinite times its size. */
test('a call that nobody answers and that takes less than usual passes on nothing that its callee does not show', () => {
  const given = { ...calls(10, 0.1), unansweredPerSecond: 10 }
  const graph = callGraph(
    [node('a', flow(10, 0.3), flow(10, 0.3)), node('b', flow(10, 0.099), flow(10, 0.099))],
    [edge('a', 'b', given, { ...calls(10, 0.2), calleeMeanSeconds: 0.2 })],
  )
  const found = decomposeDelta(graph, 'a')
  expectConserved(found)
  expect(found?.totalSeconds).toBe(0)
  expect(secondsOf(found, 'workload', 'a')).toBeCloseTo(0.1, 9)
})

/** Any graph: cycles, parallel and asynchronous calls, callees that are dark, callers that gave up. */
const anyGraph = fc
  .integer({ min: 2, max: 9 })
  .chain((size) => {
    const seconds = fc.double({ min: 0.001, max: 5, noNaN: true })
    const rate = fc.double({ min: 0.01, max: 500, noNaN: true })
    const nodeFlow = fc.record({ requestsPerSecond: rate, meanSeconds: seconds })
    const edgeFlow = fc.record({
      requestsPerSecond: rate,
      callerMeanSeconds: seconds,
      calleeMeanSeconds: fc.option(seconds, { freq: 2 }),
      // Of some calls callers got no answer; of none, where this is more than there are.
      unansweredPerSecond: fc.oneof(fc.constant(0), rate),
      // Some fail, so that callers may have made them again.
      failuresPerSecond: fc.oneof(fc.constant(0), rate),
    })
    const ends = fc.integer({ min: 0, max: size - 1 })
    const anyEdge = fc.record({
      from: ends,
      to: ends,
      now: fc.option(edgeFlow, { freq: 8 }),
      usual: fc.option(edgeFlow, { freq: 8 }),
    })
    return fc.record({
      nodes: fc.array(
        fc.record({
          now: fc.option(nodeFlow, { freq: 8 }),
          usual: fc.option(nodeFlow, { freq: 8 }),
          answersNobody: fc.boolean(),
          afterItsCalls: fc.boolean(),
          // Several nodes may be shown as one, as the hosts of an ingress are.
          reportAs: fc.option(ends, { freq: 2 }),
        }),
        { minLength: size, maxLength: size },
      ),
      edges: fc.uniqueArray(anyEdge, { selector: ({ from, to }) => `${from}~${to}`, maxLength: 24 }),
    })
  })
  .map(({ nodes, edges }) =>
    callGraph(
      nodes.map(({ now, usual, reportAs, ...queue }, index) => ({
        ...node(`n${index}`, now, usual),
        ...queue,
        reportAs: `n${reportAs ?? index}`,
      })),
      edges.map(({ from, to, now, usual }) => edge(`n${from}`, `n${to}`, now, usual)),
    ),
  )

function expectConserved(found: Decomposition | undefined): void {
  if (found === undefined) return
  const size = found.contributions.reduce((total, { seconds }) => Math.max(total, Math.abs(seconds)), 1e-3)
  expect(Math.abs(sum(found) - found.totalSeconds)).toBeLessThanOrEqual(1e-9 * size)
}

describe('conservation', () => {
  test('contributions to a mean add up to it', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => expectConserved(decomposeValue(graph, 'n0'))),
      { numRuns: 2_000 },
    )
  })

  test('contributions to a change of the mean add up to it', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => expectConserved(decomposeDelta(graph, 'n0'))),
      { numRuns: 2_000 },
    )
  })
})
