import { Agent, createServer, request, type Server } from 'node:http'
import { listening } from '../support/fake-prometheus.ts'

/** What the load generator itself counted of one kind of request. */
export interface Counted {
  requests: number
  failures: number
  /** Of the failures, those that the proxy says it turned away. */
  overloaded: number
  readonly tookMs: number[]
}

export interface App {
  readonly port: number
  /** Requests that it answered, by path. */
  readonly answered: Map<string, number>
  readonly failed: Map<string, number>
  close(): void
}

/** A real HTTP server; `answer` gives the status, however long it takes. */
export async function startApp(answer: (path: string, id: string) => Promise<number>): Promise<App> {
  const [answered, failed] = [new Map<string, number>(), new Map<string, number>()]
  const server: Server = createServer(async (asked, reply) => {
    const path = asked.url ?? '/'
    const status = await answer(path, String(asked.headers['x-id'] ?? ''))
    // Whoever gave up is not answered.
    if (reply.destroyed || asked.socket.destroyed) return
    answered.set(path, (answered.get(path) ?? 0) + 1)
    if (status >= 500) failed.set(path, (failed.get(path) ?? 0) + 1)
    reply.writeHead(status).end('done')
  })
  server.keepAliveTimeout = 60_000
  const port = await listening(server)
  return {
    port,
    answered,
    failed,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const agent = new Agent({ keepAlive: true })
let ids = 0

/** One request; resolves with its status and with what the proxy says of itself. */
export function ask(port: number, path: string): Promise<{ status: number; overloaded: boolean }> {
  ids += 1
  const headers = { 'x-id': `${ids}` }
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      response.resume()
      const overloaded = response.headers['x-envoy-overloaded'] !== undefined
      response.on('end', () => resolve({ status: response.statusCode ?? 0, overloaded }))
    })
      .on('error', reject)
      .end()
  })
}

/** Sends `requests` of a kind, so many at once, and counts what comes of them. */
export async function load(port: number, path: string, requests: number, atOnce: number): Promise<Counted> {
  const counted: Counted = { requests: 0, failures: 0, overloaded: 0, tookMs: [] }
  const user = async () => {
    while (counted.requests < requests) {
      counted.requests += 1
      const began = performance.now()
      const { status, overloaded } = await ask(port, path)
      counted.tookMs.push(performance.now() - began)
      if (status >= 500) counted.failures += 1
      if (overloaded) counted.overloaded += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, user))
  return counted
}
