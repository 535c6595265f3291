/**
 * What says that some of the data could not be had from where it lies: a store of a Thanos (it has no codes for it, only
 * texts: pkg/store/proxy.go, pkg/query/endpointset.go), storage nodes of a VictoriaMetrics (`partialWarnings`), or what
 * a Prometheus reads from. Without partial responses the same texts come as the reason of a refusal.
 */
const MISSING = [/\bAddr: \S/, /no store ?apis? (matched|available)/i, /^partial response: /, /\bexpanding series: /]

/** Wherever it is asked, as much lies there. */
const LIMITS = /ResourceExhausted|\blimit \d+ (violated|exceeded)/

/** Whether a warning or a refusal is about data that another replica may well reach. */
export function tellsOfMissingPart(text: string): boolean {
  return MISSING.some((pattern) => pattern.test(text)) && !LIMITS.test(text)
}
