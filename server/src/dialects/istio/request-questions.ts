import type { WorkloadRef } from '../../domain/identity.ts'
import type { Question } from '../dialect.ts'
import { anyOf, type Matcher, rate, rateFromBirth, selector, sumBy, tagged, timeOf, union } from '../promql.ts'
import { BY_GATEWAYS, isGateway } from './gateways.ts'
import { EDGE, FAILED, PASSED, SOURCE, TARGET } from './labels.ts'

export const REQUESTS = 'istio_requests_total'
export const DURATION = 'istio_request_duration_milliseconds'
const CALLEE: Matcher = { label: 'reporter', op: '!=', value: 'source' }

/** Which series are asked for: `received` of what workloads answer, `passedOn` of what gateways send on. */
interface Asked {
  readonly received: readonly Matcher[]
  readonly passedOn: readonly Matcher[] | null
}

/**
 * Rates, times and buckets of what workloads answer and gateways pass on; of all of them, or of some. Of a call both its
 * ends are told apart by, so that a call which is asked for twice comes once.
 */
export function requestQuestions(
  windowSeconds: number,
  { received, passedOn }: Asked = { received: [], passedOn: [] },
): Question[] {
  const some = received.length > 0
  const each = passedOn === null || !some ? [received] : [received, passedOn]
  const all = (parts: readonly (readonly Matcher[])[]) =>
    each.flatMap((those) => parts.map((of) => selector(REQUESTS, [...of, ...those])))
  const rates = (metric: string, by: readonly string[], those: readonly Matcher[]) =>
    sumBy(by, rate(selector(metric, those), windowSeconds))
  const buckets = `${DURATION}_bucket`
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
    {
      name: 'requestTime',
      promql: timeOf(DURATION, (metric) => union(...each.map((those) => rates(metric, EDGE, those)))),
      lane: 'fast',
    },
    {
      name: 'inboundBuckets',
      promql: union(
        rates(buckets, ['reporter', ...TARGET, 'le'], [CALLEE, ...received]),
        ...(passedOn === null ? [] : [rates(buckets, ['reporter', ...SOURCE, 'le'], [...BY_GATEWAYS, ...passedOn])]),
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
  return requestQuestions(windowSeconds, {
    received: those('destination', workloads),
    passedOn: gateways.length === 0 ? null : those('source', gateways),
  })
}
