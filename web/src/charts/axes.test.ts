import { expect, test } from 'vitest'
import { latencyTick } from './axes.ts'

test.each([
  ['auto', [0.02, 4], 0.1, '0.1 s', 'seconds where the axis reaches one'],
  ['auto', [0.02, 0.8], 0.1, '100 ms', 'milliseconds where it does not'],
  ['ms', [0.02, 4], 1, '1000 ms', 'as chosen'],
  ['s', [0.000_5, 0.01], 0.001, '0.001 s', 'as chosen'],
] as const)('unit %s on %j names %d "%s": %s', (unit, domain, seconds, name, _why) => {
  expect(latencyTick(unit, domain)(seconds).replace('\u00a0', ' ')).toBe(name)
})
