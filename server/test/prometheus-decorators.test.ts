import { setMaxListeners } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import type { PrometheusApi } from '../src/prometheus/api.ts'
import { createPrometheus, createSharedPrometheus } from '../src/prometheus/create-prometheus.ts'
import { UpstreamError } from '../src/prometheus/upstream-error.ts'
import { createLine, withLimit } from '../src/prometheus/with-limit.ts'
import { type Answering, type FakePrometheus, json, startFakePrometheus, vector } from './support/fake-prometheus.ts'

const never = new AbortController().signal
// As those of the engine: many calls wait on one.
setMaxListeners(0, never)
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

const ok =
  (value: string): Answering =>
  (_, response) =>
    json(response, 200, vector([{ value }]))
const broken: Answering = (_, response) => void response.writeHead(503).end()
const hanging: Answering = () => new Promise(() => undefined)

/** A cluster whose replicas answer as told; the clock is set by hand. */
async function cluster(hows: readonly Answering[], timeoutSeconds = 5, concurrency?: number) {
  const replicas: FakePrometheus[] = await Promise.all(hows.map((how) => startFakePrometheus(how)))
  const clock = { seconds: 1_000 }
  const observed: string[] = []
  const endpoints = replicas.map(({ url }) => ({
    url,
    headers: {},
    authorization: async () => null,
    timeoutSeconds,
    maxResponseBytes: 1_000_000,
    maxSeries: 100,
    ...(concurrency === undefined ? {} : { concurrency }),
  }))
  const api = createPrometheus(
    { name: 'east', endpoints },
    { nowSeconds: () => clock.seconds, observe: (name, outcome) => observed.push(`${name} ${outcome}`) },
  )
  closing.push(() => api.close(), ...replicas.map((replica) => () => replica.close()))
  const value = async () => [...(await api.query('x', 1_000, never)).data][0]?.value
  return { api, replicas, clock, observed, value, states: () => api.status().map(({ state }) => state) }
}

describe('one endpoint', () => {
  test('its status: untried, ok with a time, then failing with a reason', async () => {
    const { api, replicas, clock, observed } = await cluster([ok('1')])
    expect(api.status()).toMatchObject([{ state: 'untried', lastAnswerAtSeconds: null, querySecondsP95: null }])
    await api.query('x', 1_000, never)
    expect(api.status()).toMatchObject([
      {
        url: replicas[0]?.url,
        state: 'ok',
        reason: null,
        lastAnswerAtSeconds: 1_000,
        querySecondsP95: expect.any(Number),
      },
    ])
    replicas[0]?.answer(broken)
    clock.seconds = 1_060
    await expect(api.query('x', 1_000, never)).rejects.toBeInstanceOf(UpstreamError)
    expect(api.status()).toMatchObject([{ state: 'failing', reason: /HTTP 503/, lastAnswerAtSeconds: 1_000 }])
    expect(observed).toEqual(['east ok', 'east unreachable'])
  })

  test('a rejected query does not make the endpoint a failing one', async () => {
    const { api, states } = await cluster([
      (_, r) => json(r, 400, { status: 'error', errorType: 'bad_data', error: 'e' }),
    ])
    await expect(api.query('x', 1_000, never)).rejects.toMatchObject({ kind: 'rejected' })
    expect(states()).toEqual(['ok'])
  })

  test.each([
    { name: 'no headers', how: hanging },
    {
      name: 'headers, then nothing',
      how: ((_, r) => void r.writeHead(200, { 'content-type': 'application/json' }).write('{')) satisfies Answering,
    },
  ])('a hang ($name) ends in a timeout, and the server sees the close', async ({ how }) => {
    const { api, replicas } = await cluster([how], 0.2)
    await expect(api.query('x', 1_000, never)).rejects.toMatchObject({
      kind: 'timeout',
      message: /no answer within 0.2 s/,
    })
    await replicas[0]?.asked[0]?.clientLeft
  })

  test.each([undefined, 1, 2])(
    'concurrency %s: at most that many calls run at once (unset: 4), none is lost',
    async (given) => {
      let running = 0
      let most = 0
      const { api } = await cluster(
        [
          async (_, response) => {
            running += 1
            most = Math.max(most, running)
            await new Promise((resolve) => setTimeout(resolve, 30))
            running -= 1
            json(response, 200, vector([]))
          },
        ],
        5,
        given,
      )
      await Promise.all(Array.from({ length: 13 }, () => api.query('x', 1_000, never)))
      expect(most).toBe(given ?? 4)
    },
  )
})

test('who leaves the line lets the others move on', async () => {
  const finish: (() => void)[] = []
  const api: PrometheusApi = {
    query: () => new Promise((resolve) => finish.push(() => resolve({ data: [], warnings: [] }))),
    queryRange: async () => ({ data: [], warnings: [] }),
    labelValues: async () => ({ data: [], warnings: [] }),
    forward: async () => ({ state: 'answered', data: null, warnings: [], infos: [], bytes: 0 }),
    scrapeIntervalSeconds: async () => null,
    status: () => [],
  }
  const limited = withLimit(api, 1)
  const leaving = new AbortController()
  const first = limited.query('1', 1_000, never)
  const second = limited.query('2', 1_000, leaving.signal)
  const third = limited.query('3', 1_000, never)
  await expect.poll(() => finish.length).toBe(1)
  leaving.abort()
  await expect(second).rejects.toMatchObject({ kind: 'aborted' })
  finish[0]?.()
  await first
  await expect.poll(() => finish.length).toBe(2)
  finish[1]?.()
  await third
})

test('a call that hangs lends its place, so that others go on; not without end', async () => {
  const finish: (() => void)[] = []
  let running = 0
  let most = 0
  const api = {
    query: () =>
      new Promise((resolve) => {
        running += 1
        most = Math.max(most, running)
        finish.push(() => {
          running -= 1
          resolve({ data: [], warnings: [] })
        })
      }),
  } as unknown as PrometheusApi
  const limited = withLimit(api, createLine(1), 0.01)
  const calls = Array.from({ length: 6 }, (_, index) => limited.query(`${index}`, 1_000, never))
  await expect.poll(() => finish.length).toBe(3)
  // Three hang at one place: the next starts when one of them ends, and no sooner.
  for (let index = 0; index < 6; index += 1) {
    await expect.poll(() => finish.length).toBeGreaterThan(index)
    finish[index]?.()
    await calls[index]
  }
  expect(most).toBe(3)
  // All places are back.
  const last = limited.query('last', 1_000, never)
  await expect.poll(() => finish.length).toBe(7)
  finish[6]?.()
  await last
})

test('who waits at an endpoint that many clusters share keeps no place from the others', async () => {
  const [stuck, quick] = await Promise.all([startFakePrometheus(hanging), startFakePrometheus(ok('1'))])
  const endpoint = ({ url }: FakePrometheus) => ({
    ...{ url, headers: {}, authorization: async () => null, timeoutSeconds: 5, maxResponseBytes: 1_000_000 },
    ...{ maxSeries: 100, concurrency: 1 },
  })
  const deps = { nowSeconds: () => 1_000, observe: () => undefined, places: createLine(2) }
  const shared = createSharedPrometheus([endpoint(stuck)], deps)
  const alone = createPrometheus({ name: 'alone', endpoints: [endpoint(quick)] }, deps)
  const leave = new AbortController()
  closing.push(
    () => shared.close(),
    () => alone.close(),
    () => stuck.close(),
    () => quick.close(),
  )
  const waiting = ['a', 'b', 'c'].map((name) =>
    shared
      .forCluster(name)
      .query('x', 1_000, leave.signal)
      .catch(() => null),
  )
  await expect.poll(() => stuck.asked.length).toBe(1)
  expect([...(await alone.query('x', 1_000, AbortSignal.timeout(900))).data][0]?.value).toBe(1)
  leave.abort()
  await Promise.all(waiting)
})

describe('replicas', () => {
  test('the first good answer wins; nothing is added up', async () => {
    const { value, replicas, states } = await cluster([ok('1'), ok('2')])
    expect(await value()).toBe(1)
    expect(replicas[1]?.asked).toEqual([])
    expect(states()).toEqual(['ok', 'untried'])
  })

  test('a failing one is passed over, and not asked first again', async () => {
    const { value, replicas, states } = await cluster([broken, ok('2')])
    expect(await value()).toBe(2)
    expect(await value()).toBe(2)
    // Twice, because a connection may be lost by chance.
    expect(replicas[0]?.asked).toHaveLength(2)
    expect(states()).toEqual(['failing', 'ok'])
  })

  test('one that came back is noticed in passing', async () => {
    const { value, replicas, clock, states } = await cluster([broken, ok('2')])
    await value()
    replicas[0]?.answer(ok('1'))
    clock.seconds += 31
    expect(await value()).toBe(2)
    await expect.poll(states).toEqual(['ok', 'ok'])
    // It has shown no more than that: who answers real questions goes on until it fails.
    expect(await value()).toBe(2)
    replicas[1]?.answer(broken)
    expect(await value()).toBe(1)
  })

  test('one that answers nothing but "is it back" holds nobody up again', async () => {
    const isProbe = ({ fields }: Parameters<Answering>[0]) => fields.get('query') === 'vector(1)'
    const trivial: Answering = (asked, response) => (isProbe(asked) ? ok('1') : broken)(asked, response)
    const { value, replicas, clock, states } = await cluster([trivial, ok('2')])
    const real = () => (replicas[0]?.asked ?? []).filter((asked) => !isProbe(asked)).length
    await value()
    const before = real()
    for (let probe = 0; probe < 3; probe += 1) {
      clock.seconds += 31
      expect(await value()).toBe(2)
      await expect.poll(states).toEqual(['ok', 'ok'])
      expect(await value()).toBe(2)
    }
    expect(real()).toBe(before)
  })

  test('a rejected query is not tried on the others', async () => {
    const { value, replicas } = await cluster([
      (_, r) => json(r, 400, { status: 'error', errorType: 'bad_data', error: 'e' }),
      ok('2'),
    ])
    await expect(value()).rejects.toMatchObject({ kind: 'rejected' })
    expect(replicas[1]?.asked).toEqual([])
  })

  test('all failing: one error that tells what each said', async () => {
    const { value } = await cluster([broken, (_, r) => void r.writeHead(401).end()])
    await expect(value()).rejects.toMatchObject({
      kind: 'unreachable',
      message: /all 2 endpoints failed: HTTP 503.* \| access refused/,
    })
  })

  test('a caller who leaves is not a reason to try the next', async () => {
    const { api, replicas, states } = await cluster([hanging, ok('2')])
    const leaving = new AbortController()
    const answer = api.query('x', 1_000, leaving.signal)
    await expect.poll(() => replicas[0]?.asked.length).toBe(1)
    leaving.abort()
    await expect(answer).rejects.toMatchObject({ kind: 'aborted' })
    expect(replicas[1]?.asked).toEqual([])
    expect(states()).toEqual(['untried', 'untried'])
  })
})
