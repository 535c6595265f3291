import { expect, test } from 'vitest'
import { parsePhrase } from './time-phrase.ts'

/** A Saturday. */
const NOW = Date.UTC(2026, 10, 21, 4, 0)

test.each([
  ['last 3h', 'now-3h', 'now'],
  ['past 90 minutes', 'now-90m', 'now'],
  ['last hour', 'now-1h', 'now'],
  ['half an hour', 'now-30m', 'now'],
  ['2h 30m', 'now-150m', 'now'],
  ['2 hours and 30 min', 'now-150m', 'now'],
  ['1.5h', 'now-90m', 'now'],
  ['last week', 'now-7d', 'now'],
  ['last 45 s', 'now-45s', 'now'],
  ['yesterday 14:00 to 15:00', '2026-11-20T14:00Z', '2026-11-20T15:00Z'],
  ['Yesterday 2pm to 3:30pm', '2026-11-20T14:00Z', '2026-11-20T15:30Z'],
  ['yesterday', '2026-11-20T00:00Z', '2026-11-21T00:00Z'],
  ['today', '2026-11-21T00:00Z', 'now'],
  ['03:10-03:40', '2026-11-21T03:10Z', '2026-11-21T03:40Z'],
  ['02:45 – 03:30', '2026-11-21T02:45Z', '2026-11-21T03:30Z'],
  ['14:00 to 15:00', '2026-11-20T14:00Z', '2026-11-20T15:00Z'],
  ['23:30 to 00:15', '2026-11-20T23:30Z', '2026-11-21T00:15Z'],
  ['yesterday 23:30 to today 00:15', '2026-11-20T23:30Z', '2026-11-21T00:15Z'],
  ['around 03:12', '2026-11-21T02:57Z', '2026-11-21T03:27Z'],
  ['around 03:50', '2026-11-21T03:35Z', 'now'],
  ['since 03:12', '2026-11-21T03:12Z', 'now'],
  ['since yesterday 22:00', '2026-11-20T22:00Z', 'now'],
  ['3h ago to 2h ago', '2026-11-21T01:00Z', '2026-11-21T02:00Z'],
  ['2 hours ago to now', 'now-2h', 'now'],
  ['now-6h to now', 'now-6h', 'now'],
  ['from now-2h to now-1h', '2026-11-21T02:00Z', '2026-11-21T03:00Z'],
  ['friday 14:00 to 15:00', '2026-11-20T14:00Z', '2026-11-20T15:00Z'],
  ['saturday', '2026-11-14T00:00Z', '2026-11-15T00:00Z'],
  ['20 nov 02:45 to 03:30', '2026-11-20T02:45Z', '2026-11-20T03:30Z'],
  ['Dec 3 10:00 to 11:00', '2025-12-03T10:00Z', '2025-12-03T11:00Z'],
  ['2026-11-20 14:00 to 15:00', '2026-11-20T14:00Z', '2026-11-20T15:00Z'],
  ['2026-11-20T03:00Z/30m', '2026-11-20T03:00Z', '2026-11-20T03:30Z'],
  ['2026-11-20T03:00Z to 2026-11-20T04:00Z', '2026-11-20T03:00Z', '2026-11-20T04:00Z'],
  ['1763692800 to 1763696400', '2025-11-21T02:40Z', '2025-11-21T03:40Z'],
  ['03:50 to 04:10', '2026-11-21T03:50Z', 'now'],
  ['yesterday 22:00 to today 05:00', '2026-11-20T22:00Z', 'now'],
  ['23:30 to 04:10', '2026-11-20T23:30Z', 'now'],
  ['03:50 for 20 min', '2026-11-21T03:50Z', 'now'],
  ['2027-11-20 14:00 to 15:00', '2027-11-20T14:00Z', '2027-11-20T15:00Z'],
  ['yesterday 14:00 for 20 min', '2026-11-20T14:00Z', '2026-11-20T14:20Z'],
])('"%s" is %s to %s', (typed, from, to) => {
  expect(parsePhrase(typed, NOW, 'utc')).toEqual({ from, to })
})

test.each([
  '',
  'soon',
  'last',
  'last banana',
  '25:00 to 26:00',
  '14:75-15:00',
  '31 feb',
  '20 nov 15:00 to 20 nov 14:00',
  '13pm to 2pm',
  '(',
  '-',
])('"%s" is no time range', (typed) => {
  expect(parsePhrase(typed, NOW, 'utc')).toBeNull()
})

test('times are of the zone on screen, unless UTC is said', () => {
  const local = new Date(2026, 10, 20, 14, 0).toISOString().slice(0, 16)
  expect(parsePhrase('yesterday 14:00 to 15:00', new Date(2026, 10, 21, 4, 0).getTime(), 'local')?.from).toBe(
    `${local}Z`,
  )
  expect(parsePhrase('03:10-03:40 UTC', NOW, 'local')).toEqual({ from: '2026-11-21T03:10Z', to: '2026-11-21T03:40Z' })
})
