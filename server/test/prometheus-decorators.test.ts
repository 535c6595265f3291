import { afterEach, describe, expect, test } from 'vitest'
import { UpstreamError } from '../src/prometheus/upstream-error.ts'
import { broken, hanging, never, ok, startFakeCluster } from './support/fake-cluster.ts'
import { type Answering, json, vector } from './support/fake-prometheus.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

async function cluster(...given: Parameters<typeof startFakeCluster>) {
  const started = await startFakeCluster(...given)
  closing.push(started.close)
  return started
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
      let whenFull: () => void = () => undefined
      const full = new Promise<void>((resolve) => {
        whenFull = resolve
      })
      const { api } = await cluster(
        [
          async (_, response) => {
            running += 1
            most = Math.max(most, running)
            if (running === (given ?? 4)) whenFull()
            await full
            // One more than there may be would come now.
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

test('one that is left alone is tried with one request each time, and not asked once more', async () => {
  const { api, replicas, clock } = await cluster([broken])
  const asked = () => replicas[0]?.asked.length ?? 0
  const breaker = () => api.status()[0]?.breaker
  const askMany = () => Promise.allSettled(Array.from({ length: 20 }, () => api.query('x', 1_000, never)))
  await askMany()
  for (let times = 0; times < 3; times += 1) {
    expect(breaker()?.state).toBe('open')
    clock.seconds = breaker()?.nextTryAtSeconds ?? 0
    const before = asked()
    await askMany()
    expect(asked() - before).toBe(1)
  }
})

/** Lets queries through, and nothing else. */
const onlyQueries: Answering = (asked, response) =>
  asked.path.endsWith('/query') ? ok('1')(asked, response) : void response.writeHead(404).end('<html>not here</html>')

const alertsPage = { path: '/api/v1/alerts', method: 'GET', fields: [], about: 'alerts', timeoutSeconds: null } as const

describe('a page beside the queries that is closed off', () => {
  test.each([
    ['another page', onlyQueries],
    [
      'forbidden',
      ((asked, r) =>
        asked.path.endsWith('/query') ? ok('1')(asked, r) : void r.writeHead(403).end()) satisfies Answering,
    ],
  ])('is no trouble of the endpoints that answer queries: %s', async (_, how) => {
    const { api, value, states, replicas } = await cluster([how, how])
    expect(await value()).toBe(1)
    for (let times = 0; times < 5; times += 1)
      await expect(api.forward(alertsPage, never)).rejects.toBeInstanceOf(UpstreamError)
    expect(states()).not.toContain('failing')
    expect(api.status().map(({ breaker }) => breaker?.state)).toEqual(['closed', 'closed'])
    expect(await value()).toBe(1)
    expect(replicas[0]?.asked.some(({ path }) => path.endsWith('/alerts'))).toBe(true)
  })
})

test('whoever asks for a rest is not waited for while a replica stands by', async () => {
  const resting: Answering = (_, response) => void response.writeHead(503, { 'retry-after': '6' }).end()
  const { value, replicas } = await cluster([resting, ok('2')])
  expect(await value()).toBe(2)
  expect(replicas[0]?.asked).toHaveLength(1)
})

describe('replicas', () => {
  const isProbe = ({ fields }: Parameters<Answering>[0]) => fields.get('query') === 'vector(1)'

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
    await expect.poll(async () => [await value(), ...states()]).toEqual([2, 'ok', 'ok'])
    // It has shown no more than that: who answers real questions goes on until it fails.
    expect(await value()).toBe(2)
    replicas[1]?.answer(broken)
    expect(await value()).toBe(1)
  })

  test('a clock that is set back does not leave a failing replica alone until it has caught up', async () => {
    const { value, replicas, clock, states } = await cluster([broken, ok('2')])
    clock.seconds += 600
    expect(await value()).toBe(2)
    replicas[0]?.answer(ok('1'))
    clock.seconds -= 600
    // Where it was so slow to fail that it was asked whether it is there, that has to end first.
    await expect.poll(async () => [await value(), ...states()]).toEqual([2, 'ok', 'ok'])
  })

  test('one that answers nothing but "is it back" holds nobody up again', async () => {
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

  test('what waits in line at one that begins to hang goes on to the next as soon as that is plain', async () => {
    const { api, replicas } = await cluster([hanging, ok('2')], 2)
    const values = Array.from({ length: 12 }, async () => [...(await api.query('x', 1_000, never)).data][0]?.value)
    expect(await Promise.all(values)).toEqual(values.map(() => 2))
    // Those that went out together, and none of those behind them.
    expect(replicas[0]?.asked.filter((asked) => !isProbe(asked))).toHaveLength(4)
  })

  test('one that hangs is left before its callers are out of time, stopped there, and shown as failing', async () => {
    const { api, value, replicas, states, observed } = await cluster([hanging, ok('2')], 3)
    const question = { path: '/api/v1/query', method: 'POST', fields: [['query', 'x']], timeoutSeconds: 1 } as const
    expect(await api.forward(question, never)).toMatchObject({ state: 'answered' })
    await replicas[0]?.asked[0]?.clientLeft
    await expect.poll(() => observed.toSorted()).toEqual(['east aborted', 'east ok'])
    for (let times = 0; times < 5; times += 1) expect(await value()).toBe(2)
    expect(replicas[0]?.asked.filter((asked) => !isProbe(asked))).toHaveLength(1)
    await expect.poll(states).toEqual(['failing', 'ok'])
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
