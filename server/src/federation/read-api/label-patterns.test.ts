import { expect, test } from 'vitest'
import { meets, refuseCostlyPatterns } from './label-patterns.ts'

const pattern = (value: string) => ({ label: 'cluster', op: '=~' as const, value })

test.each([
  'east|west',
  '(?i)us-(east|west)-[0-9]{1,3}',
  '[a-z]{2}-[0-9]{2}|[a-z]{3}-[0-9]{3}|'.repeat(20),
  '((eu|us)-)?(prod|test)-[a-z0-9]{8,10}-([0-9a-f]{64})',
  '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?){0,4}',
  Array.from({ length: 200 }, (_, index) => `arn:aws:eks:us-east-1:123456789012:cluster/shop-${index}`).join('|'),
])('tried: %s', (value) => {
  expect(() => refuseCostlyPatterns([pattern(value)])).not.toThrow()
})

test.each([
  '(\\pL){1000}',
  '(\\pL{1000})'.repeat(9),
  '((\\pL{10}){10}){10}',
  '(a*b*c*d*.?){1000}(a*b*c*d*.?){1000}',
  `(?i)${'\\pL'.repeat(300)}`,
  'x'.repeat(30_000),
])('refused with what to do: %s', (value) => {
  expect(() => refuseCostlyPatterns([pattern(value)])).toThrow(
    /^the patterns on the label "cluster" are too costly .* name fewer or shorter ones/,
  )
})

test('the label is named whose patterns are costly, wherever its condition stands', () => {
  const job = { label: 'job', op: '=' as const, value: 'x'.repeat(50_000) }
  const pod = { label: 'pod', op: '!~' as const, value: '(\\pL){1000}' }
  expect(() => refuseCostlyPatterns([job, pattern('e.*'), pod])).toThrow(
    'the patterns on the label "pod" are too costly',
  )
  expect(() => refuseCostlyPatterns([job, pattern('e.*')])).not.toThrow()
})

test('many together are refused, the same one again and again is not', () => {
  const short = Array.from({ length: 1_000 }, (_, index) => pattern(`${index}.*`))
  expect(() => refuseCostlyPatterns(short)).toThrow('too costly')
  expect(() => refuseCostlyPatterns(short.map(() => pattern('e.*')))).not.toThrow()
})

test('anchored, and over several lines; what is no pattern is met by nothing', () => {
  expect(meets(pattern('e.st'), 'e\nst')).toBe(true)
  expect(meets(pattern('e'), 'east')).toBe(false)
  expect(meets(pattern('('), 'east')).toBe(false)
  expect(meets({ ...pattern('e.*'), op: '!~' }, 'west')).toBe(true)
})
