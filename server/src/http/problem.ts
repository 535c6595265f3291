import { STATUS_CODES } from 'node:http'
import type { ErrorRequestHandler, Response } from 'express'
import type { Problem } from '../contract/index.ts'
import { StoreAway } from '../links/guarded-store.ts'
import type { Logger } from '../telemetry/logger.ts'

export type ProblemType = `/problems/${string}` | 'about:blank'

interface ProblemParts {
  readonly status: number
  /** One per kind of problem, relative to the server. */
  readonly type: ProblemType
  /** The same words for every problem of this type. */
  readonly title: string
  /** What went wrong this time, and what to do. */
  readonly detail?: string
  readonly errors?: readonly { pointer: string; detail: string }[]
  /** Names that are close to the one that was not found. */
  readonly near?: readonly string[]
  /** When what is not there was last there; RFC 3339. */
  readonly lastSeenAt?: string
  readonly cause?: unknown
}

/** A failure a client may be told about. Everything else that is thrown becomes a 500 without details. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem'
  readonly status: number
  readonly type: ProblemType
  readonly title: string
  readonly detail: string | undefined
  readonly errors: readonly { pointer: string; detail: string }[] | undefined
  readonly near: readonly string[] | undefined
  readonly lastSeenAt: string | undefined

  constructor({ status, type, title, detail, errors, near, lastSeenAt, cause }: ProblemParts) {
    super(detail === undefined ? title : `${title}: ${detail}`, { cause })
    this.status = status
    this.type = type
    this.title = title
    this.detail = detail
    this.errors = errors
    this.near = near
    this.lastSeenAt = lastSeenAt
  }
}

/** 404 with the names that are close. */
export function notFound(detail: string, near: readonly string[] = []): HttpProblem {
  return new HttpProblem({ status: 404, type: '/problems/not-found', title: 'Not found', detail, near })
}

/** The last middleware: every error becomes `application/problem+json` (RFC 9457) with the request's id. */
export function problemMiddleware(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const requestId = String(response.getHeader('x-request-id') ?? '')
    const problem = error instanceof HttpProblem ? error : (fromStore(error) ?? fromFramework(error))
    const left = response.locals.signal instanceof AbortSignal && response.locals.signal.aborted
    if (left || response.destroyed) return logger.debug({ requestId, path: request.path }, 'the client left')
    // A store that is away has been logged, once for all who ask.
    if (problem.status >= 500 && !(error instanceof StoreAway))
      logger.error({ requestId, path: request.path, err: error }, 'request failed')
    if (response.headersSent) return response.destroy()
    send(response, problem, requestId)
  }
}

function send(response: Response, problem: HttpProblem, requestId: string): void {
  const { status, type, title, detail, errors, near, lastSeenAt } = problem
  const body: Problem = {
    type,
    title,
    status,
    requestId,
    ...(detail === undefined ? {} : { detail }),
    ...(errors === undefined ? {} : { errors: [...errors] }),
    ...(near === undefined ? {} : { near: [...near] }),
    ...(lastSeenAt === undefined ? {} : { lastSeenAt }),
  }
  response.removeHeader('etag')
  response.status(status).set('cache-control', 'no-store').type('application/problem+json').send(JSON.stringify(body))
}

/** The sentence of a store that is away names nothing that is not for everybody. */
function fromStore(error: unknown): HttpProblem | null {
  if (!(error instanceof StoreAway)) return null
  const detail = `${error.message}; try again in a moment`
  return new HttpProblem({ status: 503, type: '/problems/store-away', title: 'The store of links is away', detail })
}

/** Express and its friends mark bad requests with a `status`; anything else is our own fault and stays private. */
function fromFramework(error: unknown): HttpProblem {
  const status = (error as { status?: unknown } | null)?.status
  const known = typeof status === 'number' && status >= 400 && status < 500 ? status : 500
  return new HttpProblem({
    status: known,
    type: 'about:blank',
    title: STATUS_CODES[known] ?? 'Error',
    cause: error,
    ...withDetail(known, error),
  })
}

/** What of the request could not be read. Whoever reads bodies says of his errors what type they are. */
function withDetail(status: number, error: unknown): { detail?: string } {
  const { type, limit } = (error ?? {}) as { type?: unknown; limit?: unknown }
  if (type === 'entity.too.large') return { detail: `the body is larger than ${limit} bytes` }
  if (status !== 400) return {}
  if (type === 'entity.parse.failed') return { detail: 'the body is not valid JSON; send an object, such as {}' }
  if (typeof type === 'string') return { detail: 'the body could not be read' }
  return { detail: 'the request could not be read; is the path percent-encoded rightly?' }
}
