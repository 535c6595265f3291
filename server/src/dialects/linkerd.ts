import { addInto, type Column, emptyColumn } from '../domain/columns.ts'
import { type WorkloadRef, workloadId } from '../domain/identity.ts'
import { type Destination, emptyObservation, type Observation, type Outbound } from '../domain/observation.ts'
import { bucketColumn, type Traffic } from '../domain/traffic.ts'
import type { Dialect, Question, SeriesColumn } from './dialect.ts'
import { flowOf, inboundOf, partOf } from './observe.ts'
import { literal, type Matcher, rate, selector, sumBy, tagged, union } from './promql.ts'

/** The owner labels that Linkerd's scrape rules put on a pod's series; k8s_job avoids Prometheus' own `job`. */
const KINDS = ['deployment', 'statefulset', 'daemonset', 'cronjob', 'k8s_job', 'replicaset', 'replicationcontroller']
const WORKLOAD = ['namespace', ...KINDS]
const DESTINATION = [
  'dst_namespace',
  'dst_service',
  ...KINDS.map((kind) => `dst_${kind}`),
  'dst_target_cluster',
  'dst_target_service',
  'dst_target_service_namespace',
  'server_id',
]

/**
 * The proxy measures its own admin port and the kubelet's probes like any request; they would give an idle workload
 * traffic at 100 % success (linkerd2 issue 769).
 */
const INBOUND: readonly Matcher[] = [
  { label: 'direction', op: '=', value: 'inbound' },
  { label: 'target_port', op: '!=', value: '4191' },
  { label: 'route_name', op: '!=', value: 'probe' },
]
const OUTBOUND: Matcher = { label: 'direction', op: '=', value: 'outbound' }
const NAMED: Matcher = { label: 'dst_namespace', op: '!=', value: '' }
const UNNAMED: Matcher = { label: 'dst_namespace', op: '=', value: '' }
/** In-cluster services have their own, finer series; the host is what tells calls that leave the mesh apart. */
const EGRESS: readonly Matcher[] = [
  { label: 'parent_kind', op: '!=', value: 'Service' },
  { label: 'hostname', op: '!=', value: '' },
]

const MILLISECONDS = 1000

/** Linkerd 2.9 and later: `response_total`, `response_latency_ms`, and the outbound route metrics by host (2.17 and later). */
export const linkerd: Dialect = {
  name: 'linkerd',
  detectedBy: ['response_total'],

  questions(windowSeconds) {
    const inbound = (metric: string, by: readonly string[]) =>
      sumBy([...WORKLOAD, ...by], rate(selector(metric, INBOUND), windowSeconds))
    // Pod addresses are asked for only where no label names the callee: they are what makes outbound series many.
    const outbound = (metric: string, by: readonly string[]) =>
      union(
        sumBy([...WORKLOAD, ...DESTINATION, ...by], rate(selector(metric, [OUTBOUND, NAMED]), windowSeconds)),
        sumBy([...WORKLOAD, 'target_addr', ...by], rate(selector(metric, [OUTBOUND, UNNAMED]), windowSeconds)),
      )
    const egress = (metric: string, by: readonly string[]) =>
      sumBy([...WORKLOAD, 'hostname', ...by], rate(selector(metric, EGRESS), windowSeconds))
    const questions: Question[] = [
      // Rates, success, and who asked (host and identity separate one caller's requests from another's).
      {
        name: 'inbound',
        promql: inbound('response_total', ['authority', 'client_id', 'classification']),
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
      { name: 'outbound', promql: outbound('response_total', ['classification']), lane: 'fast' },
      { name: 'outboundTime', promql: timeOf('response_latency_ms', (metric) => outbound(metric, [])), lane: 'fast' },
      // Calls that leave the mesh, by host: what joins them to another cluster's ingress.
      {
        name: 'egress',
        promql: egress('outbound_http_route_request_statuses_total', ['http_status', 'error']),
        lane: 'fast',
      },
      {
        name: 'egressTime',
        promql: timeOf('outbound_http_route_request_duration_seconds', (metric) => egress(metric, [])),
        lane: 'fast',
      },
      // Five buckets a host: enough for "1-10 s".
      {
        name: 'egressBuckets',
        promql: egress('outbound_http_route_request_duration_seconds_bucket', ['le']),
        lane: 'slow',
      },
      // Replicas that report: "one request at a time per pod", scaling.
      {
        name: 'pods',
        promql: `count by (${WORKLOAD.join(',')}) (count by (${[...WORKLOAD, 'pod'].join(',')}) (${selector(
          'request_total',
          [{ label: 'direction', op: '=', value: 'inbound' }],
        )}))`,
        lane: 'fast',
      },
    ]
    return questions
  },

  edgeQuestion(windowSeconds, callers) {
    const anyOf = (label: string, values: readonly string[]): Matcher => ({
      label,
      op: '=~',
      value: [...new Set(values)].sort().map(literal).join('|'),
    })
    const parts = KINDS.flatMap((label) => {
      const mine = callers.filter(({ kind }) => labelOf(kind) === label)
      if (mine.length === 0) return []
      const matchers = [
        OUTBOUND,
        NAMED,
        anyOf(
          'namespace',
          mine.map(({ namespace }) => namespace),
        ),
        anyOf(
          label,
          mine.map(({ name }) => name),
        ),
      ]
      const buckets = rate(selector('response_latency_ms_bucket', matchers), windowSeconds)
      return [sumBy([...WORKLOAD, ...DESTINATION, 'le'], buckets)]
    })
    return parts.length === 0 ? null : { name: 'outboundBuckets', promql: union(...parts), lane: 'slow' }
  },

  read(cluster, steps, answers) {
    const observation = emptyObservation(cluster, steps)
    const each = (name: string, take: (series: SeriesColumn, workload: WorkloadRef) => void) => {
      for (const series of answers.get(name) ?? []) {
        const workload = workloadOf(cluster, series.labels, '')
        if (workload !== undefined) take(series, workload)
      }
    }
    each('inbound', ({ labels, values }, workload) => {
      const column = labels.classification === 'success' ? 'success' : 'failures'
      for (const traffic of inboundParts(observation, workload, labels)) {
        addInto(traffic[column], values)
      }
    })
    each('inboundTime', (series, workload) => {
      for (const traffic of inboundParts(observation, workload, series.labels)) addTime(traffic, series, MILLISECONDS)
    })
    each('inboundBuckets', ({ labels, values }, workload) => {
      const bound = boundOf(labels)
      if (bound === null) return
      const { total } = inboundOf(observation, workload)
      addInto(bucketColumn(total, bound / MILLISECONDS), values)
    })
    each('outbound', ({ labels, values }, workload) => {
      const traffic = outboundOf(observation, workload, labels)?.traffic
      if (traffic === undefined) return
      addInto(labels.classification === 'success' ? traffic.success : traffic.failures, values)
    })
    each('outboundTime', (series, workload) => {
      const flow = outboundOf(observation, workload, series.labels)
      if (flow !== undefined) addTime(flow.traffic, series, MILLISECONDS)
    })
    each('outboundBuckets', ({ labels, values }, workload) => {
      const bound = boundOf(labels)
      const flow = outboundOf(observation, workload, labels)
      if (flow !== undefined && bound !== null) addInto(bucketColumn(flow.traffic, bound / MILLISECONDS), values)
    })
    each('egress', ({ labels, values }, workload) => {
      const traffic = egressOf(observation, workload, labels.hostname ?? '').traffic
      addInto(isFailure(labels) ? traffic.failures : traffic.success, values)
    })
    each('egressTime', (series, workload) => {
      addTime(egressOf(observation, workload, series.labels.hostname ?? '').traffic, series, 1)
    })
    each('egressBuckets', ({ labels, values }, workload) => {
      const bound = boundOf(labels)
      const { traffic } = egressOf(observation, workload, labels.hostname ?? '')
      if (bound !== null) addInto(bucketColumn(traffic, bound), values)
    })
    each('pods', ({ values }, workload) => {
      const pods = observation.pods.get(workloadId(workload)) ?? emptyColumn(steps)
      addInto(pods, values)
      observation.pods.set(workloadId(workload), pods)
    })
    return observation
  },
}

/** `le` as a number, so that `1` (Prometheus 2) and `1.0` (Prometheus 3) are one bucket. */
function boundOf({ le }: Readonly<Record<string, string>>): number | null {
  const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le || Number.NaN)
  return Number.isNaN(bound) ? null : bound
}

/** As `linkerd viz stat-outbound` counts: a 5xx, or any error of the proxy. */
function isFailure(labels: Readonly<Record<string, string>>): boolean {
  return (labels.http_status ?? '').startsWith('5') || (labels.error ?? '') !== ''
}

function workloadOf(
  cluster: string,
  labels: Readonly<Record<string, string>>,
  prefix: '' | 'dst_',
): WorkloadRef | undefined {
  const namespace = labels[`${prefix}namespace`]
  if (!namespace) return undefined
  for (const kind of KINDS) {
    const name = labels[`${prefix}${kind}`]
    if (name) return { cluster, namespace, kind: kind === 'k8s_job' ? 'job' : kind, name }
  }
  return undefined
}

/** The label that names a workload of this kind; Linkerd renames `job`, which Prometheus uses itself. */
function labelOf(kind: string): string {
  return kind === 'job' ? 'k8s_job' : kind
}

/** The total first, then the parts by host and by client that the labels name. */
function inboundParts(
  observation: Observation,
  workload: WorkloadRef,
  labels: Readonly<Record<string, string>>,
): Traffic[] {
  const inbound = inboundOf(observation, workload)
  const parts = [inbound.total]
  if (labels.authority) parts.push(partOf(inbound.byHost, withoutPort(labels.authority), observation.steps))
  if (labels.client_id) parts.push(partOf(inbound.byClient, labels.client_id, observation.steps))
  return parts
}

/** Callers' `hostname` has no port, callees' `authority` may have one. */
function withoutPort(authority: string): string {
  return authority.replace(/:\d+$/, '').toLowerCase()
}

function outboundOf(
  observation: Observation,
  from: WorkloadRef,
  labels: Readonly<Record<string, string>>,
): Outbound | undefined {
  const destination = destinationOf(observation.cluster, labels)
  if (destination === undefined) return undefined
  return flowOf(observation, from, destination, labels.server_id || null, 'firstByte')
}

function egressOf(observation: Observation, from: WorkloadRef, hostname: string): Outbound {
  return flowOf(observation, from, { kind: 'host', host: hostname.toLowerCase() }, null, 'full')
}

function destinationOf(cluster: string, labels: Readonly<Record<string, string>>): Destination | undefined {
  const target = labels.dst_target_cluster
  if (target) {
    return {
      kind: 'mirror',
      cluster: target,
      namespace: labels.dst_target_service_namespace ?? labels.dst_namespace ?? '',
      service: labels.dst_target_service ?? labels.dst_service ?? '',
    }
  }
  const workload = workloadOf(cluster, labels, 'dst_')
  if (workload !== undefined) return { kind: 'workload', workload, service: labels.dst_service || null }
  if (labels.dst_namespace && labels.dst_service) {
    return { kind: 'service', cluster, namespace: labels.dst_namespace, service: labels.dst_service }
  }
  return labels.target_addr ? { kind: 'address', address: labels.target_addr } : undefined
}

/** Sum and count of a histogram in one answer, told apart by the label `part`. */
function timeOf(histogram: string, ask: (metric: string) => string): string {
  return union(...['sum', 'count'].map((part) => tagged('part', part, ask(`${histogram}_${part}`))))
}

function addTime(traffic: Traffic, { labels, values }: SeriesColumn, unitsPerSecond: number): void {
  if (labels.part === 'count') addInto(traffic.latencyCount, values)
  else addInto(traffic.latencySeconds, scaled(values, 1 / unitsPerSecond))
}

function scaled(values: Column, factor: number): Column {
  return values.map((value) => value * factor)
}
