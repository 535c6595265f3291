import { afterAll, expect, test } from 'vitest'
import { inReadersZone } from './spoken-times.ts'

const before = process.env.TZ
process.env.TZ = 'Asia/Kolkata'
afterAll(() => {
  if (before === undefined) delete process.env.TZ
  else process.env.TZ = before
})

const AT = Date.UTC(2026, 10, 21, 3, 31, 10)

test.each([
  { zone: 'local', said: 'Since 03:12 UTC.', shown: 'Since 08:42.', why: 'half an hour is a zone too' },
  { zone: 'local', said: 'at 23:50:10 UTC', shown: 'at 05:20:10', why: 'of the day before' },
  { zone: 'local', said: 'ratio 03:12 of all', shown: 'ratio 03:12 of all', why: 'no time of the server' },
  { zone: 'utc', said: 'Since 03:12 UTC.', shown: 'Since 03:12 UTC.', why: 'as the page shows times' },
] as const)('$said in $zone: $shown ($why)', ({ zone, said, shown }) => {
  expect(inReadersZone(said, AT, zone)).toBe(shown)
})
