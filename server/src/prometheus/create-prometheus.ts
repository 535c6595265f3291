import { setTimeout as sleep } from 'node:timers/promises'
import type { PrometheusApi } from './api.ts'
import { createHttpApi, type HttpEndpoint } from './http-api.ts'
import { type TestEndpoints, testEndpoints } from './test-endpoints.ts'
import { type GuardedPrometheus, withBreaker } from './with-breaker.ts'
import { withFailover } from './with-failover.ts'
import { createLine, type Line, withLimit } from './with-limit.ts'
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
  /** Shared by all clusters: how many calls run at once; unset: no limit beyond each endpoint's own. */
  readonly places?: Line
}

/** The port, and each of its endpoints asked on purpose. */
export type TestedPrometheus = PrometheusApi & { readonly test: TestEndpoints }

/** One cluster behind the port. `close` drops the connections; calls that still run reject. */
export type ClusterPrometheus = TestedPrometheus & { close(): Promise<void> }

export function createPrometheus(
  { name, endpoints }: { readonly name: string; readonly endpoints: readonly HttpEndpoint[] },
  deps: PrometheusDeps,
): ClusterPrometheus {
  const http = endpoints.map((endpoint) => ({ endpoint, api: createHttpApi(endpoint), line: null }))
  return { ...stacked(name, http, deps), close: () => closed(http) }
}

/** Endpoints that hold many clusters. What is opened, and the places at each, is shared; how they fare is not. */
export interface SharedPrometheus {
  /** The endpoints as `cluster` meets them: what hangs or fails for another one does not count for it. */
  forCluster(cluster: string): TestedPrometheus
  close(): Promise<void>
}

/** Past this a question hangs, as far as the other clusters are concerned: well within a snapshot's soft deadline. */
const HOLDS_SECONDS = 1

export function createSharedPrometheus(endpoints: readonly HttpEndpoint[], deps: PrometheusDeps): SharedPrometheus {
  const http = endpoints.map((endpoint) => ({
    endpoint,
    api: createHttpApi(endpoint),
    line: createLine(endpoint.concurrency ?? CALLS_AT_ONCE),
  }))
  return { forCluster: (cluster) => stacked(cluster, http, deps), close: () => closed(http) }
}

interface Reached {
  readonly endpoint: HttpEndpoint
  readonly api: ReturnType<typeof createHttpApi>
  /** Null: nobody shares it. */
  readonly line: Line | null
}

const monotonicSeconds = () => performance.now() / 1_000
const pause = (seconds: number, signal: AbortSignal) => sleep(seconds * 1_000, undefined, { signal })

/** Stacks the behaviours, innermost first. */
function stacked(
  cluster: string,
  endpoints: readonly Reached[],
  { nowSeconds, observe, refreshSeconds = USUAL_REFRESH_SECONDS, places }: PrometheusDeps,
): TestedPrometheus {
  const pauses = {
    nowSeconds,
    firstPauseSeconds: refreshSeconds * 0.75,
    // A little less than two refreshes, so that the next but one finds the pause over.
    longestPauseSeconds: refreshSeconds * 1.5,
  }
  const replicas = endpoints.map(({ endpoint, api, line }) => {
    const retried = withRetry(api, {
      withinSeconds: endpoint.timeoutSeconds,
      monotonicSeconds,
      random: Math.random,
      wait: pause,
      isInUse: () => guarded.status().every(({ breaker }) => breaker.state === 'closed'),
    })
    const limited = withTimeout(retried, endpoint.timeoutSeconds, endpoint.timeoutSetting)
    const measured = withTelemetry(limited, { nowSeconds, observe: (...outcome) => observe(cluster, ...outcome) })
    // A call waits in line before its time starts to run, so that a busy Goldseam does not read as a slow Prometheus.
    const inLine = (sent: PrometheusApi) => {
      // The place among all clusters is taken last, so that nobody holds one while waiting for another.
      const placed = places === undefined ? sent : withLimit(sent, places, HOLDS_SECONDS)
      const shared = line === null ? placed : withLimit(placed, line, HOLDS_SECONDS)
      // A line of its own: what hangs for this cluster may give up its place in the others, but not in this one.
      return withLimit(shared, endpoint.concurrency ?? CALLS_AT_ONCE)
    }
    // One a cluster, so that a store that hangs closes nobody off.
    const guarded: GuardedPrometheus = withBreaker(measured, pauses, inLine)
    return { api: withSizePause(guarded, pauses), measured, guarded }
  })
  const [only] = replicas
  const timeoutSeconds = Math.min(...endpoints.map(({ endpoint }) => endpoint.timeoutSeconds))
  const whole =
    replicas.length === 1 && only !== undefined
      ? only.api
      : withFailover(replicas, { nowSeconds, monotonicSeconds, wait: pause, timeoutSeconds })
  return { ...whole, test: testEndpoints(replicas, nowSeconds) }
}

async function closed(endpoints: readonly Reached[]): Promise<void> {
  await Promise.all(endpoints.map(({ api }) => api.close()))
}
