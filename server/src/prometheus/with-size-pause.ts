import type { PrometheusApi } from './api.ts'
import { UpstreamError } from './upstream-error.ts'

/** More different questions than a cluster is asked. */
const MOST_REMEMBERED = 200
const GROWTH = 2

export interface SizePauseOptions {
  /** Unix seconds. */
  readonly nowSeconds: () => number
  readonly firstPauseSeconds: number
  /** The pause grows no longer than this. */
  readonly longestPauseSeconds: number
}

/**
 * A question whose answer was too large will most likely have too large an answer again, at the cost of reading up to
 * the limit each time: it is left alone for a pause that grows. The other questions go on, so the breaker does not
 * open for it. The pause begins with the question: what reading took on top of it would pass over one more refresh.
 */
export function withSizePause(api: PrometheusApi, options: SizePauseOptions): PrometheusApi {
  const { nowSeconds, firstPauseSeconds, longestPauseSeconds } = options
  const pauses = new Map<string, { cause: UpstreamError; seconds: number; nextTryAtSeconds: number }>()

  async function guarded<T>(question: string, call: () => Promise<T>): Promise<T> {
    const before = pauses.get(question)
    const inSeconds = (before?.nextTryAtSeconds ?? 0) - nowSeconds()
    // More than the pause: the clock was set back since.
    if (before !== undefined && inSeconds > 0 && inSeconds <= before.seconds) {
      const message = `${before.cause.message}; next try in ${Math.ceil(inSeconds)} s`
      throw new UpstreamError('tooLarge', message, before.cause)
    }
    const askedAtSeconds = nowSeconds()
    try {
      const answer = await call()
      pauses.delete(question)
      return answer
    } catch (error) {
      if (error instanceof UpstreamError && error.kind === 'tooLarge')
        remember(question, error, askedAtSeconds, before?.seconds)
      throw error
    }
  }

  function remember(question: string, cause: UpstreamError, askedAtSeconds: number, lastSeconds?: number): void {
    const seconds = Math.min(lastSeconds === undefined ? firstPauseSeconds : lastSeconds * GROWTH, longestPauseSeconds)
    pauses.delete(question)
    pauses.set(question, { cause, seconds, nextTryAtSeconds: askedAtSeconds + seconds })
    for (const oldest of pauses.keys()) {
      if (pauses.size <= MOST_REMEMBERED) break
      pauses.delete(oldest)
    }
  }

  return {
    ...api,
    query: (promql, atSeconds, signal, question) =>
      guarded(`at ${promql}`, () => api.query(promql, atSeconds, signal, question)),
    queryRange: (promql, range, signal, question) =>
      guarded(`over ${promql}`, () => api.queryRange(promql, range, signal, question)),
    labelValues: (label, match, range, signal) =>
      guarded(`${label} ${match.join(' ')}`, () => api.labelValues(label, match, range, signal)),
  }
}
