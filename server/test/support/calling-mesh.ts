import { createServer } from 'node:http'
import { listening } from './fake-prometheus.ts'

const BOUNDS_MS = [1, 5, 10, 50, 100, 500, 1_000, 5_000]
const REQUESTS_PER_SECOND = 200
const CALM_MS = 20

export interface CallingMesh {
  readonly port: number
  /** From now on each request takes so much longer, for the caller and for its callee. */
  slow(milliseconds: number): void
  close(): Promise<void>
}

/** The counters of `web`, which calls `cart` once for each request it gets: for a real Prometheus to scrape. */
export async function startCallingMesh(): Promise<CallingMesh> {
  const beganMs = Date.now()
  let slowFrom: { readonly requests: number; readonly addedMs: number } | null = null
  const requestsNow = () => Math.round(1_000 + (REQUESTS_PER_SECOND * (Date.now() - beganMs)) / 1_000)
  const server = createServer((_, response) => {
    const requests = requestsNow()
    const lines = [
      ...['web', 'cart'].flatMap((name, index) => {
        const labels = `direction="inbound",namespace="shop",deployment="${name}",pod="${name}-1"`
        return [`request_total{${labels}} ${requests}`, ...series(labels, requests, CALM_MS / (index + 1), slowFrom)]
      }),
      ...series(
        'direction="outbound",namespace="shop",deployment="web",pod="web-1",dst_namespace="shop",dst_deployment="cart",dst_service="cart"',
        requests,
        CALM_MS / 2,
        slowFrom,
      ),
    ]
    response.setHeader('content-type', 'text/plain; version=0.0.4')
    response.end(`${lines.join('\n')}\n`)
  })
  const port = await listening(server)
  return {
    port,
    slow(milliseconds) {
      slowFrom = { requests: requestsNow(), addedMs: milliseconds }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function series(
  labels: string,
  requests: number,
  calmMs: number,
  slowFrom: { readonly requests: number; readonly addedMs: number } | null,
): string[] {
  const slow = slowFrom === null ? 0 : requests - slowFrom.requests
  const slowMs = calmMs + (slowFrom?.addedMs ?? 0)
  const below = (bound: number) => (bound >= calmMs ? requests - slow : 0) + (bound >= slowMs ? slow : 0)
  return [
    `response_total{${labels},classification="success"} ${requests}`,
    ...BOUNDS_MS.map((bound) => `response_latency_ms_bucket{${labels},le="${bound}"} ${below(bound)}`),
    `response_latency_ms_bucket{${labels},le="+Inf"} ${requests}`,
    `response_latency_ms_sum{${labels}} ${requests * calmMs + slow * (slowFrom?.addedMs ?? 0)}`,
    `response_latency_ms_count{${labels}} ${requests}`,
  ]
}
