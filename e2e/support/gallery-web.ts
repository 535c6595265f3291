import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
const BUILT = join(ROOT, 'node_modules/.cache/goldseam/gallery')
const FONTS = join(ROOT, 'node_modules/@fontsource/inter/files')
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The same letters on every machine, whatever fonts it has. */
const FONT_CSS = `${[400, 600, 700]
  .map(
    (weight) =>
      `@font-face { font-family: Looks; font-weight: ${weight}; font-display: block; src: url(/font/inter-latin-${weight}-normal.woff2) }`,
  )
  .join('\n')}
:root:root { --font: Looks; --mono: Looks }
/* How long an answer took is another number each time. */
.explore-line > .muted { visibility: hidden }`

/** Builds the gallery of states. */
export async function buildGallery(): Promise<void> {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const config = join(ROOT, 'web/vite.gallery.config.ts')
  await promisify(execFile)(process.execPath, [
    ...[vite, 'build', join(ROOT, 'web'), '--config', config, '--logLevel', 'warn'],
  ])
}

/** Serves what was built, in a font of its own. */
export async function serveGallery(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://gallery')
    const file = pathname.startsWith('/font/') ? join(FONTS, pathname.slice('/font/'.length)) : join(BUILT, pathname)
    try {
      const body = pathname === '/looks.css' ? FONT_CSS : await readFile(file)
      response.setHeader('content-type', TYPES[extname(pathname)] ?? 'application/octet-stream')
      response.end(pathname === '/gallery.html' ? withFont(String(body)) : body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function withFont(html: string): string {
  return html.replace('</head>', '<link rel="stylesheet" href="/looks.css" /></head>')
}
