import type { Express } from 'express'
import type { Metrics } from '../telemetry/metrics.ts'

/**
 * `/healthz`: the process serves. `/readyz`: it may be sent traffic. Neither looks at the clusters: restarting or
 * cutting off Goldseam does not mend a cluster, and the others can still be seen.
 */
export function mountProbes(app: Express, { isReady, metrics }: { isReady: () => boolean; metrics: Metrics }): void {
  app.get('/healthz', (_request, response) => {
    response.locals.route = '/healthz'
    response.type('text/plain').send('ok\n')
  })
  app.get('/readyz', (_request, response) => {
    response.locals.route = '/readyz'
    const ready = isReady()
    response
      .status(ready ? 200 : 503)
      .type('text/plain')
      .send(ready ? 'ready\n' : 'shutting down\n')
  })
  app.get('/metrics', async (_request, response) => {
    response.locals.route = '/metrics'
    response.set('content-type', metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}
