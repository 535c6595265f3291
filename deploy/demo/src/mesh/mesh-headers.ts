import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Stands for SO_ORIGINAL_DST: the simulated `ip:port` the application dialled before iptables redirected it. */
export const ORIGINAL_DST = 'x-sim-original-dst'
/** Stands for the client certificate of the mTLS connection between two proxies. */
export const CLIENT_IDENTITY = 'x-sim-client-identity'
/** Linkerd's own headers. */
export const DST_CANONICAL = 'l5d-dst-canonical'
export const TIMEOUT = 'l5d-timeout'

/** Between two proxies, or from the world to a proxy, only some headers travel; hop-by-hop ones never do. */
const DROPPED = new Set([
  ORIGINAL_DST,
  CLIENT_IDENTITY,
  DST_CANONICAL,
  TIMEOUT,
  'connection',
  'keep-alive',
  'transfer-encoding',
])

export function forwardedHeaders(incoming: IncomingHttpHeaders): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {}
  for (const name in incoming) {
    const value = incoming[name]
    if (value !== undefined && !DROPPED.has(name)) headers[name] = value
  }
  return headers
}

export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

export function bodyOf(request: IncomingMessage): IncomingMessage | undefined {
  return request.method === 'GET' || request.method === 'HEAD' ? undefined : request
}

/** Calls back when the other side closed the connection before it got its answer. */
export function onAbandoned(reply: ServerResponse, abandoned: () => void): void {
  reply.on('close', () => {
    if (!reply.writableFinished) abandoned()
  })
}

export function answer(reply: ServerResponse, status: number, body: Buffer | string, contentType = 'text/plain'): void {
  if (reply.destroyed) return
  reply.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) })
  reply.end(body)
}

/** Host without its port when it is a DNS name; undefined for an IP, which metrics never carry as a name. */
export function dnsName(host: string | undefined): string | undefined {
  if (host === undefined) return undefined
  const name = host.replace(/:\d+$/, '')
  return /^[\d.]+$/.test(name) || name.startsWith('[') ? undefined : name
}
