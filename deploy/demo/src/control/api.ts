import type { IncomingMessage } from 'node:http'

/** What the control page can ask for. Returns undefined for what went well, else the reason why not. */
export interface ControlActions {
  state(): unknown
  /** The load generator's counts, once per second since the start. */
  load(): unknown
  goTo(phase: string): Promise<string | undefined>
  setTimer(on: boolean): void
  prometheus(cluster: string, action: 'stop' | 'start'): Promise<string | undefined>
}

export interface ApiAnswer {
  readonly status: number
  readonly body: unknown
}

const BODY_LIMIT_BYTES = 10_000

export async function answerApi(request: IncomingMessage, actions: ControlActions): Promise<ApiAnswer> {
  const path = (request.url ?? '/').split('?')[0]
  if (request.method === 'GET') {
    if (path === '/state') return { status: 200, body: actions.state() }
    if (path === '/load') return { status: 200, body: actions.load() }
    return problem(404, 'No such page.')
  }
  if (request.method !== 'POST') return problem(405, 'GET or POST.')
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    return problem(415, 'The body must be application/json.')
  }
  const body = await readJson(request)
  if (body === undefined) return problem(400, 'The body is not a JSON object.')
  switch (path) {
    case '/phase': {
      if (typeof body.phase !== 'string') return problem(400, 'phase is missing.')
      return done(await actions.goTo(body.phase), actions)
    }
    case '/timer': {
      if (typeof body.on !== 'boolean') return problem(400, 'on must be true or false.')
      actions.setTimer(body.on)
      return done(undefined, actions)
    }
    case '/prometheus': {
      const { cluster, action } = body
      if (typeof cluster !== 'string' || (action !== 'stop' && action !== 'start')) {
        return problem(400, 'cluster and action (stop or start) are needed.')
      }
      return done(await actions.prometheus(cluster, action), actions)
    }
    default:
      return problem(404, 'No such action.')
  }
}

const problem = (status: number, message: string): ApiAnswer => ({ status, body: { error: message } })

function done(reason: string | undefined, actions: ControlActions): ApiAnswer {
  return reason === undefined ? { status: 200, body: actions.state() } : problem(400, reason)
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  let text = ''
  for await (const chunk of request) {
    text += chunk
    if (text.length > BODY_LIMIT_BYTES) return undefined
  }
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}
