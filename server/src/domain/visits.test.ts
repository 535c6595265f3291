import { describe, expect, test } from 'vitest'
import { type Step, visitsFrom } from './visits.ts'

function stepsIn(steps: readonly [from: string, to: string, weight: number][]): (node: string) => Step[] {
  return (node) => steps.filter(([from]) => from === node).map(([from, to, weight]) => ({ from, to, weight }))
}

describe('visits', () => {
  test('fan-in adds up: two callers of one callee', () => {
    const { visits } = visitsFrom(
      'x',
      stepsIn([
        ['x', 'a', 0.5],
        ['x', 'b', 0.5],
        ['a', 'c', 2],
        ['b', 'c', 1],
      ]),
    )
    expect(visits.get('c')).toBeCloseTo(1.5, 12)
  })

  test('a cycle is solved, not walked: x -> a <-> b with gain 0.5', () => {
    const { visits, inseparable } = visitsFrom(
      'x',
      stepsIn([
        ['x', 'a', 1],
        ['a', 'b', 1],
        ['b', 'a', 0.5],
      ]),
    )
    expect(visits.get('a')).toBeCloseTo(2, 9)
    expect(visits.get('b')).toBeCloseTo(2, 9)
    expect(inseparable).toEqual([])
  })

  test('a cycle that feeds itself is one group', () => {
    const { inseparable } = visitsFrom(
      'x',
      stepsIn([
        ['x', 'a', 1],
        ['a', 'b', 1],
        ['b', 'a', 0.97],
      ]),
    )
    expect(inseparable.map((members) => [...members].sort())).toEqual([['a', 'b']])
  })

  test('a chain of 20 000 calls does not overflow the stack', () => {
    const next = (node: string): Step[] => {
      const at = Number(node)
      return at < 20_000 ? [{ from: node, to: String(at + 1), weight: 1 }] : []
    }
    expect(visitsFrom('0', next).visits.get('20000')).toBe(1)
  })
})
