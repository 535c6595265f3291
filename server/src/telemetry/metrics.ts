import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  /** How long a cluster took to answer one query, by how it ended. */
  upstreamSeconds(cluster: string, outcome: string, seconds: number): void
  /** How long a request took to answer. `route` is a pattern from a closed set, never a path with names in it. */
  httpSeconds(route: string, status: number, seconds: number): void
  /** Told once: where the age of each cluster's data is read when metrics are scraped; null = no data yet. */
  watchSnapshotAges(ages: () => Readonly<Record<string, number | null>>): void
}

const SECONDS_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Metrics of this process on a registry of their own, so that two servers in one test do not clash. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const upstream = new Histogram({
    name: 'goldseam_upstream_seconds',
    help: 'Time one query to a cluster took, by outcome',
    labelNames: ['cluster', 'outcome'] as const,
    buckets: SECONDS_BUCKETS,
    registers,
  })
  const http = new Histogram({
    name: 'goldseam_http_request_seconds',
    help: 'Time a request took to answer',
    labelNames: ['route', 'status'] as const,
    buckets: SECONDS_BUCKETS,
    registers,
  })
  return {
    registry,
    upstreamSeconds: (cluster, outcome, seconds) => upstream.observe({ cluster, outcome }, seconds),
    httpSeconds: (route, status, seconds) => http.observe({ route, status: `${Math.floor(status / 100)}xx` }, seconds),
    watchSnapshotAges(ages) {
      new Gauge({
        name: 'goldseam_snapshot_age_seconds',
        help: 'Age of the newest data held of a cluster; absent while there is none',
        labelNames: ['cluster'] as const,
        registers,
        collect() {
          this.reset()
          for (const [cluster, seconds] of Object.entries(ages())) if (seconds !== null) this.set({ cluster }, seconds)
        },
      })
    },
  }
}
