import { expect, test } from 'vitest'
import { queryFor } from './choose-clusters.ts'
import { missedOf, speaksOfOwn, spellingFor } from './own-label.ts'
import { type ParsedPromql, parsePromql } from './parse-promql.ts'

const parsed = (text: string) => parsePromql(text) as ParsedPromql
const asked = (text: string, moved = true) =>
  queryFor(parsed(text), () => true, [], spellingFor(parsed(text), { name: 'east', matcher: null }, moved))

test.each([
  ['sum by (cluster) (a)', 'sum by () (a)'],
  ['sum(a) by ("cluster", pod)', 'sum(a) by (pod)'],
  ['sum without (pod, cluster) (a)', 'sum without (pod) (a)'],
  ['a * on(cluster,pod) group_left(team, cluster) b', 'a * on(pod) group_left(team) b'],
  ['a / ignoring (exported_cluster) b', 'a / ignoring (cluster) b'],
  ['sum by (exported_cluster, le) (a{cluster="east"})', 'sum by (cluster, le) (a{})'],
  ['a{exported_cluster="x", pod="cluster"}', 'a{cluster="x",pod="cluster"}'],
  // Series that name this very cluster are shown without a label of their own.
  ['a{exported_cluster=~".+"}', 'a{cluster=~".+",cluster!="east"}'],
  ['a{exported_cluster=""}', 'a{cluster=~"(?:)|east"}'],
  ['a{exported_cluster!="east"}', 'a{}'],
  ['label_replace(a, "x", "$1", "exported_cluster", "(.*)")', 'label_replace(a, "x", "$1", "cluster", "(.*)")'],
  ['label_join(a, "exported_cluster", "cluster", "pod")', 'label_join(a, "cluster", "cluster", "pod")'],
  ['count_values("exported_cluster", a)', 'count_values("cluster", a)'],
  ['COUNT_VALUES("exported_cluster", a)', 'COUNT_VALUES("cluster", a)'],
])('%s is asked as %s', (text, own) => {
  expect(asked(text)).toBe(own)
})

test.each([
  ['sum without (cluster, pod) (a)', 'sum without (region, pod) (a)'],
  ['a / ignoring ("cluster") group_left (cluster, team) b', 'a / ignoring (region) group_left (team) b'],
  ['sum without (region, cluster) (a)', 'sum without (region) (a)'],
  ['sum by (cluster, pod) (a)', 'sum by (pod) (a)'],
  ['a * on (cluster) b', 'a * on () b'],
  ['sum without (exported_cluster) (a)', 'sum without (cluster) (a)'],
])('what is left out is left out as its endpoint calls it: %s', (text, own) => {
  const matcher = { label: 'region', op: '=' as const, value: 'r-east' }
  expect(queryFor(parsed(text), () => true, [], spellingFor(parsed(text), { name: 'east', matcher }, true))).toBe(own)
})

test('a label that is really called so is left alone', () => {
  expect(asked('sum by (cluster, exported_cluster) (a{exported_cluster="x"})', false)).toBe(
    'sum by (exported_cluster) (a{exported_cluster="x"})',
  )
})

test('only what depends on it has to be looked up', () => {
  expect(['a', 'sum by (cluster) (a)', 'label_replace(a, "x", "exported_cluster", "", "")'].some(asks)).toBe(false)
  expect(['a{exported_cluster="x"}', 'a * on (exported_cluster) b', 'sort_by_label(a, "cluster")'].every(asks)).toBe(
    true,
  )
})

test.each([
  ['a{exported_cluster!~"ea.*"}', ['exported_cluster!~"ea.*"']],
  ['a{exported_cluster!~"we.*"} + b{exported_cluster!="east"}', []],
  ['a{exported_cluster!~"(ea.*)?"}', []],
])('what one condition cannot say of %s is told', (text, missed) => {
  expect(missedOf(parsed(text), 'east')).toEqual(missed)
})

function asks(text: string): boolean {
  return speaksOfOwn(parsed(text))
}
