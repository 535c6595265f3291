import { expect, test } from 'vitest'
import { clustersChosen } from './choose-clusters.ts'
import { divide } from './needs-all.ts'
import { type ParsedPromql, parsePromql } from './parse-promql.ts'

function divided(text: string) {
  const parsed = parsePromql(text) as ParsedPromql
  return divide(parsed, clustersChosen(parsed, [{ name: 'east' }, { name: 'west' }]) ?? new Map())
}

const SAID = expect.stringContaining('a side that reads no series has no label "cluster"')

test.each([
  'sum by (cluster) (up) + vector(1)',
  'vector(1) and up',
  'up unless (vector(1) * 2)',
  'up * on (cluster) group_left () vector(2)',
  'up > ignoring (job) label_replace(vector(2), "job", "x", "", "")',
])('a vector without a cluster is not what series of one match: %s', (text) => {
  expect(divided(text)).toEqual({ infos: [SAID], unlabelled: [SAID], refusal: null })
})

test('beside "or" it is there once for each cluster, and of one cluster it is said too', () => {
  const { infos, unlabelled } = divided('up or vector(1)')
  expect(infos).toEqual([expect.stringContaining('the side of "or"')])
  expect(unlabelled).toEqual([SAID])
})

test.each([
  'up + 1',
  'up * scalar(vector(2))',
  'up + time() - pi()',
  'up * on () group_left () vector(2)',
  'up and ignoring (cluster, job) vector(2)',
  '-(up) > bool (1 + 1)',
  'up + start() * end()',
  'up > step() / range()',
  'up > max_of(1, min_of(2, 3))',
])('numbers, and what is not matched by the cluster, are silent: %s', (text) => {
  expect(divided(text)).toEqual({ infos: [], unlabelled: [], refusal: null })
})

test.each(['vector(1) unless on () (up == 0)', 'vector(1) and ignoring (cluster, job) up'])(
  'what any cluster has decides over a vector without one: %s',
  (text) => {
    expect(divided(text).infos).toEqual([expect.stringContaining('matching without the label "cluster"')])
  },
)

test.each([
  ['label_replace(up, "scope", "cluster", "", "")', false],
  ['label_replace(up, "scope", "$1", "job", "cluster")', false],
  ['label_join(up, "scope", "cluster", "job", "pod")', false],
  ['label_replace(label_replace(up, "x", "cluster", "", ""), "y", "cluster", "", "")', false],
  ['label_replace(up, "scope", "$1", "cluster", "(.*)")', true],
  ['label_replace(up, `cluster`, "x", "", "")', true],
  ['label_join(up, "scope", "/", "pod", "cluster")', true],
])('the cluster is spoken of where a label is named, not by every text: %s', (text, isSaid) => {
  expect(divided(text).infos.map((info) => info.replace(/ .*/, ''))).toEqual(isSaid ? [text.replace(/\(.*/, '')] : [])
})

test.each([
  'info(rate(http_requests_total{cluster="east"}[5m]), {k8s_cluster_name=~".+"})',
  'info(info(up{cluster="east"}, {a=~".+"}), {b=~".+"} offset 5m)',
  'info(up{cluster=~"e.*"} + up{cluster="east"}, {b=~".+"})',
])('what info() adds to the series of a cluster is of that cluster: %s', (text) => {
  const parsed = parsePromql(text) as ParsedPromql
  const chosen = clustersChosen(parsed, [{ name: 'east' }, { name: 'west' }]) ?? new Map()
  expect([...chosen.values()].flatMap((clusters) => [...clusters])).toEqual(parsed.selectors.map(() => 'east'))
  expect(divide(parsed, chosen)).toEqual({ infos: [], unlabelled: [], refusal: null })
})

test('clusters that are chosen for it and for the series apart are another matter', () => {
  expect(divided('info(up{cluster="east"}, {cluster="west"})').refusal).toContain('two sides')
  expect(divided('info(up, {cluster="west"})').refusal).toContain('two sides')
})
