import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { json } from './support/fake-prometheus.ts'
import { createEndpoints, one } from './support/one-endpoint.ts'

const directory = mkdtempSync(join(tmpdir(), 'goldseam-oauth2-'))
const endpoints = createEndpoints(directory)
afterAll(() => rmSync(directory, { recursive: true, force: true }))
afterEach(() => endpoints.close())

interface TokenRequest {
  readonly headers: IncomingHttpHeaders
  readonly form: URLSearchParams
}

/** What hands out tokens, and who asked it. */
async function login(how: (asked: TokenRequest, response: ServerResponse) => void) {
  const asked: TokenRequest[] = []
  const port = await endpoints.plain(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const told = { headers: request.headers, form: new URLSearchParams(body) }
    asked.push(told)
    how(told, response)
  })
  return { asked, url: `http://127.0.0.1:${port}/token` }
}

function settings(url: string, tokenUrl: string, secret = 'hunter 2/3', more = '') {
  writeFileSync(join(directory, 'client-secret'), secret)
  return `url: "${url}", oauth2: { tokenUrl: "${tokenUrl}", clientId: us, clientSecretFile: client-secret${more} }`
}

/** Why nothing was answered, where the token server does this. */
async function failureBy(how: (asked: TokenRequest, response: ServerResponse) => void, secret?: string) {
  const { url } = await login(how)
  const ask = endpoints.asking(settings('http://127.0.0.1:1', url, secret))
  return ask().then(
    () => new Error('it was answered'),
    (thrown: unknown) => thrown as Error & { readonly kind?: string; readonly retryAfterSeconds?: number | null },
  )
}

test.each<{ name: string; spell: (secret: string, pair: string) => string }>([
  { name: 'as it is', spell: (secret) => secret },
  { name: 'as it stands in a form', spell: (secret) => new URLSearchParams({ '': secret }).toString().slice(1) },
  { name: 'as it stands in a URL', spell: (secret) => encodeURIComponent(secret) },
  { name: 'as it stands in the header', spell: (_, pair) => pair },
])('a token server that repeats the client secret, $name, does not show it to everybody', async ({ spell }) => {
  const secret = 'hunter 2/3'
  const shown = spell(secret, Buffer.from(`us:${encodeURIComponent(secret)}`).toString('base64'))
  for (const error of [shown, `no client has ${shown}`, `invalid_${shown}`]) {
    const failure = await failureBy((_, response) => json(response, 401, { error }), secret)
    expect(failure).toMatchObject({ kind: 'unauthorized', message: expect.stringContaining('refused (HTTP 401') })
    expect(failure.message).not.toContain(shown)
  }
})

test('a secret that reads like a code of OAuth is not shown either', async () => {
  const { message } = await failureBy((_, response) => json(response, 400, { error: 'open_sesame' }), 'open_sesame')
  expect(message).not.toContain('sesame')
})

test('what a token server says is told where it is a code of OAuth, and no page of text', async () => {
  const saying = (error: string) => failureBy((_, response) => json(response, 400, { error }))
  expect((await saying('unauthorized_client')).message).toContain('(HTTP 400, unauthorized_client)')
  expect((await saying('Call 555 and tell them your password')).message).not.toContain('password')
})

test.each<{ name: string; status: number; headers?: Record<string, string>; failure: object }>([
  {
    name: 'is not at this address',
    status: 404,
    failure: { kind: 'malformed', message: expect.stringMatching(/no token for it: .* \(HTTP 404\); check tokenUrl$/) },
  },
  {
    name: 'is elsewhere',
    status: 302,
    headers: { location: 'http://127.0.0.1:1/' },
    failure: { kind: 'malformed', message: expect.stringMatching(/\(HTTP 302\).* not followed; check tokenUrl$/) },
  },
  {
    name: 'is asked too often',
    status: 429,
    headers: { 'retry-after': '120' },
    failure: { kind: 'unreachable', message: expect.stringContaining('HTTP 429'), retryAfterSeconds: 120 },
  },
  {
    name: 'is down, and says for how long by its own clock',
    status: 503,
    headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' },
    failure: { kind: 'unreachable', message: expect.stringContaining('HTTP 503'), retryAfterSeconds: 30 },
  },
])('a token server that $name: what to do about it', async ({ status, headers, failure }) => {
  expect(await failureBy((_, response) => void response.writeHead(status, headers).end())).toMatchObject(failure)
})

test('what a token request has to hold besides is sent with it, and replaces nothing', async () => {
  const { asked, url: tokenUrl } = await login((_, response) => json(response, 200, { access_token: 't1' }))
  const url = `http://127.0.0.1:${await endpoints.plain(one)}`
  const params = ', params: { audience: "https://metrics.test", resource: a b }'
  expect(await endpoints.asking(settings(url, tokenUrl, 'hunter2', params))()).toBe(1)
  expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({
    audience: 'https://metrics.test',
    resource: 'a b',
    grant_type: 'client_credentials',
  })
})

/** A Prometheus that holds what it is asked until it is told to answer; it takes one token. */
async function slowPrometheus(accepted: string) {
  const waiting: (() => void)[] = []
  const seen: (string | undefined)[] = []
  const port = await endpoints.plain(((request, response) => {
    const { authorization } = request.headers
    seen.push(authorization)
    if (authorization === `Bearer ${accepted}`) one(request, response)
    else waiting.push(() => response.writeHead(401).end())
  }) satisfies RequestListener)
  return { url: `http://127.0.0.1:${port}`, waiting, seen }
}

test('who is refused late does not throw away the token that was fetched meanwhile', async () => {
  let issued = 0
  const { asked, url: tokenUrl } = await login((_, response) => {
    issued += 1
    json(response, 200, { access_token: `t${issued}`, expires_in: 100 })
  })
  const { url, waiting, seen } = await slowPrometheus('t2')
  const ask = endpoints.asking(settings(url, tokenUrl))
  const answers = [ask(), ask(), ask()]
  await eventually(() => expect(waiting).toHaveLength(3))
  for (const [index, refuse] of waiting.entries()) {
    refuse()
    expect(await answers[index]).toBe(1)
  }
  expect(asked).toHaveLength(2)
  expect(seen).toEqual(['t1', 't1', 't1', 't2', 't2', 't2'].map((token) => `Bearer ${token}`))
})

test('a token that was refused is not sent again at once, where the token server has no other', async () => {
  const { asked, url: tokenUrl } = await login((_, response) => json(response, 200, { access_token: 'same' }))
  const { url, waiting, seen } = await slowPrometheus('other')
  const answer = endpoints.asking(settings(url, tokenUrl))()
  await eventually(() => expect(waiting).toHaveLength(1))
  waiting[0]?.()
  await expect(answer).rejects.toMatchObject({ kind: 'unauthorized' })
  expect(asked).toHaveLength(2)
  expect(seen).toHaveLength(1)
})
