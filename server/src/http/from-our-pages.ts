import type { Request, RequestHandler } from 'express'
import { HttpProblem } from './problem.ts'

/** Pages of other sites can make a browser send a form, but not JSON, and browsers say where a request comes from. */
export const fromOurPages: RequestHandler = (request, _response, next) => {
  const site = request.get('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new HttpProblem({ status: 403, type: '/problems/other-site', title: 'Not from another site' })
  if (!isJson(request)) {
    const detail = 'send application/json'
    throw new HttpProblem({ status: 415, type: '/problems/not-json', title: 'Unsupported media type', detail })
  }
  next()
}

function isJson(request: Request): boolean {
  return request.is('application/json') === 'application/json'
}
