import type { Dialect, Question } from './dialect.ts'
import { gatewayQuestion } from './linkerd/gateways.ts'
import { labelUses } from './linkerd/label-uses.ts'
import {
  ACCEPTED,
  DESTINATION,
  FAILURE,
  INBOUND,
  NAMED,
  NO_FAILURE,
  OUTBOUND,
  UNNAMED,
  WORKLOAD,
} from './linkerd/labels.ts'
import { reading } from './linkerd/read.ts'
import { routesQuestion } from './linkerd/routes-question.ts'
import { tcpCalls } from './linkerd/tcp-calls.ts'
import { matching, podQuestions, workloadQuestions } from './linkerd/workload-questions.ts'
import { literal, type Matcher, rate, rateFromBirth, selector, sumBy, tagged, timeOf, union } from './promql.ts'

/**
 * In-cluster services have their own, finer series; the host is what tells calls that leave the mesh apart. Who dials a
 * pod, as an ingress does, leaves no mesh: whatever host is asked for, the pod's workload is named by other metrics.
 */
const EGRESS: readonly Matcher[] = [
  { label: 'parent_kind', op: '!=', value: 'Service' },
  { label: 'parent_name', op: '!=', value: 'endpoint' },
  { label: 'hostname', op: '!=', value: '' },
]

/**
 * Linkerd 2.8 to 2.20: the proxies' `response_total`, `response_latency_ms` and `tcp_*`, and the outbound route metrics
 * (egress by host from 2.17 on).
 */
export const linkerd: Dialect = {
  name: 'linkerd',
  detectedBy: ['response_total'],
  countedInPods: 'response_total',
  countsFirstFailures: true,
  labelUses,
  limits: [
    { about: 'latency', text: 'latency is the time to the first byte of the response, up to 50 s' },
    { about: 'identity', text: 'callees do not name their callers, only mesh identities, which workloads may share' },
    { about: 'cluster', text: 'no label names the cluster of a pod that a flat or federated service leads to' },
    {
      about: 'edges',
      text: 'behind a plain ingress all hosts share one series unless hostname labels are switched on',
    },
  ],

  questions(windowSeconds, peers = []) {
    // Added up before they are put together, which Prometheus does by all labels of each series: `by` tells them apart.
    const passed = (selected: (more: Matcher) => string, labels: readonly string[]) =>
      sumBy([...labels, 'classification'], rate(selected(NO_FAILURE), windowSeconds))
    const failed = (labels: readonly string[], ...selected: readonly ((more: Matcher) => string)[]) =>
      sumBy([...labels, 'classification'], rateFromBirth(windowSeconds, ...selected.map((one) => one(FAILURE))))
    const inbound = (metric: string, by: readonly string[]) =>
      sumBy([...WORKLOAD, ...by], rate(selector(metric, INBOUND), windowSeconds))
    // Pod addresses are asked for only where no label names the callee: they are what makes outbound series many.
    const named = (metric: string, more: readonly Matcher[] = []) => selector(metric, [OUTBOUND, NAMED, ...more])
    const unnamed = (metric: string, more: readonly Matcher[] = []) => selector(metric, [OUTBOUND, UNNAMED, ...more])
    const outside = [...WORKLOAD, 'target_addr', 'authority']
    // And where the pod is one of several clusters'.
    const { here, elsewhere } = whereOf(peers)
    const dialled = [...WORKLOAD, ...DESTINATION, 'target_addr']
    const asked = [...WORKLOAD, 'authority', 'client_id']
    const received = (more: Matcher) => selector('response_total', [...INBOUND, more])
    const calledHere = (more: Matcher) => named('response_total', [here, more])
    const calledElsewhere = (more: Matcher) => named('response_total', [elsewhere, more])
    const calledOutside = (more: Matcher) => unnamed('response_total', [more])
    const outboundTime = (metric: string) =>
      union(
        sumBy([...WORKLOAD, ...DESTINATION], rate(named(metric, [here]), windowSeconds)),
        sumBy(dialled, rate(named(metric, [elsewhere]), windowSeconds)),
        sumBy(outside, rate(unnamed(metric), windowSeconds)),
      )
    const questions: Question[] = [
      // Rates, success, and who asked (host and identity separate one caller's requests from another's).
      {
        name: 'inbound',
        promql: union(passed(received, asked), failed(asked, received)),
        lane: 'fast',
      },
      // Exact means: they add up, percentiles do not. Sum and count of one histogram, so that they fit together.
      {
        name: 'inboundTime',
        promql: timeOf('response_latency_ms', (metric) => inbound(metric, ['authority', 'client_id'])),
        lane: 'fast',
      },
      // Percentiles; by far the most series.
      { name: 'inboundBuckets', promql: inbound('response_latency_ms_bucket', ['le']), lane: 'slow' },
      // The caller's view of every edge.
      {
        name: 'outbound',
        promql: union(
          passed(calledHere, [...WORKLOAD, ...DESTINATION]),
          passed(calledElsewhere, dialled),
          passed(calledOutside, outside),
          failed([...WORKLOAD, ...DESTINATION], calledHere),
          // One look at the targets for both; what names no callee has none of the labels more.
          failed(dialled, calledElsewhere, calledOutside),
        ),
        lane: 'fast',
        stands: true,
      },
      { name: 'outboundTime', promql: timeOf('response_latency_ms', outboundTime), lane: 'fast', stands: true },
      // Calls that leave the mesh, by host: what joins them to another cluster's ingress.
      { name: 'egress', promql: egress(windowSeconds), lane: 'fast', stands: true },
      // Five buckets a host: enough for "1-10 s".
      {
        name: 'egressBuckets',
        promql: protocols((protocol) =>
          sumBy(
            [...WORKLOAD, 'hostname', 'le'],
            rate(selector(`outbound_${protocol}_route_request_duration_seconds_bucket`, EGRESS), windowSeconds),
          ),
        ),
        lane: 'slow',
      },
      // Replicas that report ("one request at a time per pod", scaling), and the addresses they report as their own:
      // what tells whose pod a flat network's caller dialled. `request_total` has one series for a set of labels.
      { name: 'pods', promql: podsQuestion(), lane: 'fast', stands: true },
      // Bytes and connections: all there is of workloads that speak no HTTP.
      { name: 'tcp', promql: tcpQuestion(windowSeconds), lane: 'fast', stands: true },
      // What a person configured: routes, retries, policy, circuit breaking, few series and none by default.
      {
        name: 'routes',
        promql: union(routesQuestion(windowSeconds), gatewayQuestion(windowSeconds)),
        lane: 'slow',
      },
      // The bytes of calls, which are all there is of those that speak no HTTP; of the others nobody needs them.
      {
        name: 'tcpCalls',
        promql: tcpCalls(windowSeconds, [
          { by: [...WORKLOAD, ...DESTINATION], matchers: [OUTBOUND, NAMED, here] },
          { by: dialled, matchers: [OUTBOUND, NAMED, elsewhere] },
          { by: outside, matchers: [OUTBOUND, UNNAMED] },
        ]),
        lane: 'slow',
        rare: true,
      },
    ]
    return questions
  },

  edgeQuestion(windowSeconds, callers, peers = []) {
    const { here, elsewhere } = whereOf(peers)
    const kinds = [...new Set(callers.map(({ kind }) => kind))]
    const parts = kinds.flatMap((kind) => {
      const mine = matching(callers.filter((caller) => caller.kind === kind))
      const buckets = (where: Matcher, by: readonly string[]) => {
        const selected = selector('response_latency_ms_bucket', [OUTBOUND, NAMED, where, ...mine])
        return sumBy([...WORKLOAD, ...DESTINATION, ...by, 'le'], rate(selected, windowSeconds))
      }
      return [buckets(here, []), buckets(elsewhere, ['target_addr'])]
    })
    return parts.length === 0 ? null : { name: 'outboundBuckets', promql: union(...parts), lane: 'slow' }
  },

  workloadQuestions,
  podQuestions,

  reading,
}

/**
 * Whether the service that was asked for carries another cluster in its name, so that its pod may be anywhere.
 * Prometheus compiles the pattern for each selector, which `[^.]`, nearly all of Unicode, makes a tenth of the answer.
 */
function whereOf(peers: readonly string[]): { readonly here: Matcher; readonly elsewhere: Matcher } {
  const names = [...[...peers].sort(), 'federated'].map(literal).join('|')
  const elsewhere: Matcher = { label: 'authority', op: '=~', value: `[\\w-]+-(${names})\\..*` }
  return { here: { ...elsewhere, op: '!~' }, elsewhere }
}

/** HTTP and gRPC have families of their own, with the same labels but for the status. */
function protocols(ask: (protocol: 'http' | 'grpc') => string): string {
  return union(...(['http', 'grpc'] as const).map((protocol) => tagged('protocol', protocol, ask(protocol))))
}

/** Statuses, and sum and count of the time, told apart by the label `part`. */
function egress(windowSeconds: number): string {
  return protocols((protocol) => {
    const statuses = `outbound_${protocol}_route_request_statuses_total`
    const family = `outbound_${protocol}_route_request_duration_seconds`
    const status = protocol === 'http' ? 'http_status' : 'grpc_status'
    const by = [...WORKLOAD, 'hostname', status, 'error']
    const where = (...more: Matcher[]) => selector(statuses, [...EGRESS, ...more])
    const failing: Matcher =
      protocol === 'http' ? { label: status, op: '=~', value: '5..' } : { label: status, op: '!~', value: 'OK|' }
    const passing: Matcher = { ...failing, op: failing.op === '=~' ? '!~' : '=~' }
    const clean = where(passing, { label: 'error', op: '=', value: '' })
    const broken = where(passing, { label: 'error', op: '!=', value: '' })
    const counted = union(
      sumBy(by, rate(clean, windowSeconds)),
      sumBy(by, rateFromBirth(windowSeconds, where(failing), broken)),
    )
    return union(
      tagged('part', 'status', counted),
      timeOf(family, (metric) => sumBy([...WORKLOAD, 'hostname'], rate(selector(metric, EGRESS), windowSeconds))),
    )
  })
}

function podsQuestion(): string {
  const requests = selector('request_total', [{ label: 'direction', op: '=', value: 'inbound' }])
  const per = (label: string) => `count by (${[...WORKLOAD, label].join(',')}) (${requests})`
  const owned = selector('request_total', [...INBOUND, { label: 'target_ip', op: '!=', value: '' }])
  return union(`count by (${WORKLOAD.join(',')}) (${per('pod')})`, sumBy([...WORKLOAD, 'target_ip'], `${owned} * 0`))
}

function tcpQuestion(windowSeconds: number): string {
  const bytes = (metric: string) => sumBy(WORKLOAD, rate(selector(metric, ACCEPTED), windowSeconds))
  return union(
    tagged('part', 'open', sumBy(WORKLOAD, selector('tcp_open_connections', ACCEPTED))),
    tagged('part', 'in', bytes('tcp_read_bytes_total')),
    tagged('part', 'out', bytes('tcp_write_bytes_total')),
  )
}
