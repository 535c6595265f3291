import { createServer } from 'node:http'
import { listening } from '../support/fake-prometheus.ts'
import { BOUNDS } from './world.ts'

export interface Page {
  /** Lines of `scrape_configs:` that read it. */
  readonly scrapes: string
  close(): void
}

/**
 * A metrics page as Linkerd's proxy writes it (`le="1"`), with counters that grow with the clock. What a Prometheus
 * makes of `le` shows only where it scrapes: remote write stores what it is given.
 */
export async function startPage(): Promise<Page> {
  const startedMs = Date.now() - 600_000
  const server = createServer((_request, response) => {
    const seconds = (Date.now() - startedMs) / 1_000
    const labels = 'direction="inbound",namespace="scraped",deployment="page",pod="page-0",target_port="8080"'
    const lines = [
      '# TYPE response_total counter',
      `response_total{${labels},classification="success"} ${seconds * 70}`,
    ]
    lines.push('# TYPE response_latency_ms histogram')
    let cumulative = 0
    const bounds = [...BOUNDS, '+Inf']
    bounds.forEach((bound, index) => {
      cumulative += Math.floor(seconds * (1 + ((index * 7) % 5)))
      lines.push(`response_latency_ms_bucket{${labels},le="${bound}"} ${cumulative}`)
    })
    lines.push(`response_latency_ms_sum{${labels}} ${Math.floor(seconds * 4_321)}`)
    lines.push(`response_latency_ms_count{${labels}} ${cumulative}`)
    response.setHeader('content-type', 'text/plain; version=0.0.4')
    response.end(`${lines.join('\n')}\n`)
  })
  const port = await listening(server)
  return {
    scrapes: `  - { job_name: page, static_configs: [{ targets: ['127.0.0.1:${port}'] }] }`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
