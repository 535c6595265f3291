import { expect, test } from 'vitest'
import { clustersChosen, queryFor } from './choose-clusters.ts'
import { isQuantile } from './join-plan.ts'
import { divide } from './needs-all.ts'
import { spellingFor } from './own-label.ts'
import { type ParsedPromql, parsePromql } from './parse-promql.ts'

const terms = (count: number, term: string, between: string) => Array(count).fill(term).join(between)

test.each([
  ['terms of a sum', terms(1_990, '1', '+'), 0],
  ['series added up', terms(1_990, 'sum by (cluster) (a)', ' + '), 1_990],
  ['alternatives', terms(1_990, 'a', ' or '), 1_990],
  ['powers, which are nested to the right', terms(1_990, 'a', ' ^ '), 1_990],
  ['parentheses', `${'('.repeat(1_990)}a${')'.repeat(1_990)}`, 1],
])('%s, close to two thousand of them, are understood and handled', (_, text, selectors) => {
  const parsed = parsePromql(text) as ParsedPromql
  expect(parsed.selectors).toHaveLength(selectors)
  const chosen = clustersChosen(parsed, [{ name: 'east' }, { name: 'west' }]) ?? new Map()
  expect(divide(parsed, chosen)).toMatchObject({ infos: [], refusal: null })
  expect(isQuantile(parsed)).toBe(false)
  const spelled = spellingFor(parsed, { name: 'east', matcher: null }, true)
  expect(queryFor(parsed, () => true, [], spelled)).toBe(text.replaceAll('(cluster)', '()'))
})

test.each([
  terms(4_000, '1', '+'),
  terms(4_000, 'a', ' or '),
  `${'('.repeat(9_000)}1${')'.repeat(9_000)}`,
  `${'label_replace('.repeat(9_000)}a${',"a","b","c","d")'.repeat(9_000)}`,
])('beyond, it is said what is wrong', (text) => {
  expect(() => parsePromql(text)).toThrow('the query is nested more than 2,000 deep')
})

test('longer than any query, it is not read to its end', () => {
  expect(() => parsePromql('a b '.repeat(250_000))).toThrow('the query is too long')
})

test('what is in brackets within a text is not nested', () => {
  expect(parsePromql(`a{b="${'('.repeat(9_000)}"} # ${'['.repeat(9_000)}`)).not.toBeNull()
})

test('what is no query is none, however long', () => {
  expect(parsePromql(`${terms(500, 'a', ' or ')} or`)).toBeNull()
})

test.each([
  ['up * 5. + 1.e3', 'up{} * 5. + 1.e3'],
  ['topk(5., up) @ 5.', 'topk(5., up{}) @ 5.'],
  ['offset', 'offset{}'],
  [
    'rate(offset[5m] offset 5m) > bool offset{a="offset 5."} # 5. offset',
    'rate(offset{}[5m] offset 5m) > bool offset{a="offset 5."} # 5. offset',
  ],
  ['5. * up{a="* offset 5."} offset 5m or OFFSET', '5. * up{a="* offset 5."} offset 5m or OFFSET{}'],
  ['holt_winters(up[5m], .5, 5.)', 'holt_winters(up{}[5m], .5, 5.)'],
  [
    'sum(holt_winters # smoothed\n (up[5m], 0.5, 0.5)) by (job)',
    'sum(holt_winters # smoothed\n (up{}[5m], 0.5, 0.5)) by (job)',
  ],
  ['holt_winters + holt_winters(holt_winters[5m], 1, 1)', 'holt_winters{} + holt_winters(holt_winters{}[5m], 1, 1)'],
  ['up > max_of(1, min_of(step(), 5m))', 'up{} > max_of(1, min_of(step(), 5m))'],
  ['5. * rate(x[min_of(5m, step())])', '5. * rate(x{}[min_of(5m, step())])'],
  ['max_of(1, 2) * rate(x[min_of(5m, 1h)])', 'max_of(1, 2) * rate(x{}[min_of(5m, 1h)])'],
  ['max_of(1, 2) * (x offset -min_of(5m, 1h))', 'max_of(1, 2) * (x{} offset -min_of(5m, 1h))'],
])('Prometheus takes it, and so it is taken: %s', (text, braced) => {
  const { selectors } = parsePromql(text) as ParsedPromql
  const [...ends] = selectors.filter(({ braces }) => braces === null).map(({ to }) => to)
  expect(ends.reduceRight((all, at) => `${all.slice(0, at)}{}${all.slice(at)}`, text)).toBe(braced)
})

test.each(['1..', '5.m', 'up offset', 'up 5.', 'Holt_Winters(up[5m], 1, 1)', 'a:holt_winters(up[5m], 1, 1)'])(
  'it does not: %s',
  (text) => {
    expect(parsePromql(text)).toBeNull()
  },
)
