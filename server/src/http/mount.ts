import { setMaxListeners } from 'node:events'
import type { Express, Request, Response } from 'express'
import type { z } from 'zod'
import { endpoints } from '../contract/index.ts'
import { HttpProblem } from './problem.ts'
import { sendJson } from './send-json.ts'
import type { Written } from './written.ts'

type Endpoints = typeof endpoints

/** What a handler is given: path parameters by name, the parsed query, and a signal that fires when nobody waits. */
export interface HandlerRequest<Query> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly signal: AbortSignal
}

type AnswerOf<Name extends keyof Endpoints> = z.output<Endpoints[Name]['response']>

/** One use case for each endpoint of the contract. */
export type Handlers = {
  readonly [Name in keyof Endpoints]: (
    request: HandlerRequest<z.output<Endpoints[Name]['query']>>,
  ) => Promise<AnswerOf<Name> | Written<AnswerOf<Name>>>
}

type Handle = (request: HandlerRequest<unknown>) => Promise<object>

/** Longer than any Kubernetes name. */
const LONGEST_PARAM = 300

/** Mounts every endpoint of the contract. Rejections reach the error middleware. */
export function mountEndpoints(app: Express, handlers: Handlers): void {
  for (const name of Object.keys(endpoints) as (keyof Endpoints)[]) {
    const { path, query } = endpoints[name]
    // The pair of endpoint and handler fits by construction of `Handlers`; TypeScript cannot follow it through a loop.
    const handle = handlers[name] as Handle
    app.get(path, async (request, response) => {
      response.locals.route = path
      const parsed = readRequest(request, query)
      const signal = abortOnLeave(response)
      await sendJson(request, response, await handle({ ...parsed, signal }))
    })
    refuseOtherMethods(app, path)
  }
}

export function refuseOtherMethods(app: Express, path: string): void {
  app.all(path, (request, response) => {
    response.set('allow', 'GET, HEAD')
    const detail = `${request.method} is not possible here; use GET`
    throw new HttpProblem({ status: 405, type: '/problems/method-not-allowed', title: 'Method not allowed', detail })
  })
}

function readRequest(request: Request, schema: z.ZodType): { params: Record<string, string>; query: unknown } {
  const errors: { pointer: string; detail: string }[] = []
  const params: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.params)) {
    if (typeof value === 'string' && value.length <= LONGEST_PARAM) params[name] = value
    else errors.push({ pointer: `/path/${name}`, detail: `use at most ${LONGEST_PARAM} characters` })
  }
  const query = schema.safeParse(request.query)
  for (const issue of query.error?.issues ?? []) {
    const repeated = Array.isArray(request.query[String(issue.path[0])])
    errors.push({
      pointer: `/query/${issue.path.join('/')}`,
      detail: repeated ? 'give this only once (lists are separated by commas)' : issue.message,
    })
  }
  if (errors.length > 0) throw invalidRequest(errors)
  return { params, query: query.data }
}

/** 400 that names every field that is wrong. */
export function invalidRequest(errors: readonly { pointer: string; detail: string }[]): HttpProblem {
  const detail = errors.map((error) => `${error.pointer}: ${error.detail}`).join('; ')
  return new HttpProblem({ status: 400, type: '/problems/invalid-request', title: 'Invalid request', detail, errors })
}

/** Fires when the client is gone before it got its answer, so that nobody asks the clusters for nothing. */
export function abortOnLeave(response: Response): AbortSignal {
  const controller = new AbortController()
  // Every query of a page listens to it; Node would take more than ten for a leak.
  setMaxListeners(0, controller.signal)
  response.locals.signal = controller.signal
  response.on('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
