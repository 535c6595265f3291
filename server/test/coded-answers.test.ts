import { randomBytes } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { createHttpApi } from '../src/prometheus/http-api.ts'
import { startFakePrometheus, vector } from './support/fake-prometheus.ts'

const never = new AbortController().signal
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

const GOOD = JSON.stringify(vector([{ value: '1' }]))

/** What comes of an answer with this Content-Encoding. */
async function asked(status: number, encoding: string, body: string | Buffer, type = 'application/json') {
  const server = await startFakePrometheus((_, response) => {
    response.writeHead(status, { 'content-type': type, 'content-encoding': encoding, 'retry-after': '7' }).end(body)
  })
  const limits = { timeoutSeconds: 7, maxResponseBytes: 5_000_000, maxSeries: 100 }
  const api = createHttpApi({ url: server.url, headers: {}, authorization: async () => null, ...limits })
  closing.push(() => api.close().then(() => server.close()))
  return api.query('x', 1_000, never)
}

test.each(['gzip', 'GZIP', 'x-gzip', 'X-Gzip'])('%s is unpacked', async (encoding) => {
  expect((await asked(200, encoding, gzipSync(GOOD))).data).toHaveLength(1)
})

test.each(['identity', 'Identity'])('%s is read as it is', async (encoding) => {
  expect((await asked(200, encoding, GOOD)).data).toHaveLength(1)
})

describe('a refusal is judged by its status', () => {
  // Packs badly, so that it is more than the megabyte that is taken at once.
  const noise = gzipSync(randomBytes(1_500_000).toString('base64'))
  const bodies = [
    { what: 'no body', encoding: 'gzip', body: '' },
    { what: 'a page that is not packed', encoding: 'gzip', body: '<h1>' },
    { what: 'a page that is cut off', encoding: 'gzip', body: gzipSync('x'.repeat(9_999)).subarray(0, 20) },
    { what: 'much that is cut off', encoding: 'gzip', body: noise.subarray(0, -1_000) },
    { what: 'a page that is larger than can be', encoding: 'gzip', body: gzipSync(' '.repeat(9_000_000)) },
    { what: 'no body in a coding nobody asked for', encoding: 'br', body: '' },
    { what: 'a page in a coding nobody asked for', encoding: 'br', body: brotliCompressSync('<h1>') },
  ]
  test.each(bodies)('$what, $encoding', async ({ encoding, body }) => {
    await expect(asked(401, encoding, body)).rejects.toMatchObject({
      kind: 'unauthorized',
      message: 'access refused (HTTP 401); check bearerTokenFile, basicAuth or oauth2',
    })
    await expect(asked(503, encoding, body, 'text/html')).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'HTTP 503: it is starting, overloaded, or a proxy before it cannot reach it',
      retryAfterSeconds: 7,
    })
  })

  test('and by its words where they can be unpacked', async () => {
    const body = gzipSync(JSON.stringify({ status: 'error', errorType: 'bad_data', error: 'parse' }))
    await expect(asked(400, 'gzip', body)).rejects.toMatchObject({ kind: 'rejected', message: /\(bad_data\): parse/ })
  })
})

describe('a good answer', () => {
  test.each(['gzip', 'x-gzip', 'identity'])('of no bytes is empty, also as %s', async (encoding) => {
    await expect(asked(200, encoding, '')).rejects.toMatchObject({
      kind: 'malformed',
      message: 'the answer is empty; something on the way cut it off',
    })
  })

  test('that is damaged is so, and one in a coding nobody asked for is named', async () => {
    await expect(asked(200, 'gzip', '<h1>')).rejects.toMatchObject({ message: /damaged or cut off/ })
    await expect(asked(200, 'br', '')).rejects.toMatchObject({ message: /in the encoding br, which was not asked for/ })
  })
})
