import fc from 'fast-check'
import { expect, test } from 'vitest'
import { age, lasting } from './age.ts'
import { tcpTexts } from './bytes.ts'
import { bucketRange, latency, latencyDelta } from './latency.ts'
import { printed } from './quantity.ts'
import { perSecond, shortCount } from './rate.ts'
import { ratio, share } from './ratio.ts'
import { errorRate, success } from './success.ts'

test.each([
  [0, '0 ms'],
  [0.00042, '0.42 ms'],
  [0.000_001, '<0.01 ms'],
  [0.0042, '4.2 ms'],
  [0.00996, '10 ms'],
  [0.31, '310 ms'],
  [0.9996, '1.00 s'],
  [2.612, '2.61 s'],
  [9.996, '10.0 s'],
  [28.34, '28.3 s'],
  [112, '1 m 52 s'],
])('latency of %d s reads %s', (seconds, text) => {
  expect(printed(latency(seconds))).toBe(text)
})

test.each([
  [0.736, '+736 ms'],
  [-0.012, '\u221212 ms'],
  [0, '0 ms'],
])('a change of %d s is signed: %s', (seconds, text) => {
  expect(printed(latencyDelta(seconds))).toBe(text)
})

test.each([
  [1, 10, '1-10 s'],
  [0.05, 0.1, '50-100 ms'],
  [0.5, 1, '0.5-1 s'],
  [50, null, '> 50 s'],
])('the bucket from %d to %s reads %s', (low, high, text) => {
  expect(printed(bucketRange(low, high))).toBe(text)
})

test.each([
  [0, '0/s'],
  [0.004, '<0.01/s'],
  [0.35, '0.35/s'],
  [41.2, '41/s'],
  [118, '118/s'],
  [12_400, '12.4k/s'],
  [1_020_000, '1.02M/s'],
])('a rate of %d reads %s', (rate, text) => {
  expect(printed(perSecond(rate))).toBe(text)
})

test.each([
  { value: 0.9731, failures: 27, text: '97.31 %', why: 'binary fractions must not cost a digit' },
  { value: 0.9995, failures: 5, text: '99.95 %', why: 'two places are enough' },
  { value: 0.99996, failures: 4, text: '99.996 %', why: 'never 100.00' },
  { value: 0.998999, failures: 4, text: '99.89 %', why: 'floored, not rounded' },
  { value: 1, failures: 0, text: '100 %', why: 'no failure at all' },
  { value: 1, failures: 3, text: '>99.999 % (3)', why: 'three failures are not none' },
  { value: 0.999_999_99, failures: 3, text: '>99.999 % (3)', why: 'beyond the last digit we print' },
  { value: 0, failures: 9, text: '0.00 %', why: 'everything failed' },
])('success $value with $failures failures reads $text: $why', ({ value, failures, text }) => {
  expect(printed(success(value, failures))).toBe(text)
})

test('success never reads 100 % while anything failed, and never reads more than it is', () => {
  const counts = fc
    .integer({ min: 1, max: 1_000_000_000 })
    .chain((failures) =>
      fc.record({ failures: fc.constant(failures), requests: fc.integer({ min: failures, max: 2_000_000_000 }) }),
    )
  fc.assert(
    fc.property(counts, ({ failures, requests }) => {
      const value = 1 - failures / requests
      const { digits, unit } = success(value, failures)
      expect(`${digits}${unit}`).not.toBe('100 %')
      if (!digits.startsWith('>')) expect(Number(digits)).toBeLessThanOrEqual(value * 100 + 1e-9)
    }),
  )
})

test.each([
  [0.000_6, '0.06 %'],
  [0.032, '3.2 %'],
  [0.000_001, '< 0.001 %'],
  [0, '0 %'],
  [1, '100 %'],
])('an error rate of %d reads %s', (value, text) => {
  expect(printed(errorRate(value))).toBe(text)
})

test.each([
  [1.84, 'x1.8'],
  [24.2, 'x24'],
  [1 / 3.1, '/3.1'],
  [0.997, 'x1.0'],
])('the ratio %d reads %s', (value, text) => {
  expect(printed(ratio(value))).toBe(text)
})

test.each([
  [0.976, '98 %'],
  [0.004, '<1 %'],
  [0, '0 %'],
  [-0.02, '0 %'],
  [1.01, '100 %'],
])('the share %d reads %s', (value, text) => {
  expect(printed(share(value))).toBe(text)
})

test.each([
  [0, 'now'],
  [4, '4 s'],
  [125, '2 m'],
  [3 * 3600, '3 h'],
  [3 * 86_400, '2026-11-18'],
])('an age of %d s reads %s', (seconds, text) => {
  expect(age(seconds, Date.parse('2026-11-21T12:00:00Z'))).toBe(text)
})

test.each([
  [0, '0 s'],
  [89, '89 s'],
  [125, '2 m'],
  [26 * 3600, '26 h'],
  [3 * 86_400, '3 d'],
  [400 * 86_400, '400 d'],
])('a length of %d s reads %s, never a date, since a sentence goes on after it', (seconds, text) => {
  expect(lasting(seconds)).toBe(text)
})

test('counts are cut to three digits', () => {
  expect([812, 9_994, 99_950, 1_234_567].map(shortCount)).toEqual(['812', '9.99k', '100k', '1.23M'])
})

test('bytes and connections; what is not known is left out', () => {
  expect(tcpTexts({ bytesPerSecondIn: 500, bytesPerSecondOut: 12_400, openConnections: 1 })).toEqual([
    '500 B/s in',
    '12.4 kB/s out',
    '1 connection',
  ])
  expect(tcpTexts({ bytesPerSecondIn: 0, bytesPerSecondOut: null, openConnections: null })).toEqual(['0 B/s in'])
  expect(tcpTexts(null)).toEqual([])
})
