import type { PrometheusApi } from './api.ts'
import { around } from './around.ts'
import { startCallClock } from './call-clock.ts'
import { follow } from './follow.ts'
import { UpstreamError } from './upstream-error.ts'

/**
 * How much longer than Prometheus' own limit to wait: it then gets to say itself what took too long, and only a
 * server or network that hangs is cut off from this side.
 */
const GRACE_SECONDS = 0.5

/**
 * Stops a call that takes longer than `timeoutSeconds`, and rejects it with `timeout`. `setting`: what of the config says
 * so. What Goldseam takes to read an answer that is here does not count.
 */
export function withTimeout(
  api: PrometheusApi,
  timeoutSeconds: number,
  setting = 'limits.queryTimeout',
): PrometheusApi {
  return around(api, async (call, signal) => {
    const limit = new AbortController()
    const clock = startCallClock(limit.signal, timeoutSeconds + GRACE_SECONDS, () => {
      limit.abort(
        new UpstreamError('timeout', `no answer within ${timeoutSeconds} s; raise ${setting} or look at its load`),
      )
    })
    const leave = follow(signal, limit)
    try {
      return await call(limit.signal)
    } finally {
      clock.end()
      leave()
    }
  })
}
