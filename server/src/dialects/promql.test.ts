import { expect, test } from 'vitest'
import { duration, literal, quoted, selector, sumBy, within } from './promql.ts'

test.each([
  ['plain', '"plain"'],
  ['say "hi"', '"say \\"hi\\""'],
  ['back\\slash', '"back\\\\slash"'],
  ['two\nlines', '"two\\nlines"'],
  ['"} or vector(1) #', '"\\"} or vector(1) #"'],
])('%j is quoted so that it stays text', (text, want) => expect(quoted(text)).toBe(want))

test('a regular expression built from text matches only that text', () => {
  expect(literal('a.b*c')).toBe('a\\.b\\*c')
})

test('names that are no names are refused', () => {
  expect(() => selector('up', [{ label: 'a b', op: '=', value: '' }])).toThrow('not a PromQL name')
  expect(() => sumBy(['le) or (x'], 'up')).toThrow('not a label name')
})

test.each([
  [60, '60s'],
  [0.5, '500ms'],
  [90, '90s'],
])('%d s is written %s', (seconds, want) => expect(duration(seconds)).toBe(want))

const WEST = [{ label: 'cluster', op: '=', value: 'we"st' }] as const

test.each([
  ['up{}', 'up{cluster="we\\"st"}'],
  [
    'rate(a{b="c"}[60s]) or sum by (le) (b{})',
    'rate(a{cluster="we\\"st",b="c"}[60s]) or sum by (le) (b{cluster="we\\"st"})',
  ],
  ['a{b="{",c="\\"{}"}', 'a{cluster="we\\"st",b="{",c="\\"{}"}'],
  ['{__name__=~"a|b"}', '{cluster="we\\"st",__name__=~"a|b"}'],
  ['vector(1)', 'vector(1)'],
])('%s within a cluster', (expression, want) => expect(within(expression, WEST)).toBe(want))

test('a label that is none is refused', () => {
  expect(() => within('up{}', [{ label: 'a="",b', op: '=', value: '' }])).toThrow('not a PromQL name')
})
