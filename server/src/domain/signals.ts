import { addInto, type Column, type Values } from './columns.ts'

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

/** Shares and proportions, of which the worst tells; everything else adds up. */
const WORST: Readonly<Partial<Record<SignalName, (one: number, other: number) => number>>> = {
  breakerHeadroom: Math.min,
  endpointUnevenness: Math.max,
  workerUnevenness: Math.max,
}

/** One more measurement of the same fact, where several services lead to one place. */
export function addFactInto(column: Column, name: SignalName, values: Values): void {
  const worst = WORST[name]
  if (worst === undefined) {
    addInto(column, values)
    return
  }
  for (let step = 0; step < column.length; step += 1) {
    const [known, value] = [column[step] as number, values[step] ?? Number.NaN]
    if (Number.isFinite(value)) column[step] = Number.isNaN(known) ? value : worst(known, value)
  }
}
