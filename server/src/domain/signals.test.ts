import { expect, test } from 'vitest'
import { addFactInto, type SignalName } from './signals.ts'

test.each<[SignalName, number[], number]>([
  ['retriesPerSecond', [1, 2], 3],
  ['hostsEjected', [1, 2], 3],
  ['breakerHeadroom', [1, 0], 0],
  ['breakerHeadroom', [0, 1], 0],
  ['endpointUnevenness', [1, 1.5], 1.5],
])('%s of several services that lead to one place', (name, values, expected) => {
  const column = Float64Array.of(Number.NaN)
  for (const value of [...values, Number.NaN]) addFactInto(column, name, [value])
  expect(column[0]).toBe(expected)
})
