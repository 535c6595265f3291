import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstRows, type LookedFor } from './first-rows.ts'

const HEALTHS: LookedFor['health'][] = ['ok', 'warn', 'crit', 'none']
const drawn = fc.array(
  fc.record({
    health: fc.constantFrom(...HEALTHS),
    suspectRank: fc.option(fc.integer({ min: 1, max: 9 })),
    requestsPerSecond: fc.option(fc.integer({ min: 0, max: 50 })),
  }),
  { maxLength: 40 },
)

test('nobody who is left out is in more trouble than somebody who is shown; the order stays', () => {
  const worth = ({ suspectRank, health, requestsPerSecond }: LookedFor) =>
    (suspectRank === null ? 0 : 1e6 - suspectRank * 1e4) +
    { crit: 3_000, warn: 2_000, ok: 1_000, none: 0 }[health] +
    (requestsPerSecond ?? 0)
  fc.assert(
    fc.property(drawn, fc.integer({ min: 1, max: 45 }), (all, count) => {
      const shown = firstRows(all, count, (one) => one)
      expect(shown.length).toBe(Math.min(count, all.length))
      expect(shown).toEqual(all.filter((one) => shown.includes(one)))
      const left = all.filter((one) => !shown.includes(one))
      if (left.length > 0) expect(Math.min(...shown.map(worth))).toBeGreaterThanOrEqual(Math.max(...left.map(worth)))
    }),
  )
})
