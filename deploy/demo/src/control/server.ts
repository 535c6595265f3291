import { createServer, type Server } from 'node:http'
import { answerApi, type ControlActions } from './api.ts'
import { ASSETS } from './page.ts'

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
}

/** The control page and its API, for this machine only. */
export async function startControlServer(port: number, actions: ControlActions): Promise<Server> {
  const server = createServer((request, reply) => {
    const send = (status: number, contentType: string, body: string) => {
      reply.writeHead(status, { ...HEADERS, 'content-type': contentType })
      reply.end(body)
    }
    // A page elsewhere can point a name of its own at 127.0.0.1: only our own names may talk to us.
    if (!isOwnName(request.headers.host, request.socket.localPort)) return send(421, 'text/plain', 'Not my name.\n')
    const asset = request.method === 'GET' ? ASSETS.get((request.url ?? '/').split('?')[0] ?? '/') : undefined
    if (asset) return send(200, asset.contentType, asset.body)
    answerApi(request, actions).then(
      ({ status, body }) => send(status, 'application/json', `${JSON.stringify(body)}\n`),
      (error: unknown) => send(500, 'application/json', `${JSON.stringify({ error: String(error) })}\n`),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return server
}

function isOwnName(host: string | undefined, port: number | undefined): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`
}
