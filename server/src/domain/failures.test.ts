import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decomposeFailures, type FailingCall, type FailureGraph, failureNet } from './failures.ts'

function parts(inbound: Readonly<Record<string, number>>, calls: readonly (FailingCall & { from: string })[]) {
  const graph: FailureGraph = {
    nodes: Object.keys(inbound),
    inbound: (id) => inbound[id] ?? null,
    calls: (id) => calls.filter(({ from }) => from === id),
  }
  const found = decomposeFailures(graph, failureNet(graph), 'a')
  return Object.fromEntries(
    (found?.contributions ?? [])
      .filter(({ seconds }) => seconds > 0)
      .map(({ kind, id, seconds }) => [`${kind} ${id}`, Number(seconds.toFixed(9))]),
  )
}

const call = (callerFailures: number, calleeFailures: number | null) => ({
  from: 'a',
  id: 'a~b',
  to: 'b',
  callerFailures,
  calleeFailures,
})

describe('failures', () => {
  test.each([
    { name: 'its own, where its calls succeed', calls: [], is: { 'workload a': 10 } },
    { name: "the callee's, where it counts them too", calls: [call(10, 10)], is: { 'workload b': 10 } },
    { name: "the link's, where the callee counts none", calls: [call(10, 0)], is: { 'link a~b': 10 } },
    { name: 'partly its own', calls: [call(4, 4)], is: { 'workload a': 6, 'workload b': 4 } },
    { name: 'beyond, where nobody measures the callee', calls: [call(10, null)], is: { 'beyond b': 10 } },
    {
      name: 'of what made the callee slow, where calls time out',
      calls: [{ ...call(10, 2), slowedBy: [{ kind: 'workload', id: 'c', share: 1 } as const] }],
      is: { 'workload b': 2, 'workload c': 8 },
    },
  ])('are $name', ({ calls, is }) => {
    expect(parts({ a: 10, b: 2, c: 0 }, calls)).toEqual(is)
  })
})

test('what failures are put down to adds up to them, cycles and callees in the dark included', () => {
  const rate = fc.double({ min: 0.01, max: 100, noNaN: true })
  const anyCall = fc.record({
    from: fc.nat(5),
    to: fc.nat(5),
    callerFailures: rate,
    calleeFailures: fc.option(rate, { freq: 3 }),
    shares: fc.option(fc.double({ min: 0.1, max: 0.9, noNaN: true }), { freq: 2 }),
  })
  fc.assert(
    fc.property(
      fc.array(rate, { minLength: 6, maxLength: 6 }),
      fc.array(anyCall, { maxLength: 15 }),
      (inbound, calls) => {
        const graph: FailureGraph = {
          nodes: inbound.map((_, at) => `n${at}`),
          inbound: (id) => inbound[Number(id.slice(1))] ?? null,
          calls: (id) =>
            calls.flatMap(({ from, to, shares, ...counted }, at): FailingCall[] =>
              `n${from}` !== id
                ? []
                : [
                    {
                      id: `e${at}`,
                      to: `n${to}`,
                      ...counted,
                      ...(shares !== null && {
                        slowedBy: [
                          { kind: 'workload', id: 'n0', share: shares },
                          { kind: 'link', id: 'n1~n2', share: 1 - shares },
                        ],
                      }),
                    },
                  ],
            ),
        }
        const net = failureNet(graph)
        for (const focus of graph.nodes) {
          const found = decomposeFailures(graph, net, focus)
          const sum = (found?.contributions ?? []).reduce((total, { seconds }) => total + seconds, 0)
          const failures = graph.inbound(focus) ?? Number.NaN
          expect(Math.abs(sum - failures)).toBeLessThanOrEqual(1e-9 * failures)
        }
      },
    ),
    { numRuns: 300 },
  )
})
