import { expect, test } from 'vitest'
import { type ParsedPromql, parsePromql } from './parse-promql.ts'
import { sortOf } from './sort-rows.ts'

const sorted = (query: string, rows: readonly object[]) => sortOf(parsePromql(query) as ParsedPromql)?.(rows)

test.each([
  ['sort(a)', ['-Inf', '-2', '1e3', '+Inf', '+Inf', 'NaN', 'NaN']],
  ['sort_desc(a)', ['+Inf', '+Inf', '1e3', '-2', '-Inf', 'NaN', 'NaN']],
])('infinite values have their place, and NaN the last: %s', (query, wanted) => {
  const rows = ['NaN', '+Inf', '1e3', '-Inf', 'NaN', '-2', '+Inf'].map((value) => ({ metric: {}, value: [4, value] }))
  expect(sorted(query, rows)?.map((row) => (row as { value: unknown[] }).value[1])).toEqual(wanted)
})

test('by labels with numbers in them, then by all labels', () => {
  const rows = ['pod-10 b', 'pod-9 b', 'pod-2', 'pod-10 a', ' z'].map((text) => {
    const [pod = '', cluster = ''] = text.split(' ')
    return { metric: { ...(pod === '' ? {} : { pod }), cluster }, value: [4, '1'] }
  })
  const order = (query: string) =>
    sorted(query, rows)?.map((row) => {
      const { pod = '', cluster } = (row as { metric: { pod?: string; cluster: string } }).metric
      return `${pod} ${cluster}`.trimEnd()
    })
  const up = [' z', 'pod-2', 'pod-9 b', 'pod-10 a', 'pod-10 b']
  expect(order('sort_by_label(a, "pod")')).toEqual(up)
  expect(order('sort_by_label_desc(a, "pod")')).toEqual(up.toReversed())
  expect(order('sort_by_label(a, "job", "cluster", "pod")')?.[0]).toBe('pod-2')
})

test('nothing is put in order where nobody asks for it', () => {
  expect(sortOf(parsePromql('topk(1, sort(a))') as ParsedPromql)).toBeNull()
})

test.each(['# worst first\nsort_desc(a)', '(sort_desc(a))', '((sort_desc(a))) # worst first'])(
  'a comment or parentheses around it change nothing: %s',
  (query) => {
    const rows = ['1', '3', '2'].map((value) => ({ metric: {}, value: [4, value] }))
    expect(sorted(query, rows)?.map((row) => (row as { value: unknown[] }).value[1])).toEqual(['3', '2', '1'])
  },
)
