import { createServer } from 'node:http'
import { listening } from '../support/fake-prometheus.ts'

export const ROWS = ['near/scraped/page', 'far/scraped/page']
export const REQUESTS_PER_SECOND = 70
export const EDGE = { from: 'near/scraped/page', to: 'far/scraped/page' }

/** The counters grow with the clock, as if they had begun long before anybody scraped them. */
const COUNTING_FOR_SECONDS = 7_200
const startedAtSeconds = Date.now() / 1_000 - COUNTING_FOR_SECONDS
const BOUNDS_MS = [1, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000]
/** One of fifty takes longer. */
const QUICK = { share: 0.98, milliseconds: 15 }
const SLOW_MS = 150

export interface Sample {
  readonly name: string
  /** As they are written between braces. */
  readonly labels: string
  readonly value: number
}

/** What a page tells at an instant, unix seconds. */
export type Page = (atSeconds: number) => readonly Sample[]

/** As the proxy of `page` counts its requests, in either cluster. */
export const requests: Page = (atSeconds) =>
  counted(
    'direction="inbound",namespace="scraped",deployment="page",pod="page-0",target_port="8080"',
    REQUESTS_PER_SECOND,
    atSeconds,
  )

/** And in `near` its calls to the service `page` that is mirrored from `far`. */
export const calls: Page = (atSeconds) =>
  counted(
    'direction="outbound",namespace="scraped",deployment="page",pod="page-0",' +
      'dst_namespace="scraped",dst_service="page-far",' +
      'dst_target_cluster="far",dst_target_service="page",dst_target_service_namespace="scraped"',
    REQUESTS_PER_SECOND / 2,
    atSeconds,
  )

function counted(labels: string, perSecond: number, atSeconds: number): Sample[] {
  const all = Math.floor((atSeconds - startedAtSeconds) * perSecond)
  const quick = Math.floor(all * QUICK.share)
  const upTo = (bound: number) => (bound >= QUICK.milliseconds ? quick : 0) + (bound >= SLOW_MS ? all - quick : 0)
  return [
    { name: 'response_total', labels: `${labels},classification="success"`, value: all },
    ...[...BOUNDS_MS, Number.POSITIVE_INFINITY].map((bound) => ({
      name: 'response_latency_ms_bucket',
      labels: `${labels},le="${bound === Number.POSITIVE_INFINITY ? '+Inf' : bound}"`,
      value: upTo(bound),
    })),
    { name: 'response_latency_ms_sum', labels, value: quick * QUICK.milliseconds + (all - quick) * SLOW_MS },
    { name: 'response_latency_ms_count', labels, value: all },
  ]
}

export interface ServedPage {
  /** Where it is scraped. */
  readonly target: string
  close(): void
}

export async function servePage(pages: readonly Page[]): Promise<ServedPage> {
  const server = createServer((_request, response) => {
    const now = Date.now() / 1_000
    const samples = pages.flatMap((page) => page(now))
    response.setHeader('content-type', 'text/plain; version=0.0.4')
    response.end(samples.map(({ name, labels, value }) => `${name}{${labels}} ${value}\n`).join(''))
  })
  const port = await listening(server)
  return {
    target: `127.0.0.1:${port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
