import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addedBy, Decomposition } from './decomposition.ts'
import { type FlowNet, visitsFrom } from './flow-net.ts'
import { FlowNetBuilder } from './flow-net-builder.ts'

type Steps = readonly (readonly [from: string, to: string, weight: number])[]

/** Every visit of a node adds 1 to the node's own account. */
function netOf(steps: Steps): FlowNet {
  const ids = [...new Set([...steps.map(([from]) => from), ...steps.map(([, to]) => to)])]
  const builder = new FlowNetBuilder(ids)
  for (const id of ids) {
    builder.node(1)
    builder.part('workload', id, 1)
    for (const [from, to, weight] of steps) if (from === id) builder.call(`${from}~${to}`, to, weight, 0)
  }
  return builder.build((id) => id)
}

function visit(net: FlowNet, focus: string, id: string): number {
  return visitsFrom(net, net.index.get(focus) ?? -1)[net.index.get(id) ?? -1] ?? Number.NaN
}

describe('visits', () => {
  test('fan-in adds up: two callers of one callee', () => {
    const net = netOf([
      ['x', 'a', 0.5],
      ['x', 'b', 0.5],
      ['a', 'c', 2],
      ['b', 'c', 1],
    ])
    expect(visit(net, 'x', 'c')).toBeCloseTo(1.5, 12)
    expect(visit(net, 'a', 'b')).toBe(0)
  })

  test('a cycle is solved, not walked: x -> a <-> b with gain 0.5', () => {
    const net = netOf([
      ['x', 'a', 1],
      ['a', 'b', 1],
      ['b', 'a', 0.5],
    ])
    expect(visit(net, 'x', 'a')).toBeCloseTo(2, 9)
    expect(visit(net, 'x', 'b')).toBeCloseTo(2, 9)
  })

  test('a cycle that feeds itself is cut, and what it cut is unexplained', () => {
    const net = netOf([
      ['x', 'a', 1],
      ['a', 'b', 1],
      ['b', 'a', 0.97],
    ])
    const found = Decomposition.of(net, 'x')
    expect(found?.secondsOf('unexplained', 'b')).toBe(1)
    expect(found?.secondsOf('workload', 'b')).toBeNull()
  })

  test('a chain of 20 000 calls does not overflow the stack', () => {
    const steps = Array.from({ length: 20_000 }, (_, at) => [String(at), String(at + 1), 1] as const)
    const ids = [...steps.map(([from]) => from), '20000']
    const builder = new FlowNetBuilder(ids)
    ids.forEach((id, at) => {
      builder.node(1)
      if (at < 20_000) builder.call(id, String(at + 1), 1, 0)
    })
    expect(visit(builder.build(String), '0', '20000')).toBe(1)
  })
})

const anySteps = fc
  .integer({ min: 2, max: 8 })
  .chain((size) =>
    fc.uniqueArray(fc.tuple(fc.nat(size - 1), fc.nat(size - 1), fc.double({ min: 0.01, max: 1.5, noNaN: true })), {
      minLength: 1,
      maxLength: 20,
      selector: ([from, to]) => `${from}~${to}`,
    }),
  )
  .map((steps) =>
    steps.filter(([from, to]) => from !== to).map(([from, to, weight]) => [`n${from}`, `n${to}`, weight] as const),
  )

describe('one account, every focus', () => {
  test('looking back from an account agrees with looking forward from every node', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const net = netOf(steps)
        for (const account of net.accounts) {
          const added = addedBy(net, account)
          for (const focus of net.index.keys()) {
            const forward = Decomposition.of(net, focus)?.secondsOf(account.kind, account.id) ?? 0
            expect(Math.abs(added(focus) - forward)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(forward)))
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})
