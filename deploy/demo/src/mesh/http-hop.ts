import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type RequestListener,
  request,
  type Server,
} from 'node:http'
import { createConnection, type Socket } from 'node:net'

const LOOPBACK = '127.0.0.1'
/** More than the requests that ever wait at once, so that an overload does not also cost a connection per request. */
const MAX_IDLE_CONNECTIONS = 512

/** A server on an ephemeral loopback port. It never closes an idle connection first: that would race with a reused one. */
export async function listenOnLoopback(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }, listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, LOOPBACK, 1024, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A loopback server has no port')
  return { server, port: address.port }
}

/** Keeps connections open between requests and shows every new one to a listener. */
class ObservedAgent extends Agent {
  private readonly onConnection: (socket: Socket) => void

  constructor(onConnection: (socket: Socket) => void) {
    super({ keepAlive: true, maxFreeSockets: MAX_IDLE_CONNECTIONS })
    this.onConnection = onConnection
  }

  createConnection(options: { port: number }): Socket {
    const socket = createConnection({ host: LOOPBACK, noDelay: true, port: options.port })
    this.onConnection(socket)
    return socket
  }
}

export function createKeepAliveAgent(onConnection: (socket: Socket) => void = () => {}): Agent {
  return new ObservedAgent(onConnection)
}

export interface HopRequest {
  readonly agent: Agent
  readonly port: number
  readonly method: string
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  readonly body: NodeJS.ReadableStream | undefined
  /** `firstByteAt` as performance.now() counts. */
  onResponse(response: { status: number; headers: IncomingHttpHeaders; body: Buffer; firstByteAt: number }): void
  onFailure(): void
}

/** One HTTP request to a loopback port. Returns what cancels it (closing the connection); a cancelled one calls back no more. */
export function sendOnHop(hop: HopRequest): () => void {
  let settled = false
  const outgoing = request({
    host: LOOPBACK,
    port: hop.port,
    agent: hop.agent,
    method: hop.method,
    path: hop.path,
    headers: hop.headers,
  })
  const fail = () => {
    if (settled) return
    settled = true
    hop.onFailure()
  }
  outgoing.on('error', fail)
  outgoing.on('response', (incoming) => {
    const firstByteAt = performance.now()
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('error', fail)
    incoming.on('end', () => {
      if (settled) return
      settled = true
      const only = chunks.length === 1 ? chunks[0] : undefined
      const body = only ?? Buffer.concat(chunks)
      hop.onResponse({ status: incoming.statusCode ?? 502, headers: incoming.headers, body, firstByteAt })
    })
  })
  if (hop.body) hop.body.pipe(outgoing)
  else outgoing.end()
  return () => {
    if (settled) return
    settled = true
    outgoing.destroy()
  }
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
