import { expect, test } from 'vitest'
import { linkerd } from './linkerd.ts'
import { withNative } from './with-native.ts'
import { COUNTED, layoutProbe, layoutsDiffer, withCountedCalls, withSeriesCounts } from './with-series-counts.ts'

const REF = { cluster: 'east', namespace: 'shop', kind: 'deployment', name: 'web' }
const row = (le: string, value: number, counted = 'a_bucket') => ({ apart: { [COUNTED]: counted, le }, value })

test.each([
  { differ: false, rows: [row('1', 4), row('5', 4), row('+Inf', 4)], why: 'all series have all buckets' },
  { differ: true, rows: [row('1', 4), row('5', 2), row('+Inf', 4)], why: 'half of them lack one' },
  { differ: false, rows: [row('1', 2), row('1.0', 2), row('+Inf', 4)], why: 'one bound written in two ways' },
  { differ: false, rows: [row('1', 4), row('+Inf', 4), row('9', 7, 'b'), row('+Inf', 7, 'b')], why: 'two histograms' },
  { differ: false, rows: [], why: 'nothing is there' },
])('$why: layouts differ: $differ', ({ differ, rows }) => expect(layoutsDiffer(rows)).toBe(differ))

test('whatever buckets the dialect asks for are looked at, in one question, and no others', () => {
  const probe = layoutProbe(linkerd) ?? ''
  const asked = linkerd.questions(60).flatMap(({ promql }) => [...promql.matchAll(/rate\((\w+_bucket\{[^}]*\})/g)])
  expect(asked.length).toBeGreaterThan(1)
  for (const [, selected] of asked) expect(probe).toContain(`count by (le) (${selected})`)
  expect(probe.match(/count by/g)).toHaveLength(asked.length)
  expect(probe).not.toContain('direction="outbound"')
  expect(layoutProbe({ ...linkerd, questions: () => [] })).toBeNull()
})

test('only buckets are counted, over the same series as they are summed', () => {
  const counted = withSeriesCounts(withNative(linkerd, new Set(['response_latency_ms'])))
  const changed = counted.questions(60).filter(({ name, promql }) => {
    const before = linkerd.questions(60).find((one) => one.name === name)
    return promql !== before?.promql && promql.includes(COUNTED)
  })
  expect(changed.map(({ name }) => name)).toEqual(['inboundBuckets', 'egressBuckets'])
  const [sum, count] = changed[0]?.promql.match(/(sum|count) by \([\w,]*,le\) \(rate\([^)]*\)\)/g) ?? []
  expect(count).toBe(sum?.replace('sum', 'count'))
})

test('so they are of single workloads and pods, and of calls in any case', () => {
  const [workload, callers] = [REF, [REF]] as const
  const counted = withSeriesCounts(linkerd)
  const single = [counted.workloadQuestions?.(60, callers) ?? [], counted.podQuestions?.(60, workload) ?? []]
  for (const questions of single) {
    const touched = questions.filter(({ promql }) => promql.includes(COUNTED)).map(({ name }) => name)
    expect(touched).toEqual(['inboundBuckets'])
  }
  expect(withCountedCalls(linkerd).edgeQuestion(60, callers)?.promql).toContain(COUNTED)
  expect(linkerd.edgeQuestion(60, callers)?.promql).not.toContain(COUNTED)
})
