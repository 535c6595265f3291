import type { IncomingHttpHeaders } from 'node:http'

/** Every answer of a VictoriaMetrics names the machine it runs on; no other server of this API does. */
const MARK = 'x-server-hostname'

/**
 * What makes a VictoriaMetrics answer for the very instants it is asked for. Without them it answers for 30 s ago where
 * the present is asked (`-search.latencyOffset`), writing the present beside it; copies the value of 30 s ago over the
 * newest steps of a range; and moves both ends of a range of 50 steps or more to multiples of the step, for its cache.
 * It takes no offset of 0.
 */
const OF_THE_INSTANT: readonly [string, string][] = [
  ['nocache', '1'],
  ['latency_offset', '1ms'],
]

/** Whether an answer with these headers came from a VictoriaMetrics. */
export function isVictoriaMetrics(headers: IncomingHttpHeaders): boolean {
  return headers[MARK] !== undefined
}

/** The fields of a question about samples, with what else a VictoriaMetrics has to be told. */
export function victoriaMetricsParams(form: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...form, ...OF_THE_INSTANT])
}

/**
 * A clustered one answers with what it has while some of its storage nodes are silent, and says so in a field of its own
 * (docs.victoriametrics.com, "Cluster availability"); unless it runs with `-search.denyPartialResponse`.
 */
export function partialWarnings(isPartial: unknown): string[] {
  return isPartial === true ? ['partial response: some storage nodes of VictoriaMetrics did not answer'] : []
}

/**
 * Its errors carry the status code where Prometheus has a word, and it has one code for all that is wrong with a query.
 * Null where it is no such type.
 */
export function wordedErrorType(errorType: string, error: string): 'timeout' | 'bad_data' | 'execution' | null {
  if (!/^\d{3}$/.test(errorType)) return null
  if (/\btimeout exceeded\b/.test(error)) return 'timeout'
  if (errorType === '400') return 'bad_data'
  return errorType === '422' ? 'execution' : null
}
