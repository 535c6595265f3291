import { abortable } from './abortable.ts'
import type { BreakerStatus, PrometheusApi } from './api.ts'
import { around } from './around.ts'
import { isHopeless, UpstreamError } from './upstream-error.ts'

/** One lost call is chance, and two may be a restart. */
const FAILURES_TO_OPEN = 3
const GROWTH = 2
/** What an endpoint may ask for with Retry-After; longer would hide that it is back. */
const LONGEST_REST_SECONDS = 60

export interface BreakerOptions {
  /** Unix seconds. */
  readonly nowSeconds: () => number
  readonly firstPauseSeconds: number
  /** The pause grows no longer than this. */
  readonly longestPauseSeconds: number
}

/** `answered`: tells that the endpoint was seen to answer by another way, so that it is asked again at once. */
export type GuardedPrometheus = PrometheusApi & { answered(): void }

/**
 * Stops asking an endpoint that failed several times in a row, so that a dead one costs nothing: calls are refused at
 * once with what went wrong last. After a pause that grows, one call tries it, while the others wait for what comes
 * of it; success closes the breaker.
 */
export function withBreaker(api: PrometheusApi, options: BreakerOptions): GuardedPrometheus {
  const { nowSeconds, firstPauseSeconds, longestPauseSeconds } = options
  const longestRestSeconds = Math.max(firstPauseSeconds, longestPauseSeconds, LONGEST_REST_SECONDS)
  let failures = 0
  let pauseSeconds = firstPauseSeconds
  let open: { cause: UpstreamError; nextTryAtSeconds: number } | null = null
  let probe: Promise<void> | null = null

  function note(error: unknown, signal: AbortSignal): void {
    // A caller who left, or gave up because of another call, says nothing about the endpoint.
    if (signal.aborted) return
    if (!(error instanceof UpstreamError) || !isHopeless(error)) {
      close()
      return
    }
    // Calls that were under way when it opened add nothing to what is known.
    if (open !== null && probe === null) return
    failures += 1
    const restSeconds = Math.min(error.retryAfterSeconds ?? 0, LONGEST_REST_SECONDS)
    if (failures < FAILURES_TO_OPEN && restSeconds === 0) return
    open = { cause: error, nextTryAtSeconds: nowSeconds() + Math.max(pauseSeconds, restSeconds) }
    pauseSeconds = Math.min(pauseSeconds * GROWTH, longestPauseSeconds)
  }

  function close(): void {
    failures = 0
    pauseSeconds = firstPauseSeconds
    open = null
  }

  async function noted<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      const answer = await call()
      close()
      return answer
    } catch (error) {
      note(error, signal)
      throw error
    }
  }

  function status(): BreakerStatus {
    if (open === null) return { state: 'closed', nextTryAtSeconds: null }
    return { state: probe === null ? 'open' : 'halfOpen', nextTryAtSeconds: open.nextTryAtSeconds }
  }

  const guarded = around(api, async (call, signal) => {
    for (;;) {
      if (open === null) return noted(() => call(signal), signal)
      if (probe !== null) {
        await abortable(probe, signal)
        continue
      }
      const inSeconds = open.nextTryAtSeconds - nowSeconds()
      // Longer than any pause: the clock was set back since.
      if (inSeconds > 0 && inSeconds <= longestRestSeconds) throw refusal(open.cause, inSeconds)
      const trial = noted(() => call(signal), signal)
      probe = trial.then(
        () => undefined,
        () => undefined,
      )
      try {
        return await trial
      } finally {
        probe = null
      }
    }
  })
  return {
    ...guarded,
    answered: close,
    // Status pages are often closed off: they neither prove nor disprove that queries are answered.
    scrapeIntervalSeconds: async (signal) => {
      if (open !== null) throw open.cause
      return api.scrapeIntervalSeconds(signal)
    },
    status: () => api.status().map((one) => ({ ...one, breaker: status() })),
  }
}

function refusal(cause: UpstreamError, inSeconds: number): UpstreamError {
  return new UpstreamError(cause.kind, `${cause.message}; next try in ${Math.ceil(inSeconds)} s`, cause)
}
