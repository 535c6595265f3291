import type { PrometheusApi } from './api.ts'
import { createHttpApi, type HttpEndpoint } from './http-api.ts'
import { withFailover } from './with-failover.ts'
import { withLimit } from './with-limit.ts'
import { type TelemetryDeps, withTelemetry } from './with-telemetry.ts'
import { withTimeout } from './with-timeout.ts'

/** Prometheus runs 20 queries at once by default; Goldseam is not its only client. */
const CALLS_AT_ONCE = 4

export interface PrometheusDeps {
  /** Unix seconds. */
  readonly nowSeconds: () => number
  /** Told how each call to an endpoint of `cluster` ended, and after how many seconds. */
  readonly observe: (cluster: string, ...outcome: Parameters<TelemetryDeps['observe']>) => void
}

/** One cluster behind the port. `close` drops the connections; calls that still run reject. */
export type ClusterPrometheus = PrometheusApi & { close(): Promise<void> }

/**
 * Stacks the behaviours. A call waits in line before its time starts to run, so that a busy Goldseam does not read
 * as a slow Prometheus.
 */
export function createPrometheus(
  cluster: { readonly name: string; readonly endpoints: readonly HttpEndpoint[] },
  { nowSeconds, observe }: PrometheusDeps,
): ClusterPrometheus {
  const http = cluster.endpoints.map((endpoint) => createHttpApi(endpoint))
  const replicas = http.map((api, index) => {
    const limited = withTimeout(api, cluster.endpoints[index]?.timeoutSeconds ?? 0)
    const measured = withTelemetry(limited, { nowSeconds, observe: (...outcome) => observe(cluster.name, ...outcome) })
    return withLimit(measured, CALLS_AT_ONCE)
  })
  const api = replicas.length === 1 && replicas[0] !== undefined ? replicas[0] : withFailover(replicas, nowSeconds)
  return { ...api, close: async () => void (await Promise.all(http.map((one) => one.close()))) }
}
