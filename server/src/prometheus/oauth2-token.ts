import { rootCertificates } from 'node:tls'
import { readBody } from './body.ts'
import { createConnections, type TlsMaterial } from './connections.ts'
import { HiddenSecrets } from './hidden-secrets.ts'
import { textOf } from './read-answer.ts'
import { request } from './request.ts'
import { readToken, type TokenAnswer } from './token-answer.ts'
import { asUpstreamError, UpstreamError } from './upstream-error.ts'

export interface OAuth2Client {
  readonly tokenUrl: string
  readonly clientId: string
  /** Asked for with each token, because secrets are rotated. */
  readonly clientSecret: () => Promise<string>
  /** Told that the secret was refused; the next one may be another. */
  readonly onRefused?: () => void
  readonly scopes: readonly string[]
  /** Sent with each token request besides. */
  readonly params?: Readonly<Record<string, string>>
  /** The endpoint's own authority and certificate; the well-known authorities are trusted beside it. */
  readonly tls: () => Promise<TlsMaterial>
  readonly proxy: string | null
}

export interface TokenSource {
  /** The value of the Authorization header. Rejects with `UpstreamError` when no token is to be had. */
  authorization(): Promise<string>
  /**
   * This value was refused: the next call fetches another token. Who is refused late says so of one that is no longer
   * in use, and the newer one stays.
   */
  forget(refusedAuthorization: string): void
  close(): Promise<void>
}

const TIME_LIMIT_SECONDS = 5
const MOST_ANSWER_BYTES = 65_536
/** A token is renewed this part of its life early, so that it does not run out on the way. */
const EARLY = 0.1

/** Tokens by client credentials (RFC 6749, 4.4): kept while they last, fetched once for all who wait. */
export function createTokenSource(client: OAuth2Client, nowSeconds: () => number): TokenSource {
  const connections = createConnections({ proxy: client.proxy, tls: async () => alsoWellKnown(await client.tls()) })
  const { host } = new URL(client.tokenUrl)
  const hidden = new HiddenSecrets({})
  let token: { text: string; goodUntilSeconds: number } | null = null
  let fetching: Promise<string> | null = null
  /** Where the secret goes: in a header, as every server must understand, or in the form, as some want it. */
  let place: 'header' | 'form' = 'header'

  async function post(where: 'header' | 'form', secret: string, signal: AbortSignal): Promise<TokenAnswer> {
    const form = new URLSearchParams({ ...client.params, grant_type: 'client_credentials' })
    if (client.scopes.length > 0) form.set('scope', client.scopes.join(' '))
    if (where === 'form') {
      form.set('client_id', client.clientId)
      form.set('client_secret', secret)
    }
    const pair = [client.clientId, secret].map(encodeURIComponent).join(':')
    const basic = `Basic ${Buffer.from(pair).toString('base64')}`
    hidden.learnAuthorization(basic)
    for (const spelling of spellings(secret)) hidden.learnAuthorization(`Bearer ${spelling}`)
    const response = await request(client.tokenUrl, {
      dispatcher: await connections.current(),
      method: 'POST',
      signal,
      body: form.toString(),
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'goldseam',
        ...(where === 'header' ? { authorization: basic } : {}),
      },
    })
    const { 'retry-after': retryAfter, 'content-type': contentType, date } = response.headers
    const head = { status: response.statusCode, contentType: String(contentType ?? '') }
    return {
      status: response.statusCode,
      retryAfter: String(retryAfter ?? ''),
      date: String(date ?? ''),
      receivedAtSeconds: nowSeconds(),
      text: await readBody(response.body, { maxBytes: MOST_ANSWER_BYTES }, ({ bytes }) => textOf(head, bytes)),
    }
  }

  /** Where it is refused in one place, it may be looked for in the other. */
  async function posted(secret: string, signal: AbortSignal): Promise<TokenAnswer> {
    const answer = await post(place, secret, signal)
    if (!isRefusal(answer)) return answer
    const other = place === 'header' ? 'form' : 'header'
    const again = await post(other, secret, signal)
    if (again.status !== 200) return answer
    place = other
    return again
  }

  async function fetched(): Promise<string> {
    const signal = AbortSignal.timeout(TIME_LIMIT_SECONDS * 1_000)
    try {
      const secret = await client.clientSecret()
      let answer = await posted(secret, signal)
      if (isRefusal(answer)) {
        client.onRefused?.()
        const other = await client.clientSecret()
        if (other !== secret) answer = await posted(other, signal)
      }
      const { text, lifeSeconds } = readToken(answer, host, hidden)
      token = { text, goodUntilSeconds: nowSeconds() + lifeSeconds * (1 - EARLY) }
      return text
    } catch (error) {
      if (signal.aborted)
        throw new UpstreamError('timeout', `no token from ${host} within ${TIME_LIMIT_SECONDS} s`, error)
      const { kind, message, retryAfterSeconds } = asUpstreamError(error, {
        url: client.tokenUrl,
        proxy: client.proxy,
        signal,
      })
      throw new UpstreamError(kind, `no token for it: ${message}`, error, retryAfterSeconds)
    }
  }

  return {
    async authorization() {
      if (token !== null && nowSeconds() < token.goodUntilSeconds) return `Bearer ${token.text}`
      fetching ??= fetched().finally(() => {
        fetching = null
      })
      return `Bearer ${await fetching}`
    },
    forget(refusedAuthorization) {
      if (token !== null && refusedAuthorization === `Bearer ${token.text}`) token = null
    },
    close: () => connections.close(),
  }
}

function isRefusal({ status }: TokenAnswer): boolean {
  return status === 400 || status === 401
}

/** A secret as it is, and as it is written in a URL and in a form. */
function spellings(secret: string): string[] {
  return [secret, encodeURIComponent(secret), new URLSearchParams([['', secret]]).toString().slice(1)]
}

/** Who hands out tokens is often a public service, even where the endpoint has an authority of its own. */
function alsoWellKnown(material: TlsMaterial): TlsMaterial {
  return material.ca === null ? material : { ...material, ca: [...rootCertificates, material.ca].join('\n') }
}
