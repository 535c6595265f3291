import { expect, test } from 'vitest'
import { meetEverything, queryFor } from './choose-clusters.ts'
import { type ParsedPromql, parsePromql } from './parse-promql.ts'

const asked = (text: string) => queryFor(parsePromql(text) as ParsedPromql, () => true)

test.each([
  ['{cluster="east"}', '{__name__!=""}'],
  ['{__name__!~"go_.*",cluster="east"}', '{__name__!~"go_.*",__name__!=""}'],
  ['{__name__=~".*",cluster="east"}', '{__name__=~".*",__name__!=""}'],
  ['{__name__!="up",cluster=~"e.*"}', '{__name__!="up",__name__!=""}'],
  ['{__name__=~".+",cluster="east"}', '{__name__=~".+"}'],
  ['{"up",cluster="east"}', '{"up"}'],
  ['up{cluster="east",job=~".*"}', 'up{job=~".*"}'],
  ['{job=~".*"}', '{job=~".*"}'],
  ['info(up, {cluster="east"})', 'info(up, {})'],
])('without the cluster %s is still a question that Prometheus takes: %s', (text, wanted) => {
  expect(asked(text)).toBe(wanted)
})

test('what is left has a condition that an empty label does not meet', () => {
  const { selectors } = parsePromql(asked('{__name__!~"a",cluster="east"}')) as ParsedPromql
  expect(meetEverything(selectors[0]?.conditions ?? [])).toBe(false)
})
