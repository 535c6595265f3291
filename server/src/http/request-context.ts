import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** An id that a proxy gave is kept, if it is harmless to log and send back. */
const GIVEN_ID = /^[\w.-]{1,64}$/

/** The status written down for a client who left before the answer, as nginx does. */
const CLIENT_LEFT = 499

/** Gives each request an id, names the build on each answer, and measures and logs how the request ended. */
export function requestContext(deps: { build: () => string; logger: Logger; metrics: Metrics }): RequestHandler {
  return (request, response, next) => {
    const started = performance.now()
    const given = request.get('x-request-id') ?? ''
    const requestId = GIVEN_ID.test(given) ? given : randomUUID()
    response.set({ 'x-request-id': requestId, 'x-goldseam-build': deps.build() })
    response.on('close', () => {
      const status = response.writableFinished ? response.statusCode : CLIENT_LEFT
      const seconds = (performance.now() - started) / 1_000
      const route = typeof response.locals.route === 'string' ? response.locals.route : 'other'
      deps.metrics.httpSeconds(route, status, seconds)
      deps.logger.debug({ requestId, method: request.method, route, status, seconds }, 'request')
    })
    next()
  }
}
