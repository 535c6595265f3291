import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import compression from 'compression'
import express, { type Express, type Request, type Response } from 'express'
import { isBuilt } from './kept-assets.ts'
import { type PageMeta, withBuild, withMeta } from './page-meta.ts'
import { notFound } from './problem.ts'
import { allowFraming } from './security-headers.ts'

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Goldseam: web not built</title></head>
<body><h1>The web page is not built</h1>
<p>The API answers at <a href="/api/v1/fleet">/api/v1/fleet</a>, but there are no files for the browser.</p>
<p>Run <code>npm run build</code> in Goldseam's directory and reload this page.</p></body></html>
`

/** What a preview of a page says; null: nothing beyond the page itself. */
export type MetaOf = (url: URL) => Promise<PageMeta | null>

/**
 * Serves the built web app. Files under /assets carry a hash in their name and never change; every address a person
 * can bookmark gets index.html. `webDir` null: the page that says how to build it. `keptAssets`: a directory with the
 * hashed files of earlier builds.
 */
export function mountWebFiles(
  app: Express,
  webDir: string | null,
  keptAssets: string | null,
  metaOf: MetaOf = async () => null,
): void {
  app.use(compression())
  if (webDir !== null) mountWall(app, webDir)
  if (webDir !== null) app.use(express.static(webDir, { index: false, setHeaders: cacheByName }))
  if (keptAssets !== null) mountKept(app, keptAssets)
  app.get('/{*path}', async (request, response) => {
    response.locals.route = 'web'
    if (request.path.startsWith('/assets/') || !request.accepts('html'))
      throw notFound(`there is no ${request.path.slice(0, 200)}`)
    const html = webDir === null ? null : await indexHtml(webDir)
    if (html === null) return sendNotBuilt(response)
    const meta = await metaOf(addressOf(request)).catch(() => null)
    response.set('cache-control', 'no-cache')
    const page = withBuild(html, response.get('x-goldseam-build') ?? '')
    response.type('html').send(meta === null ? page : withMeta(page, meta))
  })
  app.use((request) => {
    throw notFound(`there is no ${request.method} ${request.path.slice(0, 200)}`)
  })
}

/** Everybody may fetch these, signed in or not: of a directory that may hold other things, a build's plain files alone. */
function mountKept(app: Express, directory: string): void {
  const serve = express.static(directory, { index: false, setHeaders: cacheForGood })
  app.use('/assets', async (request, response, next) => {
    const name = request.path.slice(1)
    const found = isBuilt(name) ? await lstat(join(directory, name)).catch(() => null) : null
    if (found?.isFile()) serve(request, response, next)
    else next()
  })
}

/** Null while it is not built. */
async function indexHtml(webDir: string): Promise<string | null> {
  try {
    return await readFile(join(webDir, 'index.html'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function addressOf({ originalUrl }: Request): URL {
  const path = `/${originalUrl.replace(/^\/+/, '')}`
  return URL.canParse(path, 'http://page') ? new URL(path, 'http://page') : new URL('http://page/')
}

/** Pages that a wall is made of: the shell that stays, and the picture that it frames. */
const WALL_PAGES = [
  { path: '/wall', file: 'wall.html' },
  { path: '/wall/app', file: 'wall-app.html' },
] as const

function mountWall(app: Express, webDir: string): void {
  for (const { path, file } of WALL_PAGES) {
    app.get(path, (_request, response, next) => {
      response.locals.route = 'web'
      response.set('cache-control', 'no-cache')
      if (path === '/wall/app') allowFraming(response)
      response.sendFile(join(webDir, file), { cacheControl: false }, (error) => {
        if (error === undefined || response.headersSent) return
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') sendNotBuilt(response)
        else next(error)
      })
    })
  }
}

function sendNotBuilt(response: Response): void {
  response.status(503).set('cache-control', 'no-store').type('html').send(NOT_BUILT)
}

function cacheByName(response: Response, path: string): void {
  if (/[\\/]assets[\\/]/.test(path)) cacheForGood(response, path)
  else {
    response.locals.route = 'web'
    response.set('cache-control', 'no-cache')
  }
}

function cacheForGood(response: Response, path: string): void {
  response.locals.route = 'web'
  // The wall's frame has an origin of its own, to which these files are another site's. They hold no data.
  response.set('cross-origin-resource-policy', 'cross-origin')
  // Another site's font needs more leave than its scripts and styles.
  if (path.endsWith('.woff2')) response.set('access-control-allow-origin', '*')
  response.set('cache-control', 'public, max-age=31536000, immutable')
}
