import type { SignalName } from '../../domain/signals.ts'
import { aggregate, byName, type Matcher, rate, selector, sumBy, tagged, union } from '../promql.ts'
import { LISTENED, PROXY, SENT } from './labels.ts'

const CALL = [...PROXY, 'envoy_cluster_name']
/** Envoy's default for requests under way to one cluster, of each process. */
const DEFAULT_MOST_REQUESTS = 1024
/** Fewer connections than this a worker are uneven by chance. */
const LEAST_PER_WORKER = 10

/** What goes wrong beside the latency, and how near limits are; told apart by the label `signal`. */
export function signalsQuestion(windowSeconds: number): string {
  const signal = (name: SignalName, expression: string) => tagged('signal', name, expression)
  const upstream = (metric: string) => selector(`envoy_cluster_upstream_${metric}`, SENT)
  /** Several counters with the same labels: `or` would keep only one of them. */
  const rates = (...metrics: readonly string[]) =>
    sumBy(CALL, union(...metrics.map((metric) => tagged('of', metric, rate(upstream(metric), windowSeconds)))))
  const gauge = (how: 'min' | 'max', metric: string) => aggregate(how, CALL, selector(`envoy_cluster_${metric}`, SENT))
  const downstream = (...metrics: readonly string[]) =>
    sumBy(
      PROXY,
      union(
        ...metrics.map((metric) =>
          tagged('of', metric, rate(selector(`envoy_http_downstream_${metric}`, LISTENED), windowSeconds)),
        ),
      ),
    )
  return union(
    signal('timeoutsPerSecond', rates('rq_timeout')),
    signal('resetsPerSecond', rates('rq_rx_reset', 'rq_tx_reset')),
    // None of these is ever in the histogram of the latency.
    signal('untimedPerSecond', rates('rq_timeout', 'rq_rx_reset', 'rq_tx_reset')),
    signal('untimedPerSecond', downstream('rq_timeout', 'rq_rx_reset')),
    signal('overflowsPerSecond', rates('rq_pending_overflow', 'cx_overflow')),
    signal('connectFailuresPerSecond', rates('cx_connect_fail')),
    signal('retriesPerSecond', rates('rq_retry')),
    signal('retrySuccessesPerSecond', rates('rq_retry_success')),
    signal('retryOverflowsPerSecond', rates('rq_retry_overflow', 'rq_retry_limit_exceeded')),
    signal('breakersOpen', aggregate('max', CALL, breakers())),
    signal('breakerHeadroom', headroom()),
    signal('endpointsReady', gauge('min', 'membership_healthy')),
    signal('endpointsPending', aggregate('max', CALL, `${membership('total')} - ${membership('healthy')}`)),
    signal('hostsEjected', gauge('max', 'outlier_detection_ejections_active')),
    signal('panicsPerSecond', sumBy(CALL, rate(selector('envoy_cluster_lb_healthy_panic', SENT), windowSeconds))),
    signal('endpointUnevenness', uneven(CALL, endpoints(windowSeconds))),
    signal('workerUnevenness', workers()),
  )
}

const membership = (which: string) => selector(`envoy_cluster_membership_${which}`, SENT)

function breakers(): string {
  return byName([
    { label: '__name__', op: '=~', value: 'envoy_cluster_circuit_breakers_(default|high)_.*_open' },
    ...SENT,
  ])
}

/** Limits are those of one process: the nearest of them, from what is left where that is tracked. */
function headroom(): string {
  const active = selector('envoy_cluster_upstream_rq_active', SENT)
  const left = selector('envoy_cluster_circuit_breakers_default_remaining_rq', SENT)
  const tracked = aggregate('min', CALL, `${left} / (${left} + ${active})`)
  return union(tracked, aggregate('min', CALL, `1 - ${active} / ${DEFAULT_MOST_REQUESTS}`))
}

function endpoints(windowSeconds: number): string {
  const by = [...CALL, 'envoy_endpoint_address']
  return sumBy(by, rate(selector('envoy_cluster_endpoint_rq_total', SENT), windowSeconds))
}

function uneven(by: readonly string[], parts: string): string {
  return `${aggregate('max', by, parts)} / ${aggregate('avg', by, parts)}`
}

/** Connections of each worker: in a name of its own up to 1.22, under the listener's in 1.23, clean since. */
function workers(): string {
  const one: Matcher = { label: 'envoy_worker_id', op: '!=', value: '' }
  const each = union(
    selector('envoy_listener_worker_downstream_cx_active', [one]),
    selector('envoy_listener_downstream_cx_active', [one]),
    byName([{ label: '__name__', op: '=~', value: 'envoy_listener_worker_[0-9]+_downstream_cx_active' }]),
  )
  const by = [...PROXY, 'instance', 'envoy_listener_address']
  const enough = `${aggregate('sum', by, each)} >= ${LEAST_PER_WORKER} * ${aggregate('count', by, each)}`
  return aggregate('max', PROXY, `${uneven(by, each)} and ${enough}`)
}
