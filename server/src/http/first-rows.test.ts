import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Workload } from '../contract/index.ts'
import { firstRows } from './first-rows.ts'

const HEALTHS: Workload['health'][] = ['ok', 'warn', 'crit', 'none']
const drawn = fc.array(
  fc.record({
    health: fc.constantFrom(...HEALTHS),
    suspectRank: fc.option(fc.integer({ min: 1, max: 9 })),
    rate: fc.option(fc.integer({ min: 0, max: 50 })),
  }),
  { maxLength: 40 },
)

/** Only what is looked at. */
function rowOf({
  health,
  suspectRank,
  rate,
}: {
  health: Workload['health']
  suspectRank: number | null
  rate: number | null
}) {
  return { health, suspectRank, now: { requestsPerSecond: rate } } as Workload
}

test('nobody who is left out is in more trouble than somebody who is shown; the order stays', () => {
  const worth = ({ suspectRank, health, now }: Workload) =>
    (suspectRank === null ? 0 : 1e6 - suspectRank * 1e4) +
    { crit: 3_000, warn: 2_000, ok: 1_000, none: 0 }[health] +
    (now.requestsPerSecond ?? 0)
  fc.assert(
    fc.property(drawn, fc.integer({ min: 1, max: 45 }), (cases, count) => {
      const all = cases.map(rowOf)
      const shown = firstRows(all, count)
      expect(shown.length).toBe(Math.min(count, all.length))
      expect(shown).toEqual(all.filter((one) => shown.includes(one)))
      const left = all.filter((one) => !shown.includes(one))
      if (left.length > 0) expect(Math.min(...shown.map(worth))).toBeGreaterThanOrEqual(Math.max(...left.map(worth)))
    }),
  )
})
