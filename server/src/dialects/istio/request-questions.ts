import type { WorkloadRef } from '../../domain/identity.ts'
import type { Question } from '../dialect.ts'
import { anyOf, type Matcher, rate, rateFromBirth, selector, sumBy, tagged, timeOf, union } from '../promql.ts'
import { BY_GATEWAYS, isGateway } from './gateways.ts'
import { EDGE, FAILED, PASSED, SOURCE, TARGET } from './labels.ts'

export const REQUESTS = 'istio_requests_total'
export const DURATION = 'istio_request_duration_milliseconds'
const CALLEE: Matcher = { label: 'reporter', op: '!=', value: 'source' }

/** Rates, times and buckets of what workloads answer; `each`: of these series alone, or of those. */
export function requestQuestions(windowSeconds: number, each: readonly (readonly Matcher[])[] = [[]]): Question[] {
  const all = (parts: readonly (readonly Matcher[])[]) =>
    each.flatMap((those) => parts.map((of) => selector(REQUESTS, [...of, ...those])))
  const rates = (metric: string, by: readonly string[], more: readonly Matcher[] = []) =>
    sumBy(by, union(...each.map((those) => rate(selector(metric, [...more, ...those]), windowSeconds))))
  return [
    {
      name: 'requests',
      promql: union(
        tagged('class', 'passed', sumBy(EDGE, union(...all(PASSED).map((one) => rate(one, windowSeconds))))),
        tagged('class', 'failed', sumBy(EDGE, rateFromBirth(windowSeconds, ...all(FAILED)))),
      ),
      lane: 'fast',
    },
    // Sum and count of one histogram, so that they fit together.
    { name: 'requestTime', promql: timeOf(DURATION, (metric) => rates(metric, EDGE)), lane: 'fast' },
    {
      name: 'inboundBuckets',
      promql: union(
        rates(`${DURATION}_bucket`, ['reporter', ...TARGET, 'le'], [CALLEE]),
        rates(`${DURATION}_bucket`, ['reporter', ...SOURCE, 'le'], BY_GATEWAYS),
      ),
      lane: 'slow',
    },
  ]
}

/** What these workloads receive; of gateways, what they send on. Labels know no kinds, and names may repeat between them. */
export function workloadQuestions(windowSeconds: number, workloads: readonly WorkloadRef[]): readonly Question[] {
  if (workloads.length === 0) return []
  const those = (end: 'source' | 'destination', list: readonly WorkloadRef[]): Matcher[] => [
    anyOf(
      `${end}_workload_namespace`,
      list.map(({ namespace }) => namespace),
    ),
    anyOf(
      `${end}_workload`,
      list.map(({ name }) => name),
    ),
  ]
  const gateways = workloads.filter(({ name }) => isGateway(name))
  return requestQuestions(windowSeconds, [
    those('destination', workloads),
    ...(gateways.length === 0 ? [] : [those('source', gateways)]),
  ])
}
