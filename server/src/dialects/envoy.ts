import type { WorkloadRef } from '../domain/identity.ts'
import { NO_NAMESPACE } from '../domain/observation.ts'
import type { Dialect } from './dialect.ts'
import { labelUses } from './envoy/label-uses.ts'
import { LISTENED, PROXY, SENT } from './envoy/labels.ts'
import { reading } from './envoy/read.ts'
import { signalsQuestion } from './envoy/signals-question.ts'
import { aggregate, anyOf, type Matcher, rate, selector, sumBy, tagged, timeOf, union, within } from './promql.ts'

const LISTENER = [...PROXY, 'envoy_http_conn_manager_prefix']
const CALL = [...PROXY, 'envoy_cluster_name']

/** Envoy's own stats at edges and gateways: what it accepts by connection manager, what it sends by cluster. */
export const envoy: Dialect = {
  name: 'envoy',
  detectedBy: ['envoy_http_downstream_rq_xx', 'envoy_cluster_upstream_rq_xx'],
  countedInPods: 'envoy_http_downstream_rq_xx',
  countsFirstFailures: false,
  labelUses,
  limits: [
    {
      about: 'latency',
      text: 'requests that timed out or were reset are in no latency: it looks better the more there are',
    },
    {
      about: 'edges',
      text: 'a cluster is a name: which workload is behind it is told by names that are hosts or services, or by routes',
    },
    { about: 'edges', text: 'a cluster with a dot in its name is read only where a tag rule keeps the name whole' },
    { about: 'identity', text: 'callers are not told apart' },
    { about: 'success', text: 'gRPC failures count as successes: they are HTTP 200' },
    { about: 'pods', text: 'endpoints of a cluster are told apart only with per_endpoint_stats, and without latency' },
  ],

  questions(windowSeconds) {
    const accepted = (metric: string, by: readonly string[]) =>
      sumBy(by, rate(selector(`envoy_http_downstream_${metric}`, LISTENED), windowSeconds))
    const sent = (metric: string, by: readonly string[]) =>
      sumBy(by, rate(selector(`envoy_cluster_${metric}`, SENT), windowSeconds))
    const CLASS = 'envoy_response_code_class'
    return [
      // Rates and success of what arrives, a connection manager each.
      { name: 'downstream', promql: accepted('rq_xx', [...LISTENER, CLASS]), lane: 'fast' },
      // Exact means. Sum and count of one histogram, so that they fit together.
      {
        name: 'downstreamTime',
        promql: timeOf('rq_time', (metric) => accepted(metric, LISTENER)),
        lane: 'fast',
      },
      // Percentiles; by far the most series.
      { name: 'downstreamBuckets', promql: accepted('rq_time_bucket', [...PROXY, 'le']), lane: 'slow' },
      // Rates and success of what is sent, a cluster each, and what retries swallowed.
      {
        name: 'upstream',
        promql: union(
          tagged('part', 'final', sent('upstream_rq_xx', [...CALL, CLASS])),
          tagged('part', 'retried', sent('retry_upstream_rq_xx', [...CALL, CLASS])),
        ),
        lane: 'fast',
        stands: true,
      },
      {
        name: 'upstreamTime',
        promql: timeOf('upstream_rq_time', (metric) => sent(metric, CALL)),
        lane: 'fast',
        stands: true,
      },
      // Replicas that report.
      {
        name: 'pods',
        promql: aggregate(
          'count',
          PROXY,
          aggregate('count', [...PROXY, 'instance'], selector('envoy_http_downstream_rq_xx', LISTENED)),
        ),
        lane: 'fast',
        stands: true,
      },
      // What no latency shows: timeouts, resets, breakers, ejected hosts, uneven endpoints and workers.
      { name: 'signals', promql: signalsQuestion(windowSeconds), lane: 'slow' },
    ]
  },

  /** Which of its labels a proxy is named by is not known beforehand: all of its namespace are asked. */
  workloadQuestions(windowSeconds, workloads) {
    if (workloads.length === 0) return []
    return envoy
      .questions(windowSeconds)
      .flatMap((question) =>
        question.name.startsWith('downstream')
          ? [{ ...question, promql: within(question.promql, [namespacesOf(workloads)]) }]
          : [],
      )
  },

  edgeQuestion(windowSeconds, callers) {
    if (callers.length === 0) return null
    const where = [...SENT, namespacesOf(callers)]
    const buckets = rate(selector('envoy_cluster_upstream_rq_time_bucket', where), windowSeconds)
    return { name: 'outboundBuckets', promql: sumBy([...CALL, 'le'], buckets), lane: 'slow' }
  },

  reading,
}

function namespacesOf(workloads: readonly WorkloadRef[]): Matcher {
  return anyOf(
    'namespace',
    workloads.map(({ namespace }) => (namespace === NO_NAMESPACE ? '' : namespace)),
  )
}
