const NO_STORE = /no store ?apis? (matched|available)/i
const OF_ONE_STORE = /\bAddr: (\S+)/
const AS_A_WHOLE = /^partial response: (.+)$/

/**
 * What says that some of the data could not be had from where it lies: a store of a Thanos (it has no codes for it, only
 * texts: pkg/store/proxy.go, pkg/query/endpointset.go), storage nodes of a VictoriaMetrics (`partialWarnings`), or what
 * a Prometheus reads from. Without partial responses the same texts come as the reason of a refusal.
 */
const MISSING = [OF_ONE_STORE, NO_STORE, AS_A_WHOLE, /\bexpanding series: /]

/** Wherever it is asked, as much lies there. */
const LIMITS = /ResourceExhausted|\blimit \d+ (violated|exceeded)/

/** Whether a warning or a refusal is about data that another replica may well reach. */
export function tellsOfMissingPart(text: string): boolean {
  return MISSING.some((pattern) => pattern.test(text)) && !LIMITS.test(text)
}

/** Whether a warning says that none of a Thanos' stores has what was asked for. */
export function tellsOfNoStore(warning: string): boolean {
  return NO_STORE.test(warning)
}

/** The address of the store that a warning of Thanos is about; null where it is about none in particular. */
export function storeAddress(warning: string): string | null {
  return OF_ONE_STORE.exec(warning)?.[1] ?? null
}

/** What a warning says of the answer as a whole, as by a VictoriaMetrics (`victoria-metrics.ts`); null where it does not. */
export function missingAsAWhole(warning: string): string | null {
  return AS_A_WHOLE.exec(warning)?.[1] ?? null
}
