import type { HiddenSecrets } from './hidden-secrets.ts'
import { secondsToWait } from './retry-after.ts'
import { UpstreamError } from './upstream-error.ts'

/** What a server that hands out tokens answered. */
export interface TokenAnswer {
  readonly status: number
  readonly text: string
  /** Two headers, empty when there was none, and when they came (unix seconds). */
  readonly retryAfter: string
  readonly date: string
  readonly receivedAtSeconds: number
}

export interface IssuedToken {
  readonly text: string
  readonly lifeSeconds: number
}

/** What RFC 6749 leaves open is taken to be short. */
const USUAL_LIFE_SECONDS = 300
/** As all that are registered for OAuth are written. Anything else may repeat what was sent. */
const ERROR_CODE = /^(?=.{3,60}$)[a-z]+(_[a-z]+)+$/

/** The token of an answer by `host`. Throws `UpstreamError`, with what to do about it. */
export function readToken(answer: TokenAnswer, host: string, hidden: HiddenSecrets): IssuedToken {
  const body = jsonOf(answer.text)
  if (answer.status !== 200) throw refusal(answer, body.error, host, hidden)
  const { access_token: token, expires_in: life } = body
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
    throw new UpstreamError('malformed', `${host} answered without a token; check tokenUrl`)
  return { text: token, lifeSeconds: typeof life === 'number' && life > 0 ? life : USUAL_LIFE_SECONDS }
}

function refusal(answer: TokenAnswer, error: unknown, host: string, hidden: HiddenSecrets): UpstreamError {
  const { status } = answer
  const later = (message: string) => new UpstreamError('unreachable', message, undefined, secondsToWait(answer))
  if (status >= 500) return later(`${host} failed (HTTP ${status})`)
  if (status === 429) return later(`${host} is asked for tokens too often (HTTP 429)`)
  if (status >= 300 && status < 400)
    return new UpstreamError('malformed', `${host} redirects (HTTP ${status}), which is not followed; check tokenUrl`)
  if (status === 404 || status === 405 || status === 410)
    return new UpstreamError('malformed', `${host} hands out no tokens there (HTTP ${status}); check tokenUrl`)
  const code = typeof error === 'string' ? hidden.hide(error) : ''
  const why = ERROR_CODE.test(code) ? `, ${code}` : ''
  const advice = 'check clientId, clientSecretFile, scopes and params'
  return new UpstreamError('unauthorized', `${host} refused (HTTP ${status}${why}); ${advice}`)
}

function jsonOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
