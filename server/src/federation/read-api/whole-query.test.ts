import { expect, test } from 'vitest'
import { clustersChosen } from './choose-clusters.ts'
import type { ManyClusters, Member } from './fan-out.ts'
import { type ParsedPromql, parsePromql } from './parse-promql.ts'
import { wholeQuery } from './whole-query.ts'

/** Behind one endpoint, which calls the label `site` and each cluster as it is called here. */
function asked(text: string, names: readonly string[]) {
  const endpoint = { name: 'thanos:10902', label: 'site' } as ManyClusters
  const members = names.map((name) => ({ name, among: { endpoint, value: name } }) as Member)
  const parsed = parsePromql(text) as ParsedPromql
  return wholeQuery(parsed, clustersChosen(parsed, members) ?? new Map(), members)
}

test('one cluster is asked for by equality, so that absent() tells which one', () => {
  const whole = asked('absent(up{cluster="east"}) or absent(up{cluster="west"})', ['east', 'west'])
  expect(whole?.promql).toBe('absent(up{site="east"}) or absent(up{site="west"})')
  expect(whole?.labelled({ site: 'east' })).toMatchObject({ cluster: 'east' })
})

test('several are asked for by a pattern', () => {
  expect(asked('sum(up)', ['east', 'west'])?.promql).toBe('sum(up{site=~"east|west"})')
})

test.each([
  ['sum(label_replace(up, "scope", "cluster", "", ""))', true],
  ['sum(label_join(up, "scope", "site", "job"))', true],
  ['sum(label_replace(up, "scope", "$1", "cluster", "(.*)"))', false],
  ['count_values("site", up)', false],
  ['histogram_quantiles(sum(up), "cluster", 0.5)', false],
  ['sum(sort_by_label(up, "job", "site"))', false],
])('nothing is guessed where a text names a label that is called otherwise there: %s', (text, isAsked) => {
  expect(asked(text, ['east', 'west']) !== null).toBe(isAsked)
})
