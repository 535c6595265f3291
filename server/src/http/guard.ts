import type { Request, RequestHandler, Response } from 'express'
import type { Access, Caller } from '../access/access.ts'
import type { Part } from '../domain/verdict-within.ts'
import { HttpProblem } from './problem.ts'
import { WALL_STREAM_PATH } from './wall-stream.ts'

/** The cookie that a browser keeps after signing in; its value is the token itself, which scripts cannot read. */
export const COOKIE = 'goldseam_token'

/** What holds no data: builds, signing in, and asking to be paired. */
const OPEN = ['/api/v1/build', '/api/v1/session', '/api/v1/wall/pairings', '/api/v1/wall/pairings/claim']

/** Lets in who has a token; walls only where walls belong. Pages and their scripts hold no data and stay open. */
export function guard(access: Access): RequestHandler {
  return (request, response, next) => {
    const path = request.originalUrl.split('?', 1)[0] ?? ''
    const token = tokenOf(request)
    const caller = access.callerOf(token)
    response.locals.caller = caller
    response.locals.stillAllowed = () => access.callerOf(token) !== null
    if (OPEN.includes(path)) return next()
    if (caller === null) {
      response.set('www-authenticate', 'Bearer realm="goldseam"')
      const detail =
        token === null
          ? 'send Authorization: Bearer TOKEN, or sign in on the page'
          : 'this token is not known, or was revoked'
      throw new HttpProblem({ status: 401, type: '/problems/sign-in', title: 'Sign-in needed', detail })
    }
    if (caller.kind === 'wall' && path !== WALL_STREAM_PATH) {
      const detail = "a wall's token shows the wall and nothing else"
      throw new HttpProblem({ status: 403, type: '/problems/not-allowed', title: 'Not allowed', detail })
    }
    next()
  }
}

export function callerIn(response: Response): Caller | null {
  return (response.locals.caller as Caller | null | undefined) ?? null
}

/** What the caller's wall may show at most. */
export function limitOf(response: Response): Part {
  const caller = callerIn(response)
  const some = (names: readonly string[]) => (names.length === 0 ? null : new Set(names))
  if (caller?.kind !== 'wall') return { clusters: null, namespaces: null }
  return { clusters: some(caller.wall.clusters), namespaces: some(caller.wall.namespaces) }
}

function tokenOf(request: Request): string | null {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '') ?? []
  if (bearer !== undefined) return bearer
  const cookies = (request.get('cookie') ?? '').split(/; */)
  const mine = cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))
  return mine === undefined ? null : mine.slice(COOKIE.length + 1)
}
