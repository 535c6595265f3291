import { createReadStream, existsSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { wallFrame } from './wall-fleet.ts'

const DIST = fileURLToPath(new URL('../../web/dist/', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
/** As the server has it for the frame. */
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'"

export interface WallServer {
  readonly url: string
  /** Sends this to all walls from now on, and whatever else the text is. */
  show(frame: unknown): void
  close(): Promise<void>
}

/** The built wall with made-up frames instead of clusters. */
export async function startWallServer(): Promise<WallServer> {
  let current: unknown = wallFrame({ clusters: 2, workloads: 40, scene: 'quiet' })
  const walls = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://wall')
    response.setHeader('x-goldseam-build', 'fixture')
    if (pathname === '/api/v1/build') {
      response.setHeader('content-type', 'application/json')
      return response.end('{"build":"fixture"}')
    }
    if (pathname === '/api/v1/wall/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(eventOf(current))
      walls.add(response)
      return response.on('close', () => walls.delete(response))
    }
    const file = join(DIST, pathname === '/wall' ? 'wall.html' : pathname === '/wall/app' ? 'wall-app.html' : pathname)
    if (!file.startsWith(DIST) || !existsSync(file)) return response.writeHead(404).end()
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'text/plain',
      'content-security-policy': POLICY,
      'cross-origin-resource-policy': pathname.startsWith('/assets/') ? 'cross-origin' : 'same-origin',
      ...(pathname.endsWith('.woff2') ? { 'access-control-allow-origin': '*' } : {}),
    })
    return createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    show(frame) {
      current = frame
      for (const wall of walls) wall.write(eventOf(frame))
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function eventOf(frame: unknown): string {
  return `event: frame\ndata: ${JSON.stringify(frame)}\n\n`
}
