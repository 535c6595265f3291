import compression from 'compression'
import { type ErrorRequestHandler, type Request, Router, raw as rawBody } from 'express'
import type { Member } from '../federation/read-api/fan-out.ts'
import { type ReadAnswer, type ReadContext, type ReadScope, selected } from '../federation/read-api/read-answer.ts'
import { badParameter, ReadFailure } from '../federation/read-api/read-failure.ts'
import {
  readAboutText,
  readLabels,
  readLabelValues,
  readMetadata,
  readSeries,
} from '../federation/read-api/read-lists.ts'
import { readExemplarsOf, readQuery } from '../federation/read-api/read-query.ts'
import { readActiveAlerts, readRules } from '../federation/read-api/read-rules.ts'
import type { Logger } from '../telemetry/logger.ts'
import { type KeptQuestion, keptExplore } from './explore-evidence.ts'
import { labelNameOf } from './label-name.ts'
import { abortOnLeave } from './mount.ts'
import { PrometheusParams, rangeOf } from './prometheus-params.ts'
import { writeAnswer, writeFailure } from './write-prometheus.ts'

export const PROMETHEUS_PATH = '/prometheus'

/** A long query is some kB. */
const MOST_FORM_BYTES = 1_048_576
const FORM = 'application/x-www-form-urlencoded'

interface Asked {
  readonly params: PrometheusParams
  readonly request: Request
  readonly scope: ReadScope
}

type Answerer = (asked: Asked) => Promise<ReadAnswer>

/** Prometheus' own read API over all clusters, for Grafana, promtool and curl; `/api/v1/...` below this router. */
export function prometheusRouter(deps: {
  read: ReadContext
  /** What was kept of earlier answers. */
  links: Parameters<typeof keptExplore>[0]
  build: string
  logger: Logger
  clock: () => number
}): Router {
  const { read, links, clock } = deps
  const router = Router()
  router.use(compression())
  // Percent-encoded, it is the same in whatever charset a client calls it.
  router.use(rawBody({ type: FORM, limit: MOST_FORM_BYTES, inflate: false }))

  const mount = (path: string, methods: readonly ('get' | 'post')[], answer: Answerer) => {
    const route = `/api/v1${path}`
    for (const method of methods) {
      router[method](route, async (request, response) => {
        response.locals.route = `${PROMETHEUS_PATH}${route}`
        await read.upToDate()
        const { search } = new URL(request.originalUrl, 'http://goldseam')
        const params = new PrometheusParams(formOf(request), search)
        const scope = { clusters: params.clusters, limit: 0, timeoutSeconds: null, signal: abortOnLeave(response) }
        await writeAnswer(response, await answer({ params, request, scope }))
      })
    }
    router.all(route, (_request, response) => {
      response
        .set('allow', methods.join(', ').toUpperCase())
        .status(405)
        .type('text/plain')
        .send('Method Not Allowed\n')
    })
  }
  const both = ['get', 'post'] as const

  /** With the code of saved evidence nobody is asked. */
  const saved = (path: KeptQuestion['path'], params: PrometheusParams): Promise<ReadAnswer> => {
    const { clusters, join } = params
    const promql = params.text('query')
    return keptExplore(links, params.text('saved'), { path, clusters: clusters ?? [], join, promql })
  }

  mount('/query', both, ({ params, scope }) => {
    if (params.text('saved') !== '') return saved('/query', params)
    const { limit } = params
    const time = params.time('time', clock())
    const timeoutSeconds = params.optionalDuration('timeout')
    const fields = [['time', String(time)] as const, ...params.given(['limit', 'lookback_delta', 'stats'])]
    return readQuery(read, '/query', params.text('query'), fields, {
      ...scope,
      limit,
      timeoutSeconds,
      join: params.join,
    })
  })
  mount('/query_range', both, ({ params, scope }) => {
    if (params.text('saved') !== '') return saved('/query_range', params)
    const { limit } = params
    const range = rangeOf(params, read.limits.maxPoints)
    const timeoutSeconds = params.optionalDuration('timeout')
    const fields = [...range, ...params.given(['limit', 'lookback_delta', 'stats'])]
    return readQuery(read, '/query_range', params.text('query'), fields, {
      ...scope,
      limit,
      timeoutSeconds,
      join: params.join,
    })
  })
  mount('/query_exemplars', both, ({ params, scope }) =>
    readExemplarsOf(read, params.text('query'), stretchOf(params), scope),
  )
  mount('/series', both, ({ params, scope }) => {
    const match = params.texts('match[]')
    if (match.length === 0) throw new ReadFailure('bad_data', 'no match[] parameter provided')
    const { limit } = params
    return readSeries(read, { match, fields: listFieldsOf(params) }, { ...scope, limit })
  })
  mount('/labels', both, ({ params, scope }) => {
    const { limit } = params
    return readLabels(read, { match: params.texts('match[]'), fields: listFieldsOf(params) }, { ...scope, limit })
  })
  mount('/label/:name/values', ['get'], ({ params, request, scope }) => {
    const { limit } = params
    const name = labelNameOf(String(request.params.name))
    const matched = { match: params.texts('match[]'), fields: listFieldsOf(params) }
    return readLabelValues(read, name, matched, { ...scope, limit })
  })
  mount('/metadata', ['get'], ({ params, scope }) => {
    const number = (name: string) =>
      params.integer(name, () => new ReadFailure('bad_data', `${name} must be a number`), -1)
    const limit = number('limit')
    number('limit_per_metric')
    return readMetadata(read, params.given(['metric', 'limit', 'limit_per_metric']), limit, scope)
  })
  mount('/rules', ['get'], ({ params, scope }) => {
    const [paged] = params.given(['group_limit', 'group_next_token'])
    if (paged !== undefined) throw badParameter(paged[0], 'the groups of all clusters are not told in pages')
    const filter = {
      names: params.texts('rule_name[]'),
      groups: params.texts('rule_group[]'),
      files: params.texts('file[]'),
      match: params.texts('match[]'),
    }
    return readRules(read, params.given(['type', 'exclude_alerts']), filter, scope)
  })
  mount('/alerts', ['get'], ({ scope }) => readActiveAlerts(read, scope))
  for (const path of ['/format_query', '/parse_query'])
    mount(path, both, ({ params, scope }) => readAboutText(read, path, params.given(['query']), scope))
  mount('/status/buildinfo', ['get'], async ({ scope }) => constant(buildInfo(selected(read, scope), deps.build)))

  router.use((request) => {
    throw new ReadFailure(
      'not_found',
      `${request.path.slice(0, 200)} is not part of what is answered for all clusters; ask the Prometheus of one`,
    )
  })
  router.use(failureMiddleware(deps.logger))
  return router
}

/** Throws on a form in another shape: read as none at all, its query would be an empty one. */
function formOf(request: Request): string {
  if (typeof request.is('multipart/*') === 'string')
    throw new ReadFailure('bad_data', `error parsing form values: send them as ${FORM}, multipart is not taken`)
  return Buffer.isBuffer(request.body) ? request.body.toString('utf8') : ''
}

/** No cluster need tell more than all of them together may: a Prometheus before 2.55 does not know a limit, and tells all. */
function listFieldsOf(params: PrometheusParams): [string, string][] {
  return [...stretchOf(params), ...params.given(['limit'])]
}

function stretchOf(params: PrometheusParams): [string, string][] {
  return ['start', 'end'].flatMap((name) =>
    params.text(name) === '' ? [] : [[name, String(params.time(name, 0))] as [string, string]],
  )
}

/**
 * The oldest version among the clusters: what it can do all can. Others that speak the API have numbers of their own,
 * such as Thanos 0.42, by which clients would take it for a Prometheus of ten years ago.
 */
function buildInfo(members: readonly Member[], build: string): object {
  const told = members.flatMap(({ api }) => api.status().flatMap(({ version }) => version ?? []))
  const versions = told.filter((version) => Number.parseInt(version, 10) >= 2)
  const [oldest] = versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  return {
    version: oldest ?? OLDEST_SUPPORTED,
    revision: build,
    branch: 'goldseam',
    buildUser: '',
    buildDate: '',
    goVersion: '',
  }
}

const OLDEST_SUPPORTED = '2.42.0'

function constant(data: object): ReadAnswer {
  return { head: JSON.stringify(data), rows: [], tail: '', warnings: [], infos: [] }
}

function failureMiddleware(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const requestId = String(response.getHeader('x-request-id') ?? '')
    const left = response.locals.signal instanceof AbortSignal && response.locals.signal.aborted
    if (left || response.destroyed) return logger.debug({ requestId, path: request.path }, 'the client left')
    const failure = error instanceof ReadFailure ? error : fromFramework(error)
    if (failure.errorType === 'internal') logger.error({ requestId, path: request.path, err: error }, 'request failed')
    if (response.headersSent) return response.destroy()
    writeFailure(response, failure)
  }
}

function fromFramework(error: unknown): ReadFailure {
  if (error instanceof URIError) return new ReadFailure('bad_data', 'invalid URL escape in the path')
  const { status } = (error ?? {}) as { status?: unknown }
  if (status === 413)
    return new ReadFailure('bad_data', `error parsing form values: more than ${MOST_FORM_BYTES} bytes`)
  if (typeof status === 'number' && status < 500) return new ReadFailure('bad_data', 'error parsing form values')
  return new ReadFailure('internal', 'Goldseam failed; its log says why')
}
