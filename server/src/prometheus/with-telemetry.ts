import type { EndpointStatus, PrometheusApi } from './api.ts'
import { around } from './around.ts'
import { isClosedOff } from './closed-off.ts'
import { createLoad } from './load.ts'
import { createRequestLog } from './request-log.ts'
import { UpstreamError, type UpstreamErrorKind } from './upstream-error.ts'

/** Enough for a steady 95th percentile, few enough to follow a change within minutes. */
const REMEMBERED_CALLS = 200

export interface TelemetryDeps {
  /** Unix seconds. */
  readonly nowSeconds: () => number
  readonly observe: (outcome: 'ok' | UpstreamErrorKind, seconds: number) => void
}

/** Measures every call, keeps a record of the last ones, and remembers how the endpoint fares. A caller who left says nothing about the endpoint. */
export function withTelemetry(api: PrometheusApi, { nowSeconds, observe }: TelemetryDeps): PrometheusApi {
  const tookSeconds: number[] = []
  const load = createLoad()
  const log = createRequestLog()
  let state: EndpointStatus['state'] = 'untried'
  let reason: string | null = null
  let lastAnswerAtSeconds: number | null = null

  const measured = around(api, async (call, signal, about) => {
    const started = performance.now()
    const seconds = () => (performance.now() - started) / 1_000
    // What is waited for on the way, in line, or for us to read it costs the server nothing.
    let evalSeconds: number | undefined
    try {
      const answer = await call(signal)
      const told = answer as { evalSeconds?: number; bytes?: number }
      evalSeconds = told.evalSeconds ?? seconds()
      remember(seconds())
      state = 'ok'
      reason = null
      lastAnswerAtSeconds = nowSeconds()
      observe('ok', seconds())
      log.note({ ...about, ...ended('ok', seconds()), bytes: told.bytes ?? null, detail: null })
      return { ...answer, evalSeconds }
    } catch (error) {
      const kind = signal.aborted ? 'aborted' : error instanceof UpstreamError ? error.kind : 'malformed'
      observe(kind, seconds())
      const detail = error instanceof Error ? error.message : String(error)
      log.note({ ...about, ...ended(kind, seconds()), bytes: null, detail })
      if (kind !== 'aborted' && !isClosedOff(error, about)) {
        // It did answer a query it refuses: that is the query's fault.
        state = kind === 'rejected' ? 'ok' : 'failing'
        reason = kind === 'rejected' ? null : detail
        if (kind === 'rejected') lastAnswerAtSeconds = nowSeconds()
      }
      throw error
    } finally {
      load.spent(evalSeconds ?? seconds(), nowSeconds())
    }
  })

  const ended = (outcome: 'ok' | UpstreamErrorKind, seconds: number) => ({ atSeconds: nowSeconds(), outcome, seconds })

  function remember(seconds: number): void {
    tookSeconds.push(seconds)
    if (tookSeconds.length > REMEMBERED_CALLS) tookSeconds.shift()
  }

  return {
    ...measured,
    // Status pages are often closed off or missing: they say nothing about whether queries are answered.
    scrapeIntervalSeconds: (signal) => api.scrapeIntervalSeconds(signal),
    status: () =>
      api.status().map((status) => ({
        ...status,
        state,
        reason,
        lastAnswerAtSeconds,
        querySecondsP95: p95(tookSeconds),
        querySecondsPerSecond: load.perSecond(nowSeconds()),
        querySecondsTotal: load.total(),
        log,
      })),
  }
}

function p95(seconds: readonly number[]): number | null {
  // Of numbers in one piece sorting is by value, and takes no function.
  return Float64Array.from(seconds).sort()[Math.ceil(seconds.length * 0.95) - 1] ?? null
}
