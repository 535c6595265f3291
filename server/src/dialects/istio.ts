import type { Dialect, Question } from './dialect.ts'
import { labelUses } from './istio/label-uses.ts'
import { EDGE, TARGET, WITH_FLAGS } from './istio/labels.ts'
import { proxiesQuestion } from './istio/proxies.ts'
import { reading } from './istio/read.ts'
import { DURATION, REQUESTS, requestQuestions, workloadQuestions } from './istio/request-questions.ts'
import { aggregate, anyOf, rate, selector, sumBy, tagged, union } from './promql.ts'
import { renamed } from './renamed.ts'

/**
 * Istio's standard metrics: sidecars, gateways and waypoints by `istio_requests_total`, ztunnels by `istio_tcp_*`. Every
 * call is reported by both its ends; `reading` believes one of them.
 */
export const istio: Dialect = {
  name: 'istio',
  detectedBy: [REQUESTS, 'istio_tcp_connections_opened_total'],
  countedInPods: REQUESTS,
  countsFirstFailures: true,
  labelUses,
  limits: [
    { about: 'identity', text: 'the kind of a workload is not told: all are shown as deployments' },
    {
      about: 'requests',
      text: 'ztunnels count connections and bytes only: requests are known where a waypoint or a sidecar is',
    },
    {
      about: 'cluster',
      text: 'a waypoint does not tell the cluster it sends to: its own, unless a workload elsewhere names the caller',
    },
    { about: 'pods', text: 'a waypoint does not tell the pods behind it apart' },
    {
      about: 'edges',
      text: 'an ingress gateway does not tell who called it, nor by which host; its own row is what it passes on',
    },
  ],

  questions(windowSeconds) {
    const questions: Question[] = [
      // Rates and success of every edge by every reporter: workloads and edges are sums of it, and only with all of
      // them can one be chosen. Then exact means, of whole responses, and percentiles of what workloads answer;
      // callers' buckets only for what is on screen.
      ...requestQuestions(windowSeconds),
      // Why calls failed: timed out, turned away, no host.
      {
        name: 'flags',
        promql: sumBy([...EDGE, WITH_FLAGS.label], rate(selector(REQUESTS, [WITH_FLAGS]), windowSeconds)),
        lane: 'slow',
      },
      // What Envoy itself counts, where somebody asked for it: breakers, retries, resets, ejected hosts.
      { name: 'proxies', promql: proxiesQuestion(windowSeconds), lane: 'slow' },
      // Replicas that report, where the scrape keeps pods apart.
      {
        name: 'pods',
        promql: aggregate(
          'count',
          TARGET,
          aggregate(
            'count',
            [...TARGET, 'pod'],
            selector(REQUESTS, [
              { label: 'reporter', op: '=', value: 'destination' },
              { label: 'pod', op: '!=', value: '' },
            ]),
          ),
        ),
        lane: 'fast',
      },
      // Bytes and connections: all there is where only ztunnels are in the path.
      { name: 'tcp', promql: tcpQuestion(windowSeconds), lane: 'fast' },
    ]
    return questions
  },

  edgeQuestion(windowSeconds, callers) {
    if (callers.length === 0) return null
    const matchers = [
      anyOf('reporter', ['source', 'waypoint']),
      anyOf(
        'source_workload_namespace',
        callers.map(({ namespace }) => namespace),
      ),
      anyOf(
        'source_workload',
        callers.map(({ name }) => name),
      ),
    ]
    const buckets = rate(selector(`${DURATION}_bucket`, matchers), windowSeconds)
    return { name: 'outboundBuckets', promql: sumBy([...EDGE, 'le'], buckets), lane: 'slow' }
  },

  workloadQuestions,

  reading,
}

function tcpQuestion(windowSeconds: number): string {
  const rates = (metric: string) => sumBy(EDGE, rate(selector(metric, []), windowSeconds))
  const now = (metric: string) => sumBy(EDGE, selector(metric, []))
  return union(
    tagged('part', 'in', rates('istio_tcp_received_bytes_total')),
    tagged('part', 'out', rates('istio_tcp_sent_bytes_total')),
    tagged('part', 'opened', now('istio_tcp_connections_opened_total')),
    tagged('part', 'closed', now('istio_tcp_connections_closed_total')),
  )
}

const prefixed = renamed(istio, (metric) => (metric.startsWith('istio_') ? `workload:${metric}` : metric))

/** What Istio's own guide records for federation: the same without pods. Read only where the originals are not. */
export const istioRecorded: Dialect = {
  ...prefixed,
  name: 'istio_recorded',
  questions: (windowSeconds, peers) =>
    prefixed.questions(windowSeconds, peers).filter(({ name }) => name !== 'proxies'),
  *reading(cluster, steps, answers) {
    return { ...(yield* reading(cluster, steps, answers)), dialect: 'istio_recorded' }
  },
  unless: [REQUESTS],
  // Recorded series have no target that could tell a birth from a beginning.
  labelUses: istio.labelUses.filter(({ says }) => says !== 'pod'),
  countsFirstFailures: false,
  limits: [
    ...istio.limits.filter(({ about }) => about !== 'pods'),
    {
      about: 'requests',
      text: 'recorded counters are sums over pods: when a pod goes they fall, which looks like a burst for one rate window',
    },
    { about: 'pods', text: 'recorded series do not tell pods apart: whether one of them is slow cannot be seen' },
  ],
}
