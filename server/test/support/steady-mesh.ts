import { createServer } from 'node:http'
import { listening } from './fake-prometheus.ts'

const BOUNDS_MS = [1, 5, 10, 50, 100, 500, 1_000, 5_000]

/**
 * A page of a small mesh's counters, for a real Prometheus to scrape: each workload at a pace of its own, ever on. With
 * `swing` the share of slow answers goes up and down, faster than requests come in: buckets then are reset now and then.
 */
export async function startSteadyMesh(
  workloads: readonly string[],
  swing = 0.1,
): Promise<{ port: number; close(): Promise<void> }> {
  const beganMs = Date.now()
  const server = createServer((_, response) => {
    const seconds = (Date.now() - beganMs) / 1_000
    const lines = workloads.flatMap((name, index) => {
      const labels = `direction="inbound",namespace="shop",deployment="${name}",pod="${name}-1"`
      const requests = Math.round(1_000 + (20 + 7 * index) * seconds)
      // A share that moves, so that percentiles of different instants differ.
      const slow = Math.round(requests * (0.2 + swing * Math.sin(seconds / 3)))
      const below = (bound: number) => (bound < 10 ? 0 : bound < 100 ? requests - slow : requests)
      return [
        `request_total{${labels}} ${requests}`,
        `response_total{${labels},classification="success"} ${requests}`,
        ...BOUNDS_MS.map((bound) => `response_latency_ms_bucket{${labels},le="${bound}"} ${below(bound)}`),
        `response_latency_ms_bucket{${labels},le="+Inf"} ${requests}`,
        `response_latency_ms_sum{${labels}} ${requests * 12}`,
        `response_latency_ms_count{${labels}} ${requests}`,
      ]
    })
    response.setHeader('content-type', 'text/plain; version=0.0.4')
    response.end(`${lines.join('\n')}\n`)
  })
  const port = await listening(server)
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
