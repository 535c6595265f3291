import type { Dialect } from './dialect.ts'
import { labelUses } from './hubble/label-uses.ts'
import { ENDS, FAILED } from './hubble/labels.ts'
import { reading } from './hubble/read.ts'
import { anyOf, rate, selector, sumBy, tagged, timeOf, union, within } from './promql.ts'

const REQUESTS = 'hubble_http_requests_total'
const DURATION = 'hubble_http_request_duration_seconds'

/** Cilium Hubble's HTTP metrics (httpV2), where contexts say whose requests they are. */
export const hubble: Dialect = {
  name: 'hubble',
  detectedBy: [REQUESTS],
  countsFirstFailures: false,
  labelUses,
  limits: [
    {
      about: 'identity',
      text: 'workloads are known only with sourceContext/destinationContext or labelsContext; their kind is not',
    },
    { about: 'requests', text: 'only traffic under a layer-7 policy is seen as requests' },
    { about: 'pods', text: 'pods are not told apart' },
    { about: 'latency', text: 'latency is known up to 10 s' },
  ],
  questions(windowSeconds) {
    const ask = (metric: string, by: readonly string[], op?: '=~' | '!~') =>
      sumBy([...ENDS, ...by], rate(selector(metric, op === undefined ? [] : [{ ...FAILED, op }]), windowSeconds))
    return [
      // Rates and success by each reporter; `reading` believes one of them.
      {
        name: 'requests',
        promql: union(
          tagged('class', 'passed', ask(REQUESTS, [], '!~')),
          tagged('class', 'failed', ask(REQUESTS, [], '=~')),
        ),
        lane: 'fast',
      },
      // Exact means. Sum and count of one histogram, so that they fit together.
      { name: 'requestTime', promql: timeOf(DURATION, (metric) => ask(metric, [])), lane: 'fast' },
      // Percentiles.
      { name: 'buckets', promql: ask(`${DURATION}_bucket`, ['le']), lane: 'slow' },
    ]
  },
  /** By each way in which labels may name them; of a series that names itself in several, one is kept. */
  workloadQuestions(windowSeconds, workloads) {
    if (workloads.length === 0) return []
    const inNamespace = anyOf(
      'destination_namespace',
      workloads.map(({ namespace }) => namespace),
    )
    const names = workloads.map(({ name }) => name)
    const paths = workloads.map(({ namespace, name }) => `${namespace}/${name}`)
    const each = [
      [inNamespace, anyOf('destination_workload', names)],
      [inNamespace, anyOf('destination_app', names)],
      [anyOf('destination', paths)],
    ]
    return hubble
      .questions(windowSeconds)
      .map((question) => ({ ...question, promql: union(...each.map((those) => within(question.promql, those))) }))
  },

  // The buckets of all calls are few and asked anyway.
  edgeQuestion: () => null,
  reading,
}
