import type { Column } from './columns.ts'

/**
 * Facts that a proxy counts beside rate, success and latency. The name carries the unit; rates are per second,
 * everything else is a gauge at the time.
 */
export const SIGNALS = {
  retriesPerSecond: 'retries',
  retrySuccessesPerSecond: 'retries that succeeded',
  retryOverflowsPerSecond: 'retries not made: over the limit or the budget',
  timeoutsPerSecond: 'timeouts',
  resetsPerSecond: 'resets',
  untimedPerSecond: 'requests that are in no latency: timed out or reset',
  overflowsPerSecond: 'turned away by a circuit breaker',
  connectFailuresPerSecond: 'connections that failed',
  deniedPerSecond: 'denied by policy',
  rateLimitedPerSecond: 'over a rate limit',
  breakersOpen: 'circuit breakers open',
  breakerHeadroom: 'share of the circuit breaker that is left',
  endpointsReady: 'endpoints ready',
  endpointsPending: 'endpoints pending or ejected',
  hostsEjected: 'hosts ejected as outliers',
  panicsPerSecond: 'requests balanced in panic',
  endpointUnevenness: 'busiest endpoint against the mean',
  workerUnevenness: 'busiest worker against the mean',
} as const

export type SignalName = keyof typeof SIGNALS

export type Signals = Map<SignalName, Column>
