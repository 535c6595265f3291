import type { PrometheusApi } from './api.ts'
import { around } from './around.ts'
import { UpstreamError } from './upstream-error.ts'

/** Long enough for a restarted process or a load balancer to point elsewhere, short enough for one snapshot. */
const LEAST_WAIT_SECONDS = 0.1
/** Many callers that failed together must not come back together. */
const JITTER_SECONDS = 0.2
/** Who asks for more than that is left alone, so that a replica can be asked meanwhile; the breaker remembers it. */
const LONGEST_WAIT_SECONDS = 1

export interface RetryOptions {
  /** How long one call may take in all; what would not fit is not tried. */
  readonly withinSeconds: number
  /** Seconds of a clock that only runs forward. */
  readonly monotonicSeconds: () => number
  /** In [0, 1). */
  readonly random: () => number
  /** Resolves after that long; rejects when the signal aborts. */
  readonly wait: (seconds: number, signal: AbortSignal) => Promise<void>
  /** Whether the endpoint is asked as usual; unset: it always is. One that is left alone is tried with one request. */
  readonly isInUse?: () => boolean
}

/**
 * Asks a second time, once, where nobody answered or the answer was "not now": a connection that broke, 429, 5xx.
 * A query that was refused or answered badly would only be refused again; one that took too long has no time left.
 */
export function withRetry(api: PrometheusApi, options: RetryOptions): PrometheusApi {
  const { withinSeconds, monotonicSeconds, random, wait, isInUse = () => true } = options
  return around(api, async (call, signal) => {
    const startedSeconds = monotonicSeconds()
    try {
      return await call(signal)
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.kind !== 'unreachable' || signal.aborted) throw error
      if (!isInUse()) throw error
      if ((error.retryAfterSeconds ?? 0) > LONGEST_WAIT_SECONDS) throw error
      const pause = (error.retryAfterSeconds ?? LEAST_WAIT_SECONDS) + random() * JITTER_SECONDS
      if (monotonicSeconds() - startedSeconds + pause >= withinSeconds) throw error
      await wait(pause, signal).catch(() => {
        throw error
      })
      // Others that failed meanwhile may have shown that it is no chance.
      if (!isInUse()) throw error
      return call(signal)
    }
  })
}
