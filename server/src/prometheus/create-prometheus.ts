import { setTimeout as sleep } from 'node:timers/promises'
import type { PrometheusApi } from './api.ts'
import { createHttpApi, type HttpEndpoint } from './http-api.ts'
import { withBreaker } from './with-breaker.ts'
import { withFailover } from './with-failover.ts'
import { withLimit } from './with-limit.ts'
import { withRetry } from './with-retry.ts'
import { withSizePause } from './with-size-pause.ts'
import { type TelemetryDeps, withTelemetry } from './with-telemetry.ts'
import { withTimeout } from './with-timeout.ts'

/** Prometheus runs 20 queries at once by default; Goldseam is not its only client. */
const CALLS_AT_ONCE = 4
const USUAL_REFRESH_SECONDS = 10

export interface PrometheusDeps {
  /** Unix seconds. */
  readonly nowSeconds: () => number
  /** Told how each call to an endpoint of `cluster` ended, and after how many seconds. */
  readonly observe: (cluster: string, ...outcome: Parameters<TelemetryDeps['observe']>) => void
  /** How often the cluster is asked: a dead endpoint is left alone for no longer than until the next but one time. */
  readonly refreshSeconds?: number
}

/** One cluster behind the port. `close` drops the connections; calls that still run reject. */
export type ClusterPrometheus = PrometheusApi & { close(): Promise<void> }

/** Stacks the behaviours, innermost first. */
export function createPrometheus(
  cluster: { readonly name: string; readonly endpoints: readonly HttpEndpoint[] },
  { nowSeconds, observe, refreshSeconds = USUAL_REFRESH_SECONDS }: PrometheusDeps,
): ClusterPrometheus {
  const pauses = {
    nowSeconds,
    firstPauseSeconds: refreshSeconds * 0.75,
    // A little less than two refreshes, so that the next but one finds the pause over.
    longestPauseSeconds: refreshSeconds * 1.5,
  }
  const http = cluster.endpoints.map((endpoint) => ({ endpoint, api: createHttpApi(endpoint) }))
  const replicas = http.map(({ endpoint, api }) => {
    const retried = withRetry(api, {
      withinSeconds: endpoint.timeoutSeconds,
      monotonicSeconds: () => performance.now() / 1_000,
      random: Math.random,
      wait: (seconds, signal) => sleep(seconds * 1_000, undefined, { signal }),
    })
    const limited = withTimeout(retried, endpoint.timeoutSeconds)
    const measured = withTelemetry(limited, { nowSeconds, observe: (...outcome) => observe(cluster.name, ...outcome) })
    // A call waits in line before its time starts to run, so that a busy Goldseam does not read as a slow Prometheus.
    const queued = withLimit(measured, endpoint.concurrency ?? CALLS_AT_ONCE)
    // Outside the line: who is refused does not wait in it.
    return withSizePause(withBreaker(queued, pauses), pauses)
  })
  const api = replicas.length === 1 && replicas[0] !== undefined ? replicas[0] : withFailover(replicas, nowSeconds)
  return { ...api, close: async () => void (await Promise.all(http.map((one) => one.api.close()))) }
}
