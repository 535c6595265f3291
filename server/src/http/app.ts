import express, { type Express } from 'express'
import type { Access } from '../access/access.ts'
import type { Pairings } from '../access/pairings.ts'
import type { ReadContext } from '../federation/read-api/read-answer.ts'
import type { LinkStore } from '../links/link-store.ts'
import type { NoteStore } from '../links/note-store.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { mountAccess } from './access-api.ts'
import { type ClusterTestDeps, mountClusterTest } from './cluster-test-api.ts'
import { guard, limitOf } from './guard.ts'
import { mountLinks } from './links-api.ts'
import { type Handlers, mountEndpoints, refuseOtherMethods } from './mount.ts'
import { openApiDocument } from './openapi.ts'
import { mountPreviewImage, type PreviewImages } from './preview-image.ts'
import { mountProbes } from './probes.ts'
import { notFound, problemMiddleware } from './problem.ts'
import { PROMETHEUS_PATH, prometheusRouter } from './prometheus-api.ts'
import { requestContext } from './request-context.ts'
import { securityHeaders } from './security-headers.ts'
import { sendJson } from './send-json.ts'
import type { WallHub } from './wall-hub.ts'
import { mountWallNote } from './wall-note.ts'
import { mountWallStream } from './wall-stream.ts'
import { type MetaOf, mountWebFiles } from './web-files.ts'

export interface AppDeps extends ClusterTestDeps {
  readonly handlers: Handlers
  readonly links: LinkStore
  readonly notes: NoteStore
  /** What previews of a page say; unset: nothing. */
  readonly metaOf?: MetaOf
  /** Null: none are configured. */
  readonly previews: PreviewImages | null
  /** What the Prometheus-compatible API reads. */
  readonly read: ReadContext
  /** False while draining. */
  readonly isReady: () => boolean
  readonly logger: Logger
  readonly metrics: Metrics
  readonly walls: WallHub
  readonly access: Access
  readonly pairings: Pairings
  /** Names that a scope may hold; null: not all are known. */
  readonly clusterNames: () => readonly string[] | null
  /** Directory of the built web app; null when there is none. */
  readonly webDir: string | null
  /** With the hashed files of earlier builds; null: none are kept. */
  readonly keptAssets: string | null
  /** What runs here, for a header and `/api/v1/build`. */
  readonly build: () => string
}

/** The whole HTTP surface, in the order requests meet it. It neither listens nor reads the process. */
export function createApp(deps: AppDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(requestContext(deps))
  const letIn = guard(deps.access)
  app.use('/metrics', letIn)
  mountProbes(app, deps)
  app.use(securityHeaders())
  app.use(['/api', PROMETHEUS_PATH], letIn)
  mountEndpoints(app, deps.handlers)
  mountLinks(app, deps)
  mountClusterTest(app, deps)
  mountBuild(app, deps.build)
  mountFixed(app, '/api/v1/openapi.json', openApiDocument(deps.build()))
  mountAccess(app, deps)
  mountWallNote(app, deps)
  mountWallStream(app, { ...deps, hub: deps.walls, limitOf })
  app.use('/api', (request) => {
    throw notFound(`there is no ${request.originalUrl.split('?', 1)[0]?.slice(0, 200)}; see /api/v1/openapi.json`)
  })
  app.use(PROMETHEUS_PATH, prometheusRouter({ ...deps, build: deps.build() }))
  mountPreviewImage(app, deps.previews)
  mountWebFiles(app, deps.webDir, deps.keptAssets, deps.metaOf)
  app.use(problemMiddleware(deps.logger))
  return app
}

/** Pages ask before they load themselves anew; never kept, or they would learn of a new build too late. */
function mountBuild(app: Express, build: () => string): void {
  app.get('/api/v1/build', (_request, response) => {
    response.locals.route = '/api/v1/build'
    response.set('cache-control', 'no-store').json({ name: 'goldseam', build: build() })
  })
  refuseOtherMethods(app, '/api/v1/build')
}

/** An answer that stays the same as long as the process runs. */
function mountFixed(app: Express, path: string, body: object): void {
  app.get(path, async (request, response) => {
    response.locals.route = path
    await sendJson(request, response, body)
  })
  refuseOtherMethods(app, path)
}
