import { expect } from 'vitest'
import type { Fleet } from '../../src/contract/index.ts'

/** The same rows with the same numbers, but for the order in which floats were added up. */
export function expectSame(one: Fleet, other: Fleet): void {
  const byId = new Map(one.workloads.map((row) => [row.id, row]))
  expect([...byId.keys()].sort()).toEqual(other.workloads.map(({ id }) => id).sort())
  for (const { id, now, truths } of other.workloads) {
    const row = byId.get(id) ?? expect.fail(id)
    expect(row.truths, id).toEqual(truths)
    const { latencySeconds, ...rest } = now
    expectClose(row.now, rest, id)
    expectClose(row.now.latencySeconds, latencySeconds, id)
  }
}

function expectClose(numbers: object, wanted: object, about: string): void {
  for (const [name, want] of Object.entries(wanted)) {
    const got: unknown = numbers[name as keyof typeof numbers]
    if (typeof want !== 'number' || typeof got !== 'number') expect(got, `${about} ${name}`).toEqual(want)
    else expect(Math.abs(got - want), `${about} ${name}`).toBeLessThanOrEqual(1e-9 * Math.abs(want))
  }
}
