import { join } from 'node:path'
import compression from 'compression'
import express, { type Express, type Response } from 'express'
import { notFound } from './problem.ts'

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Goldseam: web not built</title></head>
<body><h1>The web page is not built</h1>
<p>The API answers at <a href="/api/v1/fleet">/api/v1/fleet</a>, but there are no files for the browser.</p>
<p>Run <code>npm run build</code> in Goldseam's directory and reload this page.</p></body></html>
`

/**
 * Serves the built web app. Files under /assets carry a hash in their name and never change; every address a person
 * can bookmark gets index.html. `webDir` null: the page that says how to build it.
 */
export function mountWebFiles(app: Express, webDir: string | null): void {
  app.use(compression())
  if (webDir !== null) app.use(express.static(webDir, { index: false, setHeaders: cacheByName }))
  app.get('/{*path}', (request, response, next) => {
    response.locals.route = 'web'
    if (request.path.startsWith('/assets/') || !request.accepts('html'))
      return next(notFound(`there is no ${request.path.slice(0, 200)}`))
    if (webDir === null) return sendNotBuilt(response)
    response.set('cache-control', 'no-cache')
    response.sendFile(join(webDir, 'index.html'), { cacheControl: false }, (error) => {
      if (error === undefined || response.headersSent) return
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') sendNotBuilt(response)
      else next(error)
    })
  })
  app.use((request) => {
    throw notFound(`there is no ${request.method} ${request.path.slice(0, 200)}`)
  })
}

function sendNotBuilt(response: Response): void {
  response.status(503).set('cache-control', 'no-store').type('html').send(NOT_BUILT)
}

function cacheByName(response: Response, path: string): void {
  response.locals.route = 'web'
  const hashed = /[\\/]assets[\\/]/.test(path)
  response.set('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
}
