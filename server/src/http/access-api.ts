import express, { type Express, type Request, type Response } from 'express'
import { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { Pairings } from '../access/pairings.ts'
import { WallGrant, WallName } from '../contract/index.ts'
import { COOKIE, callerIn } from './guard.ts'
import { HttpProblem, notFound } from './problem.ts'
import { unknownCluster } from './scope-of.ts'

export interface AccessApiDeps {
  readonly access: Access
  readonly pairings: Pairings
  /** Unix seconds. */
  readonly clock: () => number
  /** Names that a wall's limit may hold; null: not all are known. */
  readonly clusterNames: () => readonly string[] | null
}

/** The longest that browsers keep a cookie; each sign-in starts it anew. */
const COOKIE_SECONDS = 400 * 86_400

/** So a screen that has no code asks for one. */
const PAIR_AGAIN_SECONDS = 3

const Session = z.strictObject({ token: z.string().max(200) })
const Approval = WallGrant.extend({ code: z.string().max(20) })
const Claim = z.strictObject({ secret: z.string().max(100) })
const Rename = z.strictObject({ name: WallName })

/** Signing in, and the walls: listed, made, paired, renamed, revoked. All but the first need a person. */
export function mountAccess(app: Express, { access, pairings, clock, clusterNames }: AccessApiDeps): void {
  // Cookies come along with what other pages post; what says it is JSON, only ours can send.
  const body = express.json({ limit: '10kb', strict: true })
  const known = (clusters: readonly string[]) => {
    for (const name of clusters) {
      const problem = unknownCluster(name, clusterNames())
      if (problem !== null) throw problem
    }
  }
  const createdAt = () => new Date(clock() * 1_000).toISOString()

  app.get('/api/v1/session', (_request, response) => {
    const caller = callerIn(response)
    send(response, 200, { signIn: !access.isOpen, name: caller?.kind === 'person' ? caller.name : null })
  })
  app.post('/api/v1/session', body, (request, response) => {
    const { token } = read(Session, request)
    const caller = access.callerOf(token)
    if (caller === null || caller.kind === 'wall') throw refused(401, '/problems/sign-in', 'this token is not known')
    response.cookie(COOKIE, token, { ...cookie(request), maxAge: COOKIE_SECONDS * 1_000 })
    send(response, 200, { signIn: !access.isOpen, name: caller.kind === 'person' ? caller.name : null })
  })
  app.delete('/api/v1/session', (request, response) => {
    response.clearCookie(COOKIE, cookie(request))
    response.status(204).end()
  })

  app.post('/api/v1/wall/pairings', body, (request, response) => {
    if (access.isOpen) throw refused(409, '/problems/not-needed', 'walls need no token here')
    const started = pairings.start(request.ip ?? '')
    if (started === null) {
      response.set('retry-after', String(PAIR_AGAIN_SECONDS))
      const detail =
        'too many screens wait to be paired; pair or switch off some of them, then this one gets a code by itself'
      throw refused(429, '/problems/too-many', detail)
    }
    send(response, 201, { ...started, code: `${started.code.slice(0, 3)} ${started.code.slice(3)}` })
  })
  app.post('/api/v1/wall/pairings/claim', body, (request, response) => {
    const claimed = pairings.claim(read(Claim, request).secret)
    if (claimed.state === 'gone') throw notFound('this pairing ran out; start anew')
    send(response, 200, claimed)
  })

  app.get('/api/v1/walls', (_request, response) => {
    const walls = attempt(() => access.walls(), 503).map(({ hash: _hash, ...wall }) => wall)
    send(response, 200, { walls })
  })
  app.post('/api/v1/walls/pair', body, (request, response) => {
    const { code, name, c, ns } = read(Approval, request)
    known(c)
    const make = () => attempt(() => access.addWall({ name, clusters: c, namespaces: ns, createdAt: createdAt() }))
    if (!pairings.approve(code, make)) throw notFound('no screen shows this code; codes hold for ten minutes')
    send(response, 201, { name })
  })
  app.post('/api/v1/walls', body, (request, response) => {
    if (access.isOpen) throw refused(409, '/problems/not-needed', 'walls need no token here')
    const { name, c, ns } = read(WallGrant, request)
    known(c)
    const token = attempt(() => access.addWall({ name, clusters: c, namespaces: ns, createdAt: createdAt() }))
    send(response, 201, { name, token })
  })
  app.patch('/api/v1/walls/:name', body, (request, response) => {
    const { name } = read(Rename, request)
    attempt(() => access.renameWall(String(request.params.name), name))
    send(response, 200, { name })
  })
  app.delete('/api/v1/walls/:name', (request, response) => {
    attempt(() => access.revokeWall(String(request.params.name)))
    response.status(204).end()
  })
}

function send(response: Response, status: number, answer: object): void {
  response.locals.route = 'access'
  response.status(status).set('cache-control', 'no-store').json(answer)
}

function cookie(request: Request) {
  const secure = request.secure || request.get('x-forwarded-proto') === 'https'
  return { httpOnly: true, sameSite: 'strict', secure, path: '/' } as const
}

function read<Schema extends z.ZodType>(schema: Schema, request: Request): z.output<Schema> {
  const parsed = schema.safeParse(request.body)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map(({ path, message }) => ({
    pointer: `/body/${path.join('/')}`,
    detail: message,
  }))
  const detail = errors.map((error) => `${error.pointer}: ${error.detail}`).join('; ')
  throw new HttpProblem({ status: 400, type: '/problems/invalid-request', title: 'Invalid request', detail, errors })
}

/** What the store cannot do, it says in words for a person. */
function attempt<Result>(act: () => Result, status = 409): Result {
  try {
    return act()
  } catch (error) {
    throw refused(status, '/problems/not-possible', (error as Error).message)
  }
}

function refused(status: number, type: `/problems/${string}`, detail: string): HttpProblem {
  return new HttpProblem({ status, type, title: status === 401 ? 'Sign-in needed' : 'Not possible', detail })
}
