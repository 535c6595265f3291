import { expect, test } from 'vitest'
import { aged, type ClusterReading } from './cluster-reading.ts'

const reading = {
  view: { state: 'current', ageSeconds: 0 },
  summary: { ageSeconds: 0 },
  gaps: [],
} as unknown as ClusterReading

test('what comes in later of a late reading is as late', async () => {
  const past = { much: true, atLeastSeconds: 0, ask: async () => reading }
  const late = aged({ ...reading, later: Promise.resolve({ ...reading, past }), past }, 10)
  const later = await late.later
  const ages = [late, await late.past?.ask(), later, await later?.past?.ask()].map((one) => one?.view.ageSeconds)
  expect(ages).toEqual([10, 10, 10, 10])
})

test('its percentiles are as much older', () => {
  const { summary } = reading
  const of = (percentilesAgeSeconds: number | null) =>
    aged({ ...reading, summary: { ...summary, percentilesAgeSeconds } }, 10).summary.percentilesAgeSeconds
  expect([of(5), of(null)]).toEqual([15, null])
})
