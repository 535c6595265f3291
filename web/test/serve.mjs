// Shows the built web app against fixture answers: node web/test/serve.mjs [port] [scene]; GET /scene/NAME switches.
import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { createServer as createVite } from 'vite'

const web = join(import.meta.dirname, '..')
const port = Number(process.argv[2] ?? 8799)
let scene = process.argv[3] ?? 'incident'

// Vite only translates the TypeScript of the fixtures here; Node 20 cannot.
const vite = await createVite({
  root: web,
  configFile: false,
  logLevel: 'error',
  server: { middlewareMode: true, hmr: false, ws: false },
})
const { scenes } = await vite.ssrLoadModule('/test/scenes.ts')
const { callsScene, largeScene } = await vite.ssrLoadModule('/test/large.ts')
const { answer } = await vite.ssrLoadModule('/test/answer.ts')
const { prometheusAnswer } = await vite.ssrLoadModule('/test/prometheus.ts')

const calls = callsScene(300, 600)
let large = { tick: -1, count: 0, scene: calls }
/** The scene that is shown; the large one ("large-10000": so many workloads) is another every three seconds. */
function shown() {
  const tick = Math.floor(Date.now() / 3_000)
  const [isLarge, count = '2000'] = /^large(?:-(\d+))?$/.exec(scene) ?? []
  if (isLarge !== undefined) {
    if (large.tick !== tick || large.count !== count) large = { tick, count, scene: largeScene(Number(count), tick) }
    return large.scene
  }
  return scene === 'calls' ? calls : scenes[scene]
}

/** A question that the fixtures have no answer for, as one cut off, is an error of the server and not its end. */
function answered(pathname, searchParams) {
  try {
    return answer(shown(), pathname, searchParams)
  } catch (error) {
    const detail = `no fixture for this: ${error.message}`
    return { status: 500, body: { type: '/problems/internal', title: 'Goldseam failed', status: 500, detail } }
  }
}

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'"

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname.startsWith('/scene/')) {
    scene = pathname.slice('/scene/'.length)
    response.end(scene)
    return
  }
  if (pathname.startsWith('/prometheus/')) {
    let form = ''
    for await (const chunk of request) form += chunk
    const params = new URLSearchParams([...new URLSearchParams(form), ...searchParams])
    const { status, body } = prometheusAnswer(shown(), pathname, params)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
    return
  }
  if (pathname.startsWith('/api/')) {
    const { status, body } = answered(pathname, searchParams)
    response.writeHead(status, { 'content-type': status === 200 ? 'application/json' : 'application/problem+json' })
    response.end(JSON.stringify(body))
    return
  }
  const asked = join(web, 'dist', pathname)
  const file = extname(pathname) && existsSync(asked) ? asked : join(web, 'dist', 'index.html')
  response.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-security-policy': POLICY,
  })
  createReadStream(file).pipe(response)
})
server.listen(port, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}/ shows the scene "${scene}"`),
)
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    server.close()
    void vite.close().then(() => process.exit(0))
  })
}
