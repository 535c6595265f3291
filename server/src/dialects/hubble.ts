import type { Dialect } from './dialect.ts'
import { ENDS, FAILED } from './hubble/labels.ts'
import { read } from './hubble/read.ts'
import { rate, selector, sumBy, tagged, timeOf, union } from './promql.ts'

const REQUESTS = 'hubble_http_requests_total'
const DURATION = 'hubble_http_request_duration_seconds'

/** Cilium Hubble's HTTP metrics (httpV2), where contexts say whose requests they are. */
export const hubble: Dialect = {
  name: 'hubble',
  detectedBy: [REQUESTS],
  countsFirstFailures: false,
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
      // Rates and success by each reporter; `read` believes one of them.
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
  // The buckets of all calls are few and asked anyway.
  edgeQuestion: () => null,
  read,
}
