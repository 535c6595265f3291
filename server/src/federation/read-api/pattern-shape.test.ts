import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { shapeOf } from './pattern-shape.ts'

const PATTERNS = [
  '',
  'east|west|',
  '((eu|us)-)?[a-z]{3,10}',
  '/kubepods.*/([0-9a-f]{64})',
  'checkout-((blue|green)-)?[a-z0-9]{8,10}-[a-z0-9]{5}',
  '((\\pL{10}){10}){10}',
  '(?:(?:a?){0,30}){0,30}',
  '(.{0,10}x?){100}',
  'x{500,}(y{2}){3}',
  '[]{9}]{2}[^]a{3}]?[[:alpha:]{4}]',
  '\\Qa{1000}*\\E',
  'a*\\Q\\E*',
  '\\x{41}\\x41\\p{Greek}\\pL*',
  '\\p{Greek}?|a',
  'a?(?i){0}',
  '(?P<name>a|b?)$',
  '^\\B(?:)*\\z',
  '\\b',
  '\\{3}\\(?',
  'a{,5}|{',
]

test.each(PATTERNS)('no program is larger, nor matches what is said not to be matched: %s', (pattern) => {
  const { steps, mayBeEmpty } = shapeOf(pattern)
  const program = RE2JS.compile(pattern)
  // Beginning, end and what finds out where it begins.
  expect(program.programSize()).toBeLessThanOrEqual(steps + 12)
  expect(mayBeEmpty).toBe(program.matches(''))
})

describe('counts are multiplied where they are nested, and nowhere else', () => {
  test.each([
    ['(a|b)c{64}', 80],
    ['(a{10}){64}', 64 * 13],
    ['a{10}b{64}', 74],
    ['((a{10}){10}){10}', 1_222],
  ])('%s', (pattern, most) => {
    expect(shapeOf(pattern).steps).toBeLessThanOrEqual(most)
  })

  test('also where they are more than any engine takes', () => {
    expect(shapeOf(`${'('.repeat(500)}a${'{99999999999})'.repeat(500)}`).steps).toBe(Number.POSITIVE_INFINITY)
  })
})

test('what is no pattern has a shape all the same', () => {
  for (const pattern of ['(', ')', '((a', 'a))b', '[', '\\', '*', '{3}', 'a**', '(?', '\\Q', '\\p{', '|)'])
    expect(shapeOf(pattern).steps).toBeLessThan(300)
})
