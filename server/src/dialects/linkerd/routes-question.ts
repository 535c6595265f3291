import { aggregate, type Matcher, rate, selector, sumBy, tagged, timeOf, union } from '../promql.ts'
import { WORKLOAD } from './labels.ts'

/** Default routes hold the same requests as the endpoint metrics; only routes that somebody wrote tell more. */
const WRITTEN: readonly Matcher[] = [
  { label: 'parent_kind', op: '=', value: 'Service' },
  { label: 'route_kind', op: '!=', value: 'default' },
]
const PARENT = ['parent_namespace', 'parent_name']
const BACKEND = ['backend_namespace', 'backend_name']

/**
 * Routes, and what policy does on them, told apart by the labels `part` and `signal`: ServiceProfile routes (after
 * retries, and each attempt), HTTPRoute and GRPCRoute likewise, retries, balanced endpoints, denied requests.
 */
export function routesQuestion(windowSeconds: number): string {
  const rates = (metric: string, by: readonly string[], matchers: readonly Matcher[] = []) =>
    sumBy([...WORKLOAD, ...by], rate(selector(metric, matchers), windowSeconds))
  const profile = ['direction', 'dst', 'rt_route']
  const signal = (name: string, expression: string) => tagged('signal', name, expression)
  const policy = (protocol: string) => {
    const family = `outbound_${protocol}_route`
    const status = protocol === 'http' ? 'http_status' : 'grpc_status'
    const by = [...PARENT, 'route_name', status, 'error']
    const retried = (metric: string) => rates(`${family}_retry_${metric}_total`, PARENT)
    return tagged(
      'protocol',
      protocol,
      union(
        tagged('part', 'effective', rates(`${family}_request_statuses_total`, by, WRITTEN)),
        tagged('part', 'actual', rates(`${family}_backend_response_statuses_total`, by, WRITTEN)),
        signal('retriesPerSecond', retried('requests')),
        signal('retrySuccessesPerSecond', retried('successes')),
        signal(
          'retryOverflowsPerSecond',
          union(tagged('why', 'limit', retried('limit_exceeded')), tagged('why', 'overflow', retried('overflow'))),
        ),
      ),
    )
  }
  const retryable = (op: '=' | '!=') =>
    rates(
      'route_retryable_total',
      ['dst'],
      [
        { label: 'direction', op: '=', value: 'outbound' },
        { label: 'skipped', op, value: '' },
      ],
    )
  // Every pod of a caller balances by itself: the worst view is the one to know.
  const endpoints = (worst: 'min' | 'max', state: string) =>
    aggregate(
      worst,
      [...WORKLOAD, ...BACKEND],
      selector('outbound_http_balancer_endpoints', [{ label: 'endpoint_state', op: '=', value: state }]),
    )
  return union(
    tagged('part', 'effective', rates('route_response_total', [...profile, 'classification'])),
    tagged('part', 'actual', rates('route_actual_response_total', [...profile, 'classification'])),
    timeOf('route_response_latency_ms', (metric) => rates(metric, profile)),
    policy('http'),
    policy('grpc'),
    signal('retriesPerSecond', retryable('=')),
    signal('retryOverflowsPerSecond', retryable('!=')),
    signal('endpointsReady', endpoints('min', 'ready')),
    signal('endpointsPending', endpoints('max', 'pending')),
    signal('deniedPerSecond', rates('inbound_http_authz_deny_total', [])),
    signal('rateLimitedPerSecond', rates('inbound_http_local_ratelimit_total', [])),
  )
}
