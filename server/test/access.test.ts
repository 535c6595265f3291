import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashOf, newToken } from '../src/access/tokens.ts'
import { parseConfig } from '../src/config/config.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { startFakePrometheus } from './support/fake-prometheus.ts'
import { type StartedGoldseam, startGoldseam } from './support/start-goldseam.ts'

const person = newToken('person')
const listedScreen = newToken('wall')
const bearer = { authorization: `Bearer ${person}` }
const json = { 'content-type': 'application/json' }
let directory = ''
let goldseam: StartedGoldseam
const closing: (() => unknown)[] = []

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'goldseam-auth-'))
  const prometheus = await startFakePrometheus(answering(oneWorkload('cart')))
  goldseam = await startGoldseam(
    `log: { level: warn }
refresh: 1s
auth:
  tokens: [{ name: ann, hash: "${hashOf(person)}" }]
  walls: [{ name: listed, hash: "${hashOf(listedScreen)}" }]
  wallsFile: ${join(directory, 'walls.json')}
clusters: [{ name: east, endpoints: [{ url: ${prometheus.url} }] }, { name: west, endpoints: [{ url: ${prometheus.url}/west }] }]
`,
  )
  closing.push(prometheus.close, goldseam.close, () => rmSync(directory, { recursive: true }))
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${goldseam.url}${path}`, { ...init, headers })
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  ask(path, { ...json, ...headers }, { method: 'POST', body: JSON.stringify(body) })

test('without a token no number leaves: not by the API, as Prometheus, by /metrics, or by the stream', async () => {
  for (const path of [
    '/api/v1/fleet',
    '/prometheus/api/v1/labels',
    '/metrics',
    '/api/v1/wall/stream',
    '/api/v1/walls',
  ]) {
    const refused = await ask(path)
    expect(refused.status, path).toBe(401)
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect((await ask(path, { authorization: 'Bearer nonsense' })).status, path).toBe(401)
  }
  for (const path of ['/healthz', '/readyz', '/api/v1/build']) expect((await ask(path)).status, path).toBe(200)
  expect((await ask('/api/v1/fleet', bearer)).status).toBe(200)
  expect((await ask('/metrics', bearer)).status).toBe(200)
})

test('a browser signs in once; its cookie is out of reach for scripts and other sites', async () => {
  expect((await post('/api/v1/session', { token: 'wrong' })).status).toBe(401)
  const signedIn = await post('/api/v1/session', { token: person })
  const cookie = signedIn.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/HttpOnly/)
  expect(cookie).toMatch(/SameSite=Strict/)
  expect((await ask('/api/v1/fleet', { cookie: cookie.split(';')[0] ?? '' })).status).toBe(200)
})

test('a screen shows a code, a person enters it, and the screen may look: at the wall, at its clusters, until revoked', async () => {
  const started = (await (await post('/api/v1/wall/pairings', {})).json()) as { code: string; secret: string }
  expect(started.code).toMatch(/^\d{3} \d{3}$/)
  const claim = async () => (await post('/api/v1/wall/pairings/claim', { secret: started.secret })).json()
  expect(await claim()).toEqual({ state: 'waiting' })
  expect((await post('/api/v1/walls/pair', { code: started.code, name: 'lobby' })).status).toBe(401)
  const pair = (c: string[]) => post('/api/v1/walls/pair', { code: started.code, name: 'lobby', c }, bearer)
  expect(await (await pair(['est'])).json()).toMatchObject({
    status: 400,
    detail: expect.stringMatching(/cluster est/),
  })
  expect((await pair(['east'])).status).toBe(201)
  const { token } = (await claim()) as { token: string }
  const wall = { authorization: `Bearer ${token}` }
  expect((await ask('/api/v1/fleet', wall)).status).toBe(403)

  const leaving = new AbortController()
  const stream = await ask('/api/v1/wall/stream?c=east,west', wall, { signal: leaving.signal })
  const reader = stream.body?.getReader()
  const first = new TextDecoder().decode((await reader?.read())?.value)
  expect(first).toContain('"name":"east"')
  expect(first).not.toContain('"name":"west"')
  // Whether or not there is such a cluster.
  for (const strange of ['west', 'nosuch']) {
    const refused = await ask(`/api/v1/wall/stream?c=${strange}`, wall)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      detail: `/query/c: cluster ${strange} is not configured here (known: east)`,
    })
  }

  expect(
    (await ask('/api/v1/walls/lobby', { ...bearer, ...json }, { method: 'PATCH', body: '{"name":"hall"}' })).status,
  ).toBe(200)
  expect(await (await ask('/api/v1/walls', bearer)).json()).toMatchObject({
    walls: [{ name: 'listed' }, { name: 'hall', clusters: ['east'] }],
  })
  expect((await ask('/api/v1/walls/hall', bearer, { method: 'DELETE' })).status).toBe(204)
  // The stream that is open ends too.
  for (;;) if ((await reader?.read())?.done !== false) break
  expect((await ask('/api/v1/wall/stream', wall)).status).toBe(401)
  leaving.abort()
})

test.each([
  { yaml: 'auth: { tokens: [] }', line: 3, says: /name at least one token/ },
  { yaml: 'auth:\n  tokens:\n    - { name: ann, hash: secret }', line: 5, says: /sha256: and 64 hex digits/ },
  { yaml: 'auth: { token: [] }', line: 3, says: /unknown key; did you mean tokens\?/ },
  { yaml: 'auth: anybody', line: 3, says: /use none, or tokens/ },
])('a mistake in auth is told with its line: $yaml', ({ yaml, line, says }) => {
  const parsed = parseConfig(
    `listen: 0.0.0.0:8700\nclusters: [{ name: east, endpoints: [{ url: http://x }] }]\n${yaml}\n`,
    'f',
  )
  if (!('errors' in parsed)) throw new Error('it was accepted')
  expect(parsed.errors.map((error) => [error.line, error.message])).toContainEqual([line, expect.stringMatching(says)])
})

test('other machines are let near only with tokens, or with a word', () => {
  const clusters = 'clusters: [{ name: east, endpoints: [{ url: http://x }] }]'
  expect(parseConfig(`listen: 0.0.0.0:8700\n${clusters}`, 'f')).toHaveProperty('errors')
  expect(parseConfig(`listen: 0.0.0.0:8700\nauth: none\n${clusters}`, 'f')).toHaveProperty('config')
  const tokens = `auth: { tokens: [{ name: ann, hash: "${hashOf(person)}" }] }`
  expect(parseConfig(`listen: 0.0.0.0:8700\n${tokens}\n${clusters}`, 'f')).toHaveProperty('config')
})

test('a note for the walls: by who is signed in, never by a wall, and gone when it is taken down', async () => {
  const put = (body: object, headers: Record<string, string>) =>
    ask('/api/v1/wall/note', { ...json, ...headers }, { method: 'PUT', body: JSON.stringify(body) })
  expect((await put({ text: 'mine' }, {})).status).toBe(401)
  const made = (await (await post('/api/v1/walls', { name: 'hall' }, bearer)).json()) as { token: string }
  expect((await put({ text: 'mine' }, { authorization: `Bearer ${made.token}` })).status).toBe(403)
  for (const wrong of [{ text: '' }, { text: 'x'.repeat(81) }, { text: 'a\nb' }, { text: 'a', minutes: 0 }, {}])
    expect((await put(wrong, bearer)).status, JSON.stringify(wrong)).toBe(400)
  expect(await (await put({ text: 'rolling back the ledger', minutes: 30 }, bearer)).json()).toMatchObject({
    note: { text: 'rolling back the ledger', by: 'ann' },
  })
  const stream = await ask('/api/v1/wall/stream', bearer)
  const reader = stream.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  const heard = async (words: string) => {
    while (!text.includes(words)) text += decoder.decode((await reader?.read())?.value, { stream: true })
  }
  await heard('"note":{"text":"rolling back the ledger","by":"ann"')
  text = ''
  expect((await ask('/api/v1/wall/note', bearer, { method: 'DELETE' })).status).toBe(204)
  await heard('"note":null')
  expect(await (await ask('/api/v1/wall/note', bearer)).json()).toEqual({ note: null })
  await reader?.cancel()
})

test('more screens than may wait are told when to ask again', async () => {
  const statuses: number[] = []
  let last: Response | undefined
  for (let screens = 0; screens < 60; screens += 1) {
    last = await post('/api/v1/wall/pairings', {})
    statuses.push(last.status)
  }
  expect(statuses.slice(0, 50)).toEqual(Array.from({ length: 50 }, () => 201))
  expect(last?.status).toBe(429)
  expect(last?.headers.get('retry-after')).toBe('3')
  expect(await last?.json()).toMatchObject({ detail: expect.stringMatching(/pair or switch off some of them/) })
})

test('a file of walls that cannot be read says so where somebody looks; who is in the config still gets in', async () => {
  writeFileSync(join(directory, 'walls.json'), '{ "walls": [')
  expect((await post('/api/v1/session', { token: `${person}x` })).status).toBe(401)
  expect((await post('/api/v1/session', { token: person })).status).toBe(200)
  const walls = await ask('/api/v1/walls', bearer)
  expect(walls.status).toBe(503)
  expect(await walls.json()).toMatchObject({ detail: expect.stringMatching(/walls\.json .*mend it or move it away/) })
  const leaving = new AbortController()
  const stream = await ask(
    '/api/v1/wall/stream',
    { authorization: `Bearer ${listedScreen}` },
    { signal: leaving.signal },
  )
  expect(stream.status).toBe(200)
  leaving.abort()
  const told = goldseam.logged.filter(({ msg }) => String(msg).startsWith('the file of paired walls cannot be read'))
  expect(told).toEqual([expect.objectContaining({ why: expect.stringMatching(/mend it or move it away/) })])
})

test.each([
  { method: 'POST', path: '/api/v1/links' },
  { method: 'PUT', path: '/api/v1/wall/note' },
  { method: 'POST', path: '/api/v1/walls' },
])('a body that is no JSON is named: $method $path', async ({ method, path }) => {
  for (const body of ['{"text":', '"text"']) {
    const refused = await ask(path, { ...bearer, ...json }, { method, body })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ detail: 'the body is not valid JSON; send an object, such as {}' })
  }
  const long = await ask(path, { ...bearer, ...json }, { method, body: JSON.stringify({ text: 'x'.repeat(40_000) }) })
  expect(long.status).toBe(413)
  expect(await long.json()).toMatchObject({ detail: expect.stringMatching(/^the body is larger than \d+ bytes$/) })
})

test('a path that is encoded wrongly is named as before', async () => {
  expect(await (await ask('/api/v1/links/%ZZ', bearer)).json()).toMatchObject({
    detail: expect.stringMatching(/percent-encoded/),
  })
})
