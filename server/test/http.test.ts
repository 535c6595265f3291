import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints, Problem } from '../src/contract/index.ts'
import type { Handlers } from '../src/http/mount.ts'
import { HttpProblem } from '../src/http/problem.ts'
import { startApp } from './support/start-app.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

async function app(...given: Parameters<typeof startApp>) {
  const started = await startApp(...given)
  closing.push(() => started.close())
  return started
}

/** A use case that answers with anything: what it says is not the matter here. */
function answering(body: object): Handlers['fleet'] {
  return async () => body as Awaited<ReturnType<Handlers['fleet']>>
}

async function problemOf(response: Response) {
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  const problem = Problem.parse(await response.json())
  expect(problem.status).toBe(response.status)
  expect(problem.requestId).toBe(response.headers.get('x-request-id'))
  return problem
}

describe('an endpoint', () => {
  test('gets its path parameters decoded, its query parsed, and answers with JSON', async () => {
    let seen: unknown
    const { url } = await app({
      handlers: {
        workload: async ({ params, query }) => {
          seen = { params, query }
          return { hello: 'world' } as never
        },
      },
    })
    const response = await fetch(`${url}/api/v1/workloads/east/shop/statefulset%3Adb?from=now-30m&unknown=1`)
    expect(await response.json()).toEqual({ hello: 'world' })
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('x-goldseam-build')).toBe('test-build')
    expect(seen).toEqual({
      params: { cluster: 'east', namespace: 'shop', name: 'statefulset:db' },
      query: { from: 'now-30m' },
    })
  })

  test('answers 304 to who has it, and 200 once it changed', async () => {
    let body = { n: 1 }
    const { url } = await app({ handlers: { fleet: (request) => answering(body)(request) } })
    const first = await fetch(`${url}/api/v1/fleet`)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/".+"$/)
    const again = await fetch(`${url}/api/v1/fleet`, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    body = { n: 2 }
    expect((await fetch(`${url}/api/v1/fleet`, { headers: { 'if-none-match': etag } })).status).toBe(200)
  })

  test('large answers are compressed', async () => {
    const { url } = await app({ handlers: { fleet: answering({ text: 'x'.repeat(5_000) }) } })
    const response = await fetch(`${url}/api/v1/fleet`, { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    const smaller = await fetch(`${url}/api/v1/fleet`, { headers: { 'accept-encoding': 'gzip, br' } })
    expect(smaller.headers.get('content-encoding')).toBe('br')
    expect(await smaller.json()).toEqual({ text: 'x'.repeat(5_000) })
    expect(await response.json()).toEqual({ text: 'x'.repeat(5_000) })
    const plain = await fetch(`${url}/api/v1/fleet`, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
  })

  test('names every field of a bad request', async () => {
    const { url } = await app()
    const response = await fetch(`${url}/api/v1/fleet?from=yesterday&window=long&c=a&c=b`)
    const problem = await problemOf(response)
    expect(problem).toMatchObject({ status: 400, type: '/problems/invalid-request', title: 'Invalid request' })
    expect(problem.errors).toEqual([
      { pointer: '/query/from', detail: expect.stringContaining('RFC 3339') },
      { pointer: '/query/window', detail: expect.stringContaining('90s') },
      { pointer: '/query/c', detail: expect.stringContaining('only once') },
    ])
  })

  test('a path that is not percent-encoded rightly is a bad request, not a fault', async () => {
    const { url } = await app()
    expect(await problemOf(await fetch(`${url}/api/v1/workloads/east/%E0%A4%A/x`))).toMatchObject({ status: 400 })
  })

  test('a problem thrown by a use case is told as it is', async () => {
    const { url } = await app({
      handlers: {
        fleet: async () => {
          throw new HttpProblem({
            status: 404,
            type: '/problems/no-such-workload',
            title: 'No such workload',
            near: ['east/a/b'],
          })
        },
      },
    })
    expect(await problemOf(await fetch(`${url}/api/v1/fleet`))).toEqual({
      status: 404,
      type: '/problems/no-such-workload',
      title: 'No such workload',
      near: ['east/a/b'],
      requestId: expect.any(String),
    })
  })

  test('an unknown error keeps its words to the log, under the id the client was given', async () => {
    const { url, logged } = await app({
      handlers: {
        fleet: async () => {
          throw new Error('the secret is 42')
        },
      },
    })
    const response = await fetch(`${url}/api/v1/fleet`, { headers: { 'x-request-id': 'abc-1' } })
    const problem = await problemOf(response)
    expect(problem).toEqual({ status: 500, type: 'about:blank', title: 'Internal Server Error', requestId: 'abc-1' })
    expect(logged).toContainEqual(
      expect.objectContaining({ requestId: 'abc-1', err: expect.objectContaining({ message: 'the secret is 42' }) }),
    )
  })

  test('tells the use case when the client has left', async () => {
    let asked: AbortSignal | undefined
    const { url, logged } = await app({
      handlers: {
        fleet: ({ signal }) => {
          asked = signal
          return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        },
      },
    })
    const leaving = request(`${url}/api/v1/fleet`)
    leaving.on('error', () => undefined)
    leaving.end()
    await expect.poll(() => asked).toBeDefined()
    expect(asked?.aborted).toBe(false)
    leaving.destroy()
    await expect.poll(() => asked?.aborted).toBe(true)
    await expect.poll(() => logged.find(({ msg }) => msg === 'request')).toMatchObject({ status: 499 })
    expect(logged.find(({ msg }) => msg === 'request failed')).toBeUndefined()
  })

  test.each(['POST', 'PUT', 'DELETE'])('%s is not possible', async (method) => {
    const { url } = await app()
    const response = await fetch(`${url}/api/v1/fleet`, { method })
    expect(response.headers.get('allow')).toBe('GET, HEAD')
    expect(await problemOf(response)).toMatchObject({ status: 405, type: '/problems/method-not-allowed' })
  })

  test.each(['/api/v1/nothing', '/api', '/api/v2/fleet'])('%s is not there', async (path) => {
    const { url } = await app()
    const response = await fetch(url + path, { headers: { accept: 'text/html' } })
    expect(await problemOf(response)).toMatchObject({ status: 404, type: '/problems/not-found' })
  })
})

const OpenApi = z.object({
  openapi: z.string(),
  paths: z.record(
    z.string(),
    z.object({ get: z.looseObject({ parameters: z.array(z.looseObject({ name: z.string() })) }) }),
  ),
  components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }),
})

describe('OpenAPI', () => {
  test('lists every endpoint, with parameters and resolvable references', async () => {
    const { url } = await app()
    const document = OpenApi.parse(await (await fetch(`${url}/api/v1/openapi.json`)).json())
    expect(document.openapi).toBe('3.1.0')
    const paths = Object.values(endpoints).map(({ path }) => path.replace(/:(\w+)/g, '{$1}'))
    expect(Object.keys(document.paths)).toEqual(paths)
    const focus = document.paths['/api/v1/suspects']?.get.parameters.find(({ name }) => name === 'focus')
    expect(focus).toMatchObject({ in: 'query', required: false, schema: { type: 'string' } })
    const as = document.paths['/api/v1/fleet']?.get.parameters.find(({ name }) => name === 'as')
    expect(as).toMatchObject({ schema: { enum: ['table'], description: expect.stringContaining('`Table`') } })
    expect(document.components.schemas.Table).toMatchObject({ description: expect.stringContaining('Rows as columns') })
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, reference]) => reference ?? '',
    )
    expect(references).toContain('#/components/schemas/Problem')
    for (const reference of references) {
      expect(reference).toMatch(/^#\/components\/schemas\//)
      expect(document.components.schemas).toHaveProperty(reference.split('/').at(-1) ?? '')
    }
  })

  test('what runs here', async () => {
    const { url } = await app()
    expect(await (await fetch(`${url}/api/v1/build`)).json()).toEqual({ name: 'goldseam', build: 'test-build' })
  })
})

describe('probes', () => {
  test('alive and ready; draining is alive and not ready', async () => {
    let ready = true
    const { url } = await app({ isReady: () => ready })
    const statuses = async () => [(await fetch(`${url}/healthz`)).status, (await fetch(`${url}/readyz`)).status]
    expect(await statuses()).toEqual([200, 200])
    ready = false
    expect(await statuses()).toEqual([200, 503])
  })

  test('metrics of requests by pattern, never by name, and of the clusters', async () => {
    const { url, metrics } = await app({ handlers: { workload: answering({}) as never } })
    metrics.watchSnapshotAges(() => ({ east: 3, west: null }))
    metrics.upstreamSeconds('east', 'timeout', 5)
    await (await fetch(`${url}/api/v1/workloads/east/shop/api`)).text()
    await fetch(`${url}/nowhere`, { method: 'POST' })
    const text = await (await fetch(`${url}/metrics`)).text()
    expect(text).toContain(
      'goldseam_http_request_seconds_count{route="/api/v1/workloads/:cluster/:namespace/:name",status="2xx"} 1',
    )
    expect(text).toContain('goldseam_http_request_seconds_count{route="other",status="4xx"} 1')
    expect(text).toContain('goldseam_upstream_seconds_count{cluster="east",outcome="timeout"} 1')
    expect(text).toContain('goldseam_snapshot_age_seconds{cluster="east"} 3')
    expect(text).not.toContain('cluster="west"')
    expect(text).toContain('process_cpu_seconds_total')
  })
})

describe('web files', () => {
  function builtWeb(): string {
    const webDir = mkdtempSync(join(tmpdir(), 'goldseam-web-'))
    closing.push(() => rmSync(webDir, { recursive: true }))
    mkdirSync(join(webDir, 'assets'))
    writeFileSync(join(webDir, 'index.html'), '<!doctype html><head><title>Goldseam</title></head>')
    writeFileSync(join(webDir, 'assets', 'index-abc123.js'), `${'console.log(1);'.repeat(200)}`)
    writeFileSync(join(webDir, 'assets', 'letters-abc123.woff2'), Buffer.alloc(4_000))
    return webDir
  }
  const html = { headers: { accept: 'text/html' } }

  test.each(['/', '/map', '/w/east/shop/api.v1'])('%s gets the page, to be looked at again each time', async (path) => {
    const { url } = await app({ webDir: builtWeb() })
    const response = await fetch(url + path, html)
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    const page = await response.text()
    expect(page).toContain('<title>Goldseam')
    expect(page).toContain(`<meta name="goldseam-build" content="${response.headers.get('x-goldseam-build')}" />`)
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('upgrade-insecure-requests')
    expect(policy?.match(/script-src[^;]*/)?.[0]).not.toContain('unsafe')
  })

  test('files with a hash in their name are kept for ever, and compressed', async () => {
    const { url } = await app({ webDir: builtWeb() })
    const response = await fetch(`${url}/assets/index-abc123.js`, { headers: { 'accept-encoding': 'gzip' } })
    // The wall's frame has an opaque origin: to it they are another site's.
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('a font is kept for ever, is not compressed once more, and the frame of a wall may use it', async () => {
    const { url } = await app({ webDir: builtWeb() })
    const response = await fetch(`${url}/assets/letters-abc123.woff2`, { headers: { 'accept-encoding': 'gzip' } })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'font/woff2',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'content-length': '4000',
    })
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(response.headers.get('content-security-policy')).toContain("font-src 'self'")
  })

  test('a missing file is missing, not the page', async () => {
    const { url } = await app({ webDir: builtWeb() })
    expect((await fetch(`${url}/assets/old.js`, html)).status).toBe(404)
    expect((await fetch(`${url}/favicon.png`, { headers: { accept: 'image/png' } })).status).toBe(404)
    expect((await fetch(`${url}/map`, { method: 'POST', ...html })).status).toBe(404)
  })

  test.each([null, '/nowhere/at/all'])('not built (%s): a page that says how', async (webDir) => {
    const { url } = await app({ webDir })
    const response = await fetch(url, html)
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('npm run build')
  })
})

test('two apps in one process do not clash', async () => {
  const [a, b] = await Promise.all([app(), app()])
  expect((await fetch(`${a.url}/metrics`)).status).toBe(200)
  expect((await fetch(`${b.url}/metrics`)).status).toBe(200)
})
