import { abortable } from './abortable.ts'
import type { BreakerStatus, PrometheusApi } from './api.ts'
import { around, type CallAbout } from './around.ts'
import { CallsInDoubt } from './calls-in-doubt.ts'
import { isClosedOff } from './closed-off.ts'
import { follow } from './follow.ts'
import { isTrouble, UpstreamError } from './upstream-error.ts'

/** One lost call is chance, and two may be a restart. */
const FAILURES_TO_OPEN = 3
const GROWTH = 2
/** What an endpoint may ask for with Retry-After; longer would hide that it is back. */
const LONGEST_REST_SECONDS = 60
/** Enough for most answers, and well within a snapshot's soft deadline: who tries what hangs is not held up by it. */
const PROBE_PATIENCE_SECONDS = 1

export interface BreakerOptions {
  /** Unix seconds. */
  readonly nowSeconds: () => number
  readonly firstPauseSeconds: number
  /** The pause grows no longer than this. */
  readonly longestPauseSeconds: number
  /** How long a question waits for what comes of trying, or of calls that may hang; unset: a second. */
  readonly probePatienceSeconds?: number
}

/** `answered`: tells that the endpoint was seen to answer by another way, so that it is asked again at once. */
export type GuardedPrometheus = PrometheusApi & { answered(): void }

/**
 * Stops asking an endpoint that failed several times in a row, so that a dead one costs nothing: calls are refused at
 * once with what went wrong last. After a pause that grows, one call tries it, while the others wait for what comes
 * of it, though not for long; success closes the breaker.
 *
 * `inLine` puts what calls wait in for their turn before the endpoint, and hands their signals on as they are. Who is
 * refused does not wait there, and whose turn comes after the breaker opened does not go out.
 */
export function withBreaker(
  api: PrometheusApi,
  options: BreakerOptions,
  inLine: (api: PrometheusApi) => PrometheusApi = (one) => one,
): GuardedPrometheus {
  const { nowSeconds, firstPauseSeconds, longestPauseSeconds } = options
  const { probePatienceSeconds = PROBE_PATIENCE_SECONDS } = options
  const longestRestSeconds = Math.max(firstPauseSeconds, longestPauseSeconds, LONGEST_REST_SECONDS)
  const calls = new CallsInDoubt()
  let failures = 0
  let pauseSeconds = firstPauseSeconds
  let open: { cause: UpstreamError; nextTryAtSeconds: number } | null = null
  /** The call that tries it, known by its signal. */
  let probe: { signal: AbortSignal; sinceSeconds: number; over: Promise<void> } | null = null

  function note(error: unknown, signal: AbortSignal, triedAtSeconds: number | null, about: CallAbout): void {
    // A caller who left, or gave up because of another call, says nothing about the endpoint.
    if (signal.aborted || isClosedOff(error, about)) return
    if (!(error instanceof UpstreamError) || !isTrouble(error)) {
      close()
      return
    }
    // Calls that were under way when it opened add nothing to what is known.
    if (open !== null && triedAtSeconds === null) return
    failures += 1
    // Anything else, such as a 503, shows that it answers at once: what takes longer is a query that is slow by itself.
    if (error.kind === 'timeout') calls.raise()
    const restSeconds = Math.min(error.retryAfterSeconds ?? 0, LONGEST_REST_SECONDS)
    if (failures < FAILURES_TO_OPEN && restSeconds === 0) return
    const now = nowSeconds()
    // A try that hangs is a part of the pause: what came back meanwhile would be left alone for both of them.
    const pauseEndsAtSeconds = (triedAtSeconds ?? now) + pauseSeconds
    open = { cause: error, nextTryAtSeconds: Math.max(now + restSeconds, pauseEndsAtSeconds) }
    pauseSeconds = Math.min(pauseSeconds * GROWTH, longestPauseSeconds)
  }

  function close(): void {
    failures = 0
    pauseSeconds = firstPauseSeconds
    open = null
    calls.clear()
  }

  async function noted<T>(
    call: () => Promise<T>,
    signal: AbortSignal,
    triedAtSeconds: number | null,
    about: CallAbout,
  ): Promise<T> {
    try {
      const answer = await call()
      close()
      return answer
    } catch (error) {
      note(error, signal, triedAtSeconds, about)
      throw error
    }
  }

  function status(): BreakerStatus {
    if (open === null) return { state: 'closed', nextTryAtSeconds: null }
    return { state: probe === null ? 'open' : 'halfOpen', nextTryAtSeconds: open.nextTryAtSeconds }
  }

  function refuseWhileOpen(): void {
    if (open !== null) throw open.cause
  }

  /** Waits for what went out together with a call that took too long; not for long, as it may be slow by itself. */
  async function outOfDoubt(signal: AbortSignal): Promise<void> {
    if (open !== null || !calls.any) return
    const over = async () => {
      while (open === null && calls.any) await calls.next()
    }
    const late = new UpstreamError('timeout', 'it may hang')
    await patiently(over(), signal, late, probePatienceSeconds).catch((error: unknown) => {
      if (error !== late) throw error
    })
  }

  const onItsTurn = around(api, async (call, signal, about) => {
    const triedAtSeconds = probe !== null && signal === probe.signal ? probe.sinceSeconds : null
    if (triedAtSeconds === null) {
      await outOfDoubt(signal)
      refuseWhileOpen()
    }
    const answer = noted(() => call(signal), signal, triedAtSeconds, about)
    calls.follow(answer)
    return answer
  })
  const queued = inLine({
    ...onItsTurn,
    // Status pages are often closed off: they neither prove nor disprove that queries are answered.
    scrapeIntervalSeconds: async (signal) => {
      refuseWhileOpen()
      return api.scrapeIntervalSeconds(signal)
    },
  })

  /** Tries it with this call, which goes on when nobody waits for it any more: what comes of it is good to know. */
  function tried<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = new AbortController()
    const trial = Promise.resolve().then(() => call(signal))
    const end = () => {
      probe = null
    }
    probe = { signal, sinceSeconds: nowSeconds(), over: trial.then(end, end) }
    return trial
  }

  const guarded = around(queued, async (call, signal) => {
    for (;;) {
      if (open === null) return call(signal)
      const { cause, nextTryAtSeconds } = open
      const wait = <T>(what: Promise<T>) =>
        patiently(what, signal, refusal(cause, 'being tried again'), probePatienceSeconds)
      if (probe !== null) {
        await wait(probe.over)
        continue
      }
      const inSeconds = nextTryAtSeconds - nowSeconds()
      // Longer than any pause: the clock was set back since.
      if (inSeconds > 0 && inSeconds <= longestRestSeconds)
        throw refusal(cause, `next try in ${Math.ceil(inSeconds)} s`)
      return wait(tried(call))
    }
  })
  return {
    ...guarded,
    answered: close,
    scrapeIntervalSeconds: async (signal) => {
      refuseWhileOpen()
      return queued.scrapeIntervalSeconds(signal)
    },
    status: () => api.status().map((one) => ({ ...one, breaker: status() })),
  }
}

/** Waits for something that goes on without us, until the signal aborts or it takes too long, which rejects with `late`. */
async function patiently<T>(
  what: Promise<T>,
  signal: AbortSignal,
  late: UpstreamError,
  atMostSeconds: number,
): Promise<T> {
  const patience = new AbortController()
  const end = () => patience.abort(late)
  const timer = setTimeout(end, atMostSeconds * 1_000)
  const leave = follow(signal, patience)
  try {
    return await abortable(what, patience.signal)
  } finally {
    clearTimeout(timer)
    leave()
  }
}

function refusal(cause: UpstreamError, outlook: string): UpstreamError {
  return new UpstreamError(cause.kind, `${cause.message}; ${outlook}`, cause)
}
