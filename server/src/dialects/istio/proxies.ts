import { callsKey } from '../../domain/call-signals.ts'
import type { WorkloadRef } from '../../domain/identity.ts'
import type { Listed } from '../../domain/listed.ts'
import type { Observation } from '../../domain/observation.ts'
import type { SignalName } from '../../domain/signals.ts'
import type { SeriesColumn } from '../dialect.ts'
import { addSignal } from '../observe.ts'
import { aggregate, byName, type Matcher, rate, saidBy, selector, tagged, union } from '../promql.ts'
import type { Labels } from '../read-series.ts'

/** Envoy's own stats as Istio labels them: `cluster_name="outbound|8080||cart.shop.svc.cluster.local"`. */
const OUTBOUND: readonly Matcher[] = [{ label: 'cluster_name', op: '=~', value: 'outbound\\|.*' }]
const CALL = ['namespace', 'workload', 'cluster_name']
/** What Kubernetes appends to a deployment's name, and to a stateful set's. */
const POD = '(.+?)(?:-[a-z0-9]{5,10}-[a-z0-9]{5}|-[a-z0-9]{5}|-[0-9]+)'

/**
 * Where somebody asked for Envoy's own stats (`proxyStatsMatcher`), what no request metric shows. Every sidecar has a
 * series for every service of the mesh: only those that are not zero are worth an answer.
 */
export function proxiesQuestion(windowSeconds: number): string {
  const worth = (name: SignalName, expression: string, how: 'sum' | 'max' = 'sum') =>
    tagged('signal', name, `${aggregate(how, CALL, saidBy('workload', 'pod', expression, POD))} > 0`)
  const counter = (metric: string) => rate(selector(`envoy_cluster_${metric}`, OUTBOUND), windowSeconds)
  const counters = (...metrics: readonly string[]) =>
    union(...metrics.map((metric) => tagged('of', metric, counter(metric))))
  const breakers = byName([
    { label: '__name__', op: '=~', value: 'envoy_cluster_circuit_breakers_(default|high)_.*_open' },
    ...OUTBOUND,
  ])
  return union(
    worth('timeoutsPerSecond', counter('upstream_rq_timeout')),
    worth('resetsPerSecond', counters('upstream_rq_rx_reset', 'upstream_rq_tx_reset')),
    worth('overflowsPerSecond', counters('upstream_rq_pending_overflow', 'upstream_cx_overflow')),
    worth('connectFailuresPerSecond', counter('upstream_cx_connect_fail')),
    worth('retriesPerSecond', counter('upstream_rq_retry')),
    worth('retrySuccessesPerSecond', counter('upstream_rq_retry_success')),
    worth('retryOverflowsPerSecond', counters('upstream_rq_retry_overflow', 'upstream_rq_retry_limit_exceeded')),
    // Limits are those of one process: the worst of them is the one to know.
    worth('breakersOpen', breakers, 'max'),
    worth('hostsEjected', selector('envoy_cluster_outlier_detection_ejections_active', OUTBOUND), 'max'),
    worth('panicsPerSecond', counter('lb_healthy_panic')),
  )
}

/** Each fact waits for the calls to the service that it is about. */
export function readProxies(observation: Observation, answer: Listed<SeriesColumn>): void {
  for (const { labels, values } of answer) {
    const from = callerOf(observation.cluster, labels)
    const host = labels.cluster_name?.split('|')[3]?.replace(/;.*$/, '').toLowerCase()
    if (from === null || !host) continue
    addSignal(observation, callsKey(from, host), labels.signal as SignalName, values)
  }
}

function callerOf(cluster: string, { namespace, workload }: Labels): WorkloadRef | null {
  return namespace && workload ? { cluster, namespace, kind: 'deployment', name: workload } : null
}
