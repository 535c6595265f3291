import { expect, test } from 'vitest'
import { linkerd } from './linkerd.ts'
import { dialects } from './registry.ts'
import { HISTOGRAM_PART, histogramsOf, withNative } from './with-native.ts'

const native = withNative(linkerd, new Set(['response_latency_ms']))
const asked = (name: string) => native.questions(60).find((question) => question.name === name)?.promql ?? ''

test('the histograms of a dialect are read off its questions', () => {
  expect(histogramsOf(linkerd)).toEqual([
    'response_latency_ms',
    'outbound_http_route_request_duration_seconds',
    'outbound_grpc_route_request_duration_seconds',
  ])
})

test('where none of them is native nothing changes', () => {
  for (const dialect of dialects) expect(withNative(dialect, new Set(['response_total']))).toBe(dialect)
})

test('buckets and histograms come in one answer, the histograms without `le`', () => {
  const [classic, histograms] = asked('inboundBuckets').slice(1, -1).split(' or ')
  expect(classic).toMatch(
    /^sum by \(namespace,[\w,]*,le\) \(rate\(response_latency_ms_bucket\{direction="inbound",.*\[60s\]\)\)$/,
  )
  expect(histograms).toBe(classic?.replace(',le)', ')').replace('_bucket', ''))
})

test('of sums and counts the native ones fill in where there are no classic ones', () => {
  const promql = asked('inboundTime')
  for (const part of ['sum', 'count']) {
    const fallback = new RegExp(
      `response_latency_ms_${part}\\{[^}]*\\}\\[60s\\]\\)\\) or histogram_${part}\\(sum by \\([\\w,]*\\) \\(rate\\(response_latency_ms\\{`,
    )
    expect(promql).toMatch(fallback)
  }
})

test('other histograms, and questions of no histogram, stay as they are', () => {
  const changed = linkerd.questions(60).flatMap(({ name, promql }) => (asked(name) === promql ? [] : [name]))
  expect(changed).toEqual(['inboundTime', 'inboundBuckets', 'outboundTime'])
})

test('the calls on screen are asked both ways, whatever their names hold', () => {
  const caller = { cluster: 'east', namespace: 'a"}[5m])) or (', kind: 'deployment', name: 'b\\' }
  const parts = linkerd.edgeQuestion(60, [caller])?.promql.split(/ or (?=sum by )/) ?? []
  const bothWays = parts.map((part) => `(${part} or ${part.replace(',le)', ')').replace('_bucket', '')})`)
  expect(native.edgeQuestion(60, [caller])?.promql).toBe(bothWays.join(' or '))
})

test.each(dialects)(
  '$name: whoever is asked for, all buckets are asked for in a form that is known here',
  (dialect) => {
    const workload = (name: string) => ({ cluster: 'east', namespace: 'shop', kind: 'deployment', name })
    const some = [workload('web'), workload('istio-ingressgateway')]
    const questions = [
      ...dialect.questions(60),
      ...(dialect.workloadQuestions?.(60, some) ?? []),
      ...some.flatMap((one) => dialect.podQuestions?.(60, one) ?? []),
      ...[dialect.edgeQuestion(60, some)].flatMap((one) => one ?? []),
    ]
    const rated = /rate\([\w:]+_bucket\{/
    expect(questions.some(({ promql }) => rated.test(promql))).toBe(true)
    for (const { promql } of questions) expect(promql.replaceAll(HISTOGRAM_PART, '')).not.toMatch(rated)
  },
)

test('what was recorded of classic histograms does not stand for both', () => {
  const recorded = { promql: 'recorded', sinceSeconds: 0 }
  const dialect = { ...linkerd, questions: () => linkerd.questions(60).map((one) => ({ ...one, recorded })) }
  const kept = withNative(dialect, new Set(['response_latency_ms'])).questions(60)
  expect(kept.filter((one) => one.recorded === undefined).map(({ name }) => name)).toEqual([
    'inboundTime',
    'inboundBuckets',
    'outboundTime',
  ])
})
