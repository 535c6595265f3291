import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type AnswerReaders, createAnswerReaders } from '../src/prometheus/answer-readers.ts'
import { createHttpApi } from '../src/prometheus/http-api.ts'
import { jsonOf } from '../src/prometheus/json-text.ts'
import { readAnswer, type Wanted } from '../src/prometheus/read-answer.ts'
import { startFakePrometheus } from './support/fake-prometheus.ts'

const AT = 1_000
const never = new AbortController().signal
const head = { status: 200, contentType: 'application/json', retryAfter: '', date: '', receivedAtSeconds: AT }
const readers = createAnswerReaders()
const closing: (() => Promise<unknown>)[] = [readers.close]
afterAll(() => Promise.all(closing.map((close) => close())))

const body = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const success = (data: unknown, more: object = {}) => ({ status: 'success', data, ...more })
const instant = { kind: 'vector', maxSeries: 10_000, atSeconds: AT } as const
const range = {
  kind: 'matrix',
  maxSeries: 10_000,
  range: { fromSeconds: AT, toSeconds: AT + 45, stepSeconds: 15 },
} as const
const histogram = [AT, { count: '3', sum: '1.5', buckets: [[0, '0.5', '1', '3']] }]

const samples = [
  { metric: { a: 'x', le: '+Inf' }, value: [AT, 'NaN'] },
  { metric: { le: '1e+06', a: 'x' }, value: [AT, '-Inf'] },
  { metric: {}, value: [AT, '1.2345678901234567e-300'] },
  {
    metric: JSON.parse('{"__proto__":"p","constructor":"c","grün":"\\u0000 \\"q\\" \\\\ 𝒳","empty":""}'),
    value: [AT, '0'],
  },
  { metric: { a: 'x', le: '1' }, value: [AT, '17'] },
]
const series = [
  {
    metric: { a: 'x' },
    values: [
      [AT, '1'],
      [AT + 15, 'NaN'],
      [AT + 45, '+Inf'],
    ],
  },
  { metric: { b: 'x' }, values: [] },
  { metric: { a: 'y' }, values: [[AT + 30, '2']] },
]

const cases: [string, unknown, Wanted, Partial<typeof head>?][] = [
  ['samples with any labels and numbers', success({ resultType: 'vector', result: samples }), instant],
  ['no samples', success({ resultType: 'vector', result: [] }), instant],
  ['a scalar', success({ resultType: 'scalar', result: [AT, '3'] }), instant],
  [
    'native histograms among samples',
    success({ resultType: 'vector', result: [...samples, { metric: { n: '1' }, histogram }] }),
    instant,
  ],
  [
    'remarks and warnings',
    success({ resultType: 'vector', result: samples }, { warnings: ['w', 'PromQL info: i'], infos: ['j'] }),
    instant,
  ],
  ['series', success({ resultType: 'matrix', result: series }), range],
  [
    'series with native histograms',
    success({ resultType: 'matrix', result: [...series, { metric: { n: '1' }, histograms: [histogram] }] }),
    range,
  ],
  ['a refusal', { status: 'error', errorType: 'execution', error: 'too many samples' }, instant, { status: 422 }],
  ['a failure that says when to come back', 'busy', range, { status: 503, contentType: '', retryAfter: '7' }],
  ['what is cut off', '{"status":"success","data":{"resultType":"vector","result":[', instant],
  ['more than may be', success({ resultType: 'vector', result: samples }), { ...instant, maxSeries: 4 }],
  ['another time', success({ resultType: 'vector', result: samples }), { ...instant, atSeconds: 9 * AT }],
  ['what is handed on', success({ resultType: 'vector', result: samples }, { infos: ['i'] }), { kind: 'forward' }],
  ['a list that is handed on', success(['a', 'b']), { kind: 'forward' }],
  ['a refusal that is handed on', { status: 'error', errorType: 'bad_data', error: 'no' }, { kind: 'forward' }],
]

/** The value, or how it failed. */
async function outcomeOf(answer: () => unknown): Promise<unknown> {
  try {
    return { value: await answer() }
  } catch (error) {
    const { kind, message, retryAfterSeconds } = error as Record<string, unknown>
    return { kind, message, retryAfterSeconds }
  }
}

/** Numbers and series as plain lists, however they are held, numbers as texts: NaN and infinities count, and JSON has none. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one: unknown) => {
      if (typeof one === 'number') return String(one)
      return typeof one === 'object' && one !== null && Symbol.iterator in one ? [...(one as Iterable<unknown>)] : one
    }).replaceAll('__proto__', 'proto'),
  )

describe('another thread reads the same of', () => {
  test.each([...cases])('%s', async (_, value, wanted, more = {}) => {
    const of = { ...head, ...more }
    const here = await outcomeOf(() => readAnswer(of, body(value), wanted))
    const there = await outcomeOf(() => readers.read({ origin: 1, head: of, body: body(value), wanted }, never))
    expect(plain(there)).toEqual(plain(here))
  })

  test('a text that is not UTF-8', async () => {
    const bytes = () => Uint8Array.of(0x7b, 0xff, 0x7d)
    const there = await outcomeOf(() => readers.read({ origin: 1, head, body: bytes(), wanted: instant }, never))
    expect(there).toMatchObject({ kind: 'malformed', message: /not UTF-8/ })
  })

  test.each([
    [503, 'text/html; charset=iso-8859-1', 'unreachable', /^HTTP 503: it is starting/],
    [403, 'application/json', 'unauthorized', /^access refused \(HTTP 403\)/],
    [200, 'text/html', 'malformed', /login page/],
  ])(
    'a page in another alphabet, HTTP %i %s, is told by its status and kind',
    async (status, contentType, kind, message) => {
      const page = () => Uint8Array.from(Buffer.from('<h1>Gesperrt für alle</h1>', 'latin1'))
      const of = { ...head, status, contentType }
      const here = await outcomeOf(() => readAnswer(of, page(), instant))
      const there = await outcomeOf(() => readers.read({ origin: 1, head: of, body: page(), wanted: instant }, never))
      expect(here).toMatchObject({ kind, message })
      expect(there).toEqual(here)
    },
  )

  test('series that are handed on: the same JSON, not looked into', async () => {
    const data = { resultType: 'matrix', result: series }
    const answer = await readers.read(
      { origin: 1, head, body: body(success(data)), wanted: { kind: 'forward' } },
      never,
    )
    const rows = (answer as unknown as { data: { result: unknown[] } }).data.result
    expect(rows.map((row) => JSON.parse(jsonOf(row)))).toEqual(series)
  })
})

describe('labels of one origin', () => {
  type Read = { data: Iterable<{ labels: Record<string, string>; apart: Record<string, string>; value: number }> }
  const rows = (names: readonly string[]) =>
    names.map((a, at) => ({ metric: { a, le: `${at % 2}`, z: 'same' }, value: [AT, `${at}`] }))
  const read = async (origin: number, names: readonly string[], signal = never) => {
    const result = rows(names)
    const answer = readers.read(
      { origin, head, body: body(success({ resultType: 'vector', result })), wanted: instant },
      signal,
    )
    const data = [...((await answer) as unknown as Read).data]
    expect(
      data.map(({ labels, apart, value }) => ({ metric: { ...labels, ...apart }, value: [AT, `${value}`] })),
    ).toEqual(result)
    return data
  }

  test('are the same objects in each answer, in any order and beside others', async () => {
    const first = await read(10, ['x', 'y', 'z'])
    const other = await read(11, ['q', 'x'])
    const again = await read(10, ['w', 'z', 'x'])
    expect(again[1]?.labels).toBe(first[2]?.labels)
    expect(again[2]?.labels).toBe(first[0]?.labels)
    expect(again[0]?.apart).toBe(first[2]?.apart)
    expect(other[1]?.labels).not.toBe(first[0]?.labels)
  })

  test('go on after an answer that nobody waited for any more, and after one that was not as expected', async () => {
    const first = await read(12, ['x'])
    const leaving = new AbortController()
    const left = read(12, ['x', 'y'], leaving.signal)
    // In the hands of the thread already.
    const next = read(12, ['y', 'x'])
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    expect((await next)[1]?.labels).toBe(first[0]?.labels)
    const late = success({ resultType: 'vector', result: [{ metric: { a: 'v' }, value: [9 * AT, '1'] }] })
    await expect(readers.read({ origin: 12, head, body: body(late), wanted: instant }, never)).rejects.toThrow()
    expect((await read(12, ['u', 'v', 'x']))[2]?.labels).toBe(first[0]?.labels)
  })

  test('are told anew after they were forgotten, by either side', async () => {
    const first = await read(13, ['x', 'y'])
    readers.forget(13)
    expect((await read(13, ['y', 'x']))[1]?.labels).not.toBe(first[0]?.labels)
    const many = Array.from({ length: 9_000 }, (_, at) => `${at} ${'long'.repeat(300)}`)
    await read(13, many)
    await read(13, ['x', ...many.slice(7)])
    await read(13, ['y'])
  })
})

describe('a reader that fails', () => {
  let own: AnswerReaders | null = null
  afterEach(() => own?.close())
  const many = () => {
    const result = Array.from({ length: 150_000 }, (_, index) => ({ metric: { a: `${index}` }, value: [AT, '1'] }))
    return body(success({ resultType: 'vector', result }))
  }
  const few = () => body(success({ resultType: 'vector', result: samples }))
  const wanted = { ...instant, maxSeries: 1_000_000 }

  test('for want of memory takes one answer with it, and is started anew for those in line', async () => {
    own = createAnswerReaders({ threads: 1, maxMegabytes: 12 })
    const answers = [few(), many(), few()].map((one) => own?.read({ origin: 1, head, body: one, wanted }, never))
    const outcomes = await Promise.allSettled(answers)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((outcomes[1] as PromiseRejectedResult).reason).toMatchObject({
      kind: 'tooLarge',
      message:
        'reading the answer takes more than 12 MB of memory; lower limits.maxResponseBytes or use recording rules',
    })
  })

  test('whoever leaves the line gets no answer, the others do', async () => {
    own = createAnswerReaders({ threads: 1, maxMegabytes: 256 })
    const leaving = new AbortController()
    const first = own.read({ origin: 1, head, body: many(), wanted }, never)
    const second = own.read({ origin: 1, head, body: few(), wanted }, leaving.signal)
    const third = own.read({ origin: 1, head, body: few(), wanted }, never)
    leaving.abort(new Error('left'))
    await expect(second).rejects.toThrow('left')
    await expect(first).resolves.toMatchObject({ data: { length: 150_000 } })
    await expect(third).resolves.toMatchObject({ data: { length: samples.length } })
  })
})

describe('an endpoint hands to the readers what is large, and reads what is small itself:', () => {
  const kinds: string[] = []
  const heard: AnswerReaders = {
    ...readers,
    read(job, signal) {
      kinds.push(job.wanted.kind)
      return readers.read(job, signal)
    },
  }
  const limits = { timeoutSeconds: 10, maxResponseBytes: 50_000_000, maxSeries: 100_000 }

  async function apiOf(answer: () => unknown) {
    const fake = await startFakePrometheus((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(success(answer())))
    })
    const api = createHttpApi({
      url: fake.url,
      headers: {},
      authorization: async () => null,
      ...limits,
      readers: heard,
    })
    closing.push(api.close, fake.close)
    kinds.length = 0
    return api
  }

  test('samples', async () => {
    let count = 1
    const row = (index: number) => ({ metric: { a: `${index}` }, value: [AT, `${index}`] })
    const api = await apiOf(() => ({ resultType: 'vector', result: Array.from({ length: count }, (_, at) => row(at)) }))
    expect((await api.query('up', AT, never)).data.length).toBe(1)
    expect(kinds).toEqual([])
    count = 60_000
    const { data } = await api.query('up', AT, never)
    expect(kinds).toEqual(['vector'])
    expect(data.length).toBe(count)
    expect([...data][54_321]).toEqual({ labels: { a: '54321' }, apart: {}, value: 54_321 })
  })

  test('values of a label, with the limit there is for series', async () => {
    let names = ['up']
    const api = await apiOf(() => names)
    const read = () => api.labelValues('__name__', [], { fromSeconds: 0, toSeconds: AT }, never)
    expect((await read()).data).toEqual(names)
    expect(kinds).toEqual([])
    names = Array.from({ length: 60_000 }, (_, index) => `metric_${index}`)
    expect((await read()).data).toEqual(names)
    names = Array.from({ length: 100_001 }, (_, index) => `metric_${index}`)
    await expect(read()).rejects.toMatchObject({ kind: 'tooLarge', message: /^more than 100000 series/ })
    expect(kinds).toEqual(['texts', 'texts'])
  })

  test('the running config, whose YAML takes longer', async () => {
    let jobs = 1
    const job = (index: number) => `- job_name: j${index}\n  scrape_interval: ${index === 999 ? '1m15s' : '30s'}\n`
    const yaml = () => `scrape_configs:\n${Array.from({ length: jobs }, (_, index) => job(index)).join('')}`
    const api = await apiOf(() => ({ yaml: yaml() }))
    expect(await api.scrapeIntervalSeconds(never)).toBe(30)
    expect(kinds).toEqual([])
    jobs = 1_000
    expect(await api.scrapeIntervalSeconds(never)).toBe(75)
    expect(kinds).toContain('config')
  })
})

test('what a snapshot is made of is read before what somebody asked for by themselves', async () => {
  const alone = createAnswerReaders()
  closing.push(alone.close)
  const done: string[] = []
  const answer = JSON.stringify(success({ resultType: 'vector', result: samples }))
  const reading = (name: string, wanted: Wanted) =>
    alone.read({ origin: 7, head, body: body(answer), wanted }, never).then(() => done.push(name))
  const forward = { kind: 'forward' } as const
  // The first is in the thread, the others wait in line.
  await Promise.all([
    reading('forward 1', forward),
    reading('forward 2', forward),
    reading('snapshot 1', instant),
    reading('forward 3', forward),
    reading('snapshot 2', instant),
  ])
  expect(done).toEqual(['forward 1', 'snapshot 1', 'snapshot 2', 'forward 2', 'forward 3'])
})
