import express, { type Express } from 'express'
import type { ReadContext } from '../federation/read-api/read-answer.ts'
import type { LinkStore } from '../links/link-store.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { mountLinks } from './links-api.ts'
import { type Handlers, mountEndpoints, refuseOtherMethods } from './mount.ts'
import { openApiDocument } from './openapi.ts'
import { mountProbes } from './probes.ts'
import { notFound, problemMiddleware } from './problem.ts'
import { PROMETHEUS_PATH, prometheusRouter } from './prometheus-api.ts'
import { requestContext } from './request-context.ts'
import { securityHeaders } from './security-headers.ts'
import { sendJson } from './send-json.ts'
import { type MetaOf, mountWebFiles } from './web-files.ts'

export interface AppDeps {
  readonly handlers: Handlers
  readonly links: LinkStore
  /** What previews of a page say; unset: nothing. */
  readonly metaOf?: MetaOf
  /** What the Prometheus-compatible API reads. */
  readonly read: ReadContext
  /** Unix seconds. */
  readonly clock: () => number
  /** False while draining. */
  readonly isReady: () => boolean
  readonly logger: Logger
  readonly metrics: Metrics
  /** Directory of the built web app; null when there is none. */
  readonly webDir: string | null
  /** What runs here, for a header and `/api/v1/build`. */
  readonly build: string
}

/** The whole HTTP surface, in the order requests meet it. It neither listens nor reads the process. */
export function createApp(deps: AppDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(requestContext(deps))
  mountProbes(app, deps)
  app.use(securityHeaders())
  mountEndpoints(app, deps.handlers)
  mountLinks(app, deps.links, deps.handlers)
  mountFixed(app, '/api/v1/build', { name: 'goldseam', build: deps.build })
  mountFixed(app, '/api/v1/openapi.json', openApiDocument(deps.build))
  app.use('/api', (request) => {
    throw notFound(`there is no ${request.originalUrl.split('?', 1)[0]?.slice(0, 200)}; see /api/v1/openapi.json`)
  })
  app.use(PROMETHEUS_PATH, prometheusRouter(deps))
  mountWebFiles(app, deps.webDir, deps.metaOf)
  app.use(problemMiddleware(deps.logger))
  return app
}

/** An answer that stays the same as long as the process runs. */
function mountFixed(app: Express, path: string, body: object): void {
  app.get(path, async (request, response) => {
    response.locals.route = path
    await sendJson(request, response, body)
  })
  refuseOtherMethods(app, path)
}
