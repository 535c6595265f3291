import { afterAll, expect, test } from 'vitest'
import { latencyTick, timeLabel } from './axes.ts'

const before = process.env.TZ
process.env.TZ = 'Pacific/Pitcairn'
afterAll(() => {
  if (before === undefined) delete process.env.TZ
  else process.env.TZ = before
})

const HOUR_MS = 3_600_000

test.each([
  { zone: 'local', hours: 72, label: '14 Nov', why: 'eight hours west it is the day before' },
  { zone: 'utc', hours: 72, label: '15 Nov', why: 'as the page shows times' },
  { zone: 'local', hours: 24, label: '18:00', why: 'the day alone would be that of all but one end' },
  { zone: 'local', hours: 6, label: '18:00', why: 'a clock tells it' },
] as const)('an axis of $hours h in $zone begins at $label: $why', ({ zone, hours, label }) => {
  const fromMs = Date.UTC(2026, 10, 15, 2, 0)
  const frame = { fromMs, toMs: fromMs + hours * HOUR_MS, onsetMs: null, calm: null, zone }
  expect(timeLabel(frame)(fromMs)).toBe(label)
})

test.each([
  ['auto', [0.02, 4], 0.1, '0.1 s', 'seconds where the axis reaches one'],
  ['auto', [0.02, 0.8], 0.1, '100 ms', 'milliseconds where it does not'],
  ['ms', [0.02, 4], 1, '1000 ms', 'as chosen'],
  ['s', [0.000_5, 0.01], 0.001, '0.001 s', 'as chosen'],
] as const)('unit %s on %j names %d "%s": %s', (unit, domain, seconds, name, _why) => {
  expect(latencyTick(unit, domain)(seconds).replace('\u00a0', ' ')).toBe(name)
})
