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
