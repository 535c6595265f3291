import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { createHttpApi, type HttpEndpoint } from '../src/prometheus/http-api.ts'
import { type Answering, type FakePrometheus, json, startFakePrometheus, vector } from './support/fake-prometheus.ts'

const never = new AbortController().signal
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

async function fake(how: Answering): Promise<FakePrometheus> {
  const server = await startFakePrometheus(how)
  closing.push(() => server.close())
  return server
}

function api(url: string, change: Partial<HttpEndpoint> = {}) {
  const made = createHttpApi({
    url,
    headers: {},
    authorization: async () => null,
    timeoutSeconds: 7,
    maxResponseBytes: 100_000,
    maxSeries: 100,
    ...change,
  })
  closing.push(() => made.close())
  return made
}

describe('good answers', () => {
  test('an instant query is a form POST with time and timeout, under the path prefix', async () => {
    const server = await fake((_, response) => json(response, 200, vector([{ labels: { a: 'b' }, value: '1e+06' }])))
    const answer = await api(`${server.url}/prom`).query('up{a="b"}', 1_000.5, never)
    expect({ ...answer, data: [...answer.data] }).toEqual({
      data: [{ labels: { a: 'b' }, apart: {}, value: 1_000_000 }],
      warnings: [],
      bytes: expect.any(Number),
    })
    expect(server.asked[0]).toMatchObject({ method: 'POST', path: '/prom/api/v1/query' })
    expect(Object.fromEntries(server.asked[0]?.fields ?? [])).toEqual({
      query: 'up{a="b"}',
      time: '1000.5',
      timeout: '7',
      stats: 'true',
    })
  })

  test('how long the server took to evaluate it comes along, where the server tells', async () => {
    const stats = { timings: { evalTotalTime: 0.25, execTotalTime: 3 } }
    const data = { resultType: 'vector', result: [], stats }
    const server = await fake((_, response) => json(response, 200, { status: 'success', data }))
    const answer = await api(server.url).query('up', 1_000, never)
    expect({ ...answer, data: [...answer.data] }).toEqual({
      data: [],
      warnings: [],
      evalSeconds: 0.25,
      bytes: expect.any(Number),
    })
  })

  test('NaN and infinities arrive; what may be missing is told apart from remarks on the query', async () => {
    const values = ['NaN', '+Inf', '-Inf', '0'].map((value) => ({ labels: { told: value }, value }))
    // As Thanos answers: everything among the warnings.
    const warnings = [
      'PromQL info: metric might not be a counter',
      'receive series from Addr: 10.0.0.1:10901',
      'PromQL warning: w',
    ]
    const server = await fake((_, response) => json(response, 200, vector(values, { warnings, infos: ['i'] })))
    const answer = await api(server.url).query('x', 1_000, never)
    expect([...answer.data].map(({ value }) => value)).toEqual([Number.NaN, Infinity, -Infinity, 0])
    expect(answer.warnings).toEqual(['receive series from Addr: 10.0.0.1:10901'])
    expect(answer.infos).toEqual(['PromQL info: metric might not be a counter', 'PromQL warning: w', 'i'])
  })

  test.each([
    { retryAfter: '7', seconds: 7 },
    // By the clock that wrote both headers, not by ours.
    { retryAfter: 'Sun, 06 Nov 1994 08:49:52 GMT', seconds: 15 },
    { retryAfter: 'Sun, 06 Nov 1994 08:49:00 GMT', seconds: 0 },
    { retryAfter: 'soon', seconds: null },
    { retryAfter: '-3', seconds: null },
  ])('Retry-After: $retryAfter', async ({ retryAfter, seconds }) => {
    const server = await fake((_, response) => {
      response.writeHead(503, { date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': retryAfter })
      response.end('busy')
    })
    await expect(api(server.url).query('x', 1_000, never)).rejects.toMatchObject({ retryAfterSeconds: seconds })
  })

  test('native histograms, beside floats and in ranges', async () => {
    const histogram = {
      count: '3',
      sum: '4.5',
      buckets: [
        [0, '1', '3', '1'],
        [0, '3', '+Inf', '2'],
      ],
    }
    const server = await fake(({ path }, response) => {
      const matrix = path.endsWith('query_range')
      const first = matrix
        ? { values: [[990, '1']], histograms: [[1_000, histogram]] }
        : { histogram: [1_000, histogram] }
      const second = matrix ? { values: [[1_000, '7']] } : { value: [1_000, '7'] }
      const result = [
        { metric: { le: '' }, ...first },
        { metric: { le: '1' }, ...second },
      ]
      json(response, 200, { status: 'success', data: { resultType: matrix ? 'matrix' : 'vector', result } })
    })
    const read = expect.objectContaining({
      count: 3,
      sum: 4.5,
      lows: [1, 3],
      highs: [3, Number.POSITIVE_INFINITY],
      counts: [1, 2],
      layout: 'custom',
    })
    const answer = await api(server.url).query('x', 1_000, never)
    expect({ ...answer, data: [...answer.data] }).toEqual({
      data: [
        { labels: {}, apart: { le: '' }, value: Number.NaN, values: [Number.NaN], histogram: read },
        { labels: {}, apart: { le: '1' }, value: 7 },
      ],
      warnings: [],
      bytes: expect.any(Number),
    })
    const range = { fromSeconds: 990, toSeconds: 1_000, stepSeconds: 10 }
    expect([...(await api(server.url).queryRange('x', range, never)).data]).toEqual([
      { labels: {}, apart: { le: '' }, values: Float64Array.of(1, Number.NaN), histograms: [null, read] },
      { labels: {}, apart: { le: '1' }, values: Float64Array.of(Number.NaN, 7) },
    ])
  })

  test.each([
    ['no buckets list', { count: '1', sum: '1', buckets: {} }],
    ['a bucket without its count', { count: '1', sum: '1', buckets: [[0, '1', '2']] }],
    ['an unknown boundary rule', { count: '1', sum: '1', buckets: [[7, '1', '2', '1']] }],
    ['a count that is no number', { count: 'many', sum: '1' }],
    ['neither value nor histogram', undefined],
  ])('a native histogram with %s is no answer', async (_, histogram) => {
    const result = [{ metric: {}, histogram: histogram && [1_000, histogram] }]
    const server = await fake((_request, response) =>
      json(response, 200, { status: 'success', data: { resultType: 'vector', result } }),
    )
    await expect(api(server.url).query('x', 1_000, never)).rejects.toMatchObject({ kind: 'malformed' })
  })

  test('a range query gives columns', async () => {
    const result = [
      {
        metric: { a: 'b' },
        values: [
          [10, '1'],
          [20.5, '2'],
        ],
      },
    ]
    const server = await fake((_, response) =>
      json(response, 200, { status: 'success', data: { resultType: 'matrix', result } }),
    )
    const range = { fromSeconds: 10, toSeconds: 30, stepSeconds: 10 }
    const { data } = await api(server.url).queryRange('x', range, never)
    // A store may be off by a little.
    expect([...data]).toEqual([{ labels: { a: 'b' }, apart: {}, values: Float64Array.of(1, 2, Number.NaN) }])
    expect(Object.fromEntries(server.asked[0]?.fields ?? [])).toMatchObject({ start: '10', end: '30', step: '10' })
  })

  test('label values', async () => {
    const server = await fake((_, response) => json(response, 200, { status: 'success', data: ['a', 'b'] }))
    const answer = await api(server.url).labelValues('job', ['up', 'x{y="z"}'], { fromSeconds: 1, toSeconds: 2 }, never)
    expect(answer.data).toEqual(['a', 'b'])
    expect(server.asked[0]).toMatchObject({ method: 'GET', path: '/api/v1/label/job/values' })
    expect(server.asked[0]?.fields.getAll('match[]')).toEqual(['up', 'x{y="z"}'])
  })

  test('gzip is asked for and read', async () => {
    const server = await fake((asked, response) => {
      expect(asked.headers['accept-encoding']).toBe('gzip')
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync(JSON.stringify(vector([{ value: '1' }]))))
    })
    expect((await api(server.url).query('x', 1_000, never)).data).toHaveLength(1)
  })

  test('headers and authorization are sent, the latter as it is now', async () => {
    const server = await fake((_, response) => json(response, 200, vector([])))
    let token = 'one'
    const client = api(server.url, { headers: { 'X-Scope-OrgID': 't' }, authorization: async () => `Bearer ${token}` })
    await client.query('x', 1_000, never)
    token = 'two'
    await client.query('x', 1_000, never)
    expect(server.asked.map(({ headers }) => [headers.authorization, headers['x-scope-orgid']])).toEqual([
      ['Bearer one', 't'],
      ['Bearer two', 't'],
    ])
  })

  test('the longest scrape interval and the version', async () => {
    const yaml =
      'global:\n  scrape_interval: 1m\nscrape_configs:\n- job_name: a\n  scrape_interval: 2s\n- job_name: b\n  scrape_interval: 1m30s\n'
    const server = await fake(({ path }, response) =>
      json(response, 200, { status: 'success', data: path.endsWith('config') ? { yaml } : { version: '2.42.0' } }),
    )
    const client = api(server.url)
    expect(await client.scrapeIntervalSeconds(never)).toBe(90)
    expect(client.status()[0]?.version).toBe('2.42.0')
  })

  test('no status pages: no interval and no version, but no failure', async () => {
    const server = await fake(
      (_, response) => void response.writeHead(404, { 'content-type': 'text/plain' }).end('404'),
    )
    const client = api(server.url)
    expect(await client.scrapeIntervalSeconds(never)).toBeNull()
    expect(client.status()[0]?.version).toBeNull()
  })
})

describe('every fault has a kind and words', () => {
  const page =
    (status: number, type: string, text: string): Answering =>
    (_, response) => {
      response.writeHead(status, { 'content-type': type })
      response.end(text)
    }
  const body =
    (status: number, content: unknown): Answering =>
    (_, response) =>
      json(response, status, content)
  test.each<{ name: string; how: Answering; kind: string; words: RegExp }>([
    {
      name: '503 in HTML',
      how: page(503, 'text/html', '<h1>'),
      kind: 'unreachable',
      words: /HTTP 503: it is starting/,
    },
    {
      name: '503 by Prometheus',
      how: body(503, { status: 'error', errorType: 'unavailable', error: 'e' }),
      kind: 'unreachable',
      words: /failed \(HTTP 503\): e/,
    },
    {
      name: 'its own timeout',
      how: body(503, { status: 'error', errorType: 'timeout', error: 'late' }),
      kind: 'timeout',
      words: /gave up: late/,
    },
    {
      name: 'a bad query',
      how: body(400, { status: 'error', errorType: 'bad_data', error: 'parse' }),
      kind: 'rejected',
      words: /rejected the query \(bad_data\): parse/,
    },
    {
      name: 'too many samples',
      how: body(422, { status: 'error', errorType: 'execution', error: 'many' }),
      kind: 'rejected',
      words: /execution/,
    },
    {
      name: 'a login page',
      how: page(200, 'text/html', '<form>'),
      kind: 'malformed',
      words: /text\/html instead of a Prometheus answer/,
    },
    { name: 'JSON of another service', how: body(200, { hello: 1 }), kind: 'malformed', words: /another service/ },
    {
      name: 'truncated JSON',
      how: page(200, 'application/json', '{"status":"success","data":{"resu'),
      kind: 'malformed',
      words: /not complete JSON/,
    },
    {
      name: 'truncated gzip',
      how: (_, r) => {
        r.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        r.end(gzipSync('x'.repeat(9_999)).subarray(0, 20))
      },
      kind: 'malformed',
      words: /damaged or cut off/,
    },
    {
      name: 'the wrong result type',
      how: body(200, { status: 'success', data: { resultType: 'matrix', result: [] } }),
      kind: 'malformed',
      words: /answered with matrix/,
    },
    {
      name: 'a value that is no number',
      how: body(200, vector([{ value: 'much' }])),
      kind: 'malformed',
      words: /not a number/,
    },
    {
      name: '401',
      how: page(401, 'text/plain', 'no'),
      kind: 'unauthorized',
      words: /HTTP 401\); check bearerTokenFile/,
    },
    {
      name: '403 in JSON',
      how: body(403, { status: 'error', error: 'tenant' }),
      kind: 'unauthorized',
      words: /HTTP 403\): tenant/,
    },
    { name: '404', how: page(404, 'text/plain', 'no'), kind: 'malformed', words: /check the path/ },
    {
      name: 'too large',
      how: body(200, vector([{ value: '1', labels: { a: 'x'.repeat(200_000) } }])),
      kind: 'tooLarge',
      words: /larger than 100000 bytes/,
    },
    {
      name: 'a small body that unpacks to a large one',
      how: (_, r) => {
        r.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        r.end(gzipSync(' '.repeat(10_000_000)))
      },
      kind: 'tooLarge',
      words: /larger than/,
    },
    {
      name: 'too many series',
      how: body(200, vector(Array.from({ length: 101 }, () => ({ value: '1' })))),
      kind: 'tooLarge',
      words: /more than 100 series/,
    },
    {
      name: 'a connection cut before the answer',
      how: (_, r) => {
        r.destroy()
      },
      kind: 'unreachable',
      words: /closed the connection/,
    },
    {
      name: 'a connection cut within the answer',
      how: (_, r) => {
        r.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
        r.write('{')
        setTimeout(() => r.destroy(), 20)
      },
      kind: 'unreachable',
      words: /closed the connection|failed/,
    },
  ])('$name: $kind', async ({ how, kind, words }) => {
    const server = await fake(how)
    const error = await api(server.url)
      .query('secret_query', 1_000, never)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'UpstreamError', kind, message: expect.stringMatching(words) })
    expect(String(error)).not.toContain('secret_query')
  })

  test('a redirect is not followed', async () => {
    const target = await fake((_, response) => json(response, 200, vector([])))
    const server = await fake((_, response) => void response.writeHead(302, { location: target.url }).end())
    await expect(api(server.url).query('x', 1_000, never)).rejects.toMatchObject({
      kind: 'malformed',
      message: /redirects are not followed/,
    })
    expect(target.asked).toEqual([])
  })

  test('connection refused', async () => {
    const server = await startFakePrometheus(() => undefined)
    await server.close()
    await expect(api(server.url).query('x', 1_000, never)).rejects.toMatchObject({
      kind: 'unreachable',
      message: /nothing listens at/,
    })
  })

  test('a name that does not resolve', async () => {
    await expect(api('http://nowhere.invalid').query('x', 1_000, never)).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('https to a server that speaks http', async () => {
    const server = await fake((_, response) => json(response, 200, vector([])))
    const error = api(server.url.replace('http:', 'https:')).query('x', 1_000, never)
    await expect(error).rejects.toMatchObject({ kind: 'tls' })
  })
})

test('an abort reaches the server: it sees the connection close', async () => {
  const server = await fake(() => new Promise(() => undefined))
  const leaving = new AbortController()
  const answer = api(server.url).query('x', 1_000, leaving.signal)
  await expect.poll(() => server.asked.length).toBe(1)
  leaving.abort()
  await expect(answer).rejects.toMatchObject({ kind: 'aborted' })
  await server.asked[0]?.clientLeft
})

test('an abort while the body arrives reaches the server too', async () => {
  const server = await fake((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"status":')
  })
  const leaving = new AbortController()
  const answer = api(server.url).query('x', 1_000, leaving.signal)
  setTimeout(() => leaving.abort(), 100)
  await expect(answer).rejects.toMatchObject({ kind: 'aborted' })
  await server.asked[0]?.clientLeft
})
