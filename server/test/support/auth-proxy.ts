import { createServer, type IncomingMessage, request } from 'node:http'
import { type Asked, listening } from './fake-prometheus.ts'

export interface AuthProxy {
  readonly url: string
  /** What was let through. */
  readonly asked: readonly Pick<Asked, 'path' | 'fields'>[]
  close(): Promise<void>
}

/** Hands requests below `/metrics-api` on to `target` if they carry the bearer token; others get a 401 of its own. */
export async function startAuthProxy(target: string, token: string): Promise<AuthProxy> {
  const asked: Pick<Asked, 'path' | 'fields'>[] = []
  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://proxy')
    const path = url.pathname.replace(/^\/metrics-api/, '')
    if (incoming.headers.authorization !== `Bearer ${token}` || path === url.pathname) {
      response.writeHead(401, { 'content-type': 'text/html' }).end('<h1>sign in</h1>')
      return
    }
    const body = await textOf(incoming)
    asked.push({ path, fields: new URLSearchParams([...url.searchParams, ...new URLSearchParams(body)]) })
    const { host: _, authorization: __, ...headers } = incoming.headers
    const outgoing = request(`${target}${path}${url.search}`, { method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => {
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' })
      response.end('bad gateway')
    })
    response.on('close', () => outgoing.destroy())
    outgoing.end(body)
  })
  return {
    url: `http://127.0.0.1:${await listening(server)}/metrics-api`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of incoming) text += chunk
  return text
}
