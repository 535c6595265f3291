import type { PrometheusApi } from './api.ts'
import { UpstreamError } from './upstream-error.ts'

const RANK = { ok: 0, untried: 1, failing: 2 } as const
const BREAKER_RANK = { closed: 0, halfOpen: 3, open: 6 } as const

/** How long a failing replica whose breaker is closed is left alone before it is asked whether it is back. */
const PROBE_AFTER_SECONDS = 30

/**
 * Replicas that hold the same data: asked in order of health until one answers, those whose breaker is open last (they
 * refuse at once); never added up. Among equals the one that answered last goes on: whoever is back has shown no more than
 * that it answers something trivial, and a Prometheus that was just restarted has no rates yet. A query that one of
 * them rejects is not tried elsewhere, since the others would reject it too.
 */
export function withFailover(replicas: readonly PrometheusApi[], nowSeconds: () => number): PrometheusApi {
  const lastTriedSeconds = new Map<PrometheusApi, number>()
  let inUse = replicas[0]

  async function first<T>(call: (api: PrometheusApi) => Promise<T>, signal: AbortSignal): Promise<T> {
    const failures: UpstreamError[] = []
    const order = replicas.toSorted((a, b) => rank(a) - rank(b) || Number(b === inUse) - Number(a === inUse))
    for (const api of order) {
      lastTriedSeconds.set(api, nowSeconds())
      try {
        const answer = await call(api)
        inUse = api
        probeOthers(order)
        return answer
      } catch (error) {
        if (!(error instanceof UpstreamError) || !worthAnotherTry(error, signal)) throw error
        failures.push(error)
      }
    }
    throw together(failures)
  }

  /** Without this a replica that came back would be shown as failing until the one in use fails. */
  function probeOthers(order: readonly PrometheusApi[]): void {
    for (const api of order) {
      if (rank(api) < RANK.failing || nowSeconds() < probeAtSeconds(api)) continue
      lastTriedSeconds.set(api, nowSeconds())
      // Its outcome is noted by the replica's own telemetry; nobody waits for it.
      api.query('vector(1)', nowSeconds(), new AbortController().signal, 'is it back').catch(() => undefined)
    }
  }

  function probeAtSeconds(api: PrometheusApi): number {
    const [status] = api.status()
    return status?.breaker.nextTryAtSeconds ?? (lastTriedSeconds.get(api) ?? 0) + PROBE_AFTER_SECONDS
  }

  return {
    query: (promql, atSeconds, signal, question) =>
      first((api) => api.query(promql, atSeconds, signal, question), signal),
    queryRange: (promql, range, signal, question) =>
      first((api) => api.queryRange(promql, range, signal, question), signal),
    labelValues: (label, match, range, signal) => first((api) => api.labelValues(label, match, range, signal), signal),
    forward: (question, signal) => first((api) => api.forward(question, signal), signal),
    scrapeIntervalSeconds: (signal) => first((api) => api.scrapeIntervalSeconds(signal), signal),
    status: () => replicas.flatMap((api) => api.status()),
  }
}

function rank(api: PrometheusApi): number {
  return Math.min(...api.status().map(({ state, breaker }) => RANK[state] + BREAKER_RANK[breaker.state]))
}

function worthAnotherTry(error: UpstreamError, signal: AbortSignal): boolean {
  return !signal.aborted && error.kind !== 'rejected' && error.kind !== 'tooLarge' && error.kind !== 'aborted'
}

/** The most telling failure stands for all; what the others said is added. */
function together(failures: readonly UpstreamError[]): UpstreamError {
  const [first, ...others] = failures
  if (first === undefined) return new UpstreamError('unreachable', 'no endpoint is configured')
  if (others.length === 0) return first
  const words = [first, ...others].map(({ message }) => message)
  return new UpstreamError(
    first.kind,
    `all ${failures.length} endpoints failed: ${[...new Set(words)].join(' | ')}`,
    first,
  )
}
