import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createConnection, type Socket } from 'node:net'
import type { Connection, Headers, HopReply, HopRequest, Listener, Pool, Transport } from './transport.ts'

const HOST = '127.0.0.1'
/** More than the requests that ever wait at once, so that an overload does not also cost a connection per request. */
const MAX_IDLE_CONNECTIONS = 512
const LISTEN_BACKLOG = 1024

/** The real thing: HTTP over loopback, one server per listener. */
export const loopback: Transport = {
  nowMs: () => performance.now(),
  after(delayMs, run) {
    // Node cuts delays to whole ms: rounding keeps work from ending early on average.
    const timer = setTimeout(run, Math.max(0, Math.round(delayMs)))
    return () => clearTimeout(timer)
  },
  listen: async (handler): Promise<Listener> => {
    // A server that closed idle connections first would race with requests that reuse them.
    const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }, (incoming, reply) => {
      incoming.resume()
      handler(
        { path: incoming.url ?? '/', headers: plainHeaders(incoming), connection: incoming.socket },
        wrapReply(reply),
      )
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, HOST, LISTEN_BACKLOG, resolve)
    })
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('A loopback server has no port')
    const close = () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    return { port: address.port, close }
  },
  pool: (onConnection = () => {}) => new ObservedAgent(onConnection),
  send,
}

class ObservedAgent extends Agent implements Pool {
  readonly isPool = true
  private readonly onConnection: (connection: Connection) => void

  constructor(onConnection: (connection: Connection) => void) {
    super({ keepAlive: true, maxFreeSockets: MAX_IDLE_CONNECTIONS })
    this.onConnection = onConnection
  }

  createConnection(options: { port: number }): Socket {
    const socket = createConnection({ host: HOST, noDelay: true, port: options.port })
    this.onConnection(socket)
    return socket
  }
}

function send({ pool, port, path, headers, onResponse, onFailure }: HopRequest): () => void {
  if (!(pool instanceof ObservedAgent)) throw new Error('A pool of another transport')
  let settled = false
  const outgoing = request({ host: HOST, port, agent: pool, path, headers })
  const fail = () => {
    if (settled) return
    settled = true
    onFailure()
  }
  outgoing.on('error', fail)
  outgoing.on('response', (incoming) => {
    const firstByteAtMs = performance.now()
    let body = ''
    incoming.setEncoding('utf8')
    incoming.on('data', (chunk: string) => {
      body += chunk
    })
    incoming.on('error', fail)
    incoming.on('end', () => {
      if (settled) return
      settled = true
      const contentType = incoming.headers['content-type'] ?? ''
      onResponse({ status: incoming.statusCode ?? 502, contentType, body, firstByteAtMs })
    })
  })
  outgoing.end()
  return () => {
    if (settled) return
    settled = true
    outgoing.destroy()
  }
}

function plainHeaders(incoming: IncomingMessage): Headers {
  const headers: Record<string, string> = {}
  for (const name in incoming.headers) {
    const value = incoming.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  return headers
}

function wrapReply(reply: ServerResponse): HopReply {
  return {
    answer(status, body, contentType = 'text/plain') {
      if (reply.destroyed) return
      reply.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) })
      reply.end(body)
    },
    onAbandoned(abandoned) {
      reply.on('close', () => {
        if (!reply.writableFinished) abandoned()
      })
    },
  }
}
