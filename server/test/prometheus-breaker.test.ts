import { describe, expect, test } from 'vitest'
import type { PrometheusApi } from '../src/prometheus/api.ts'
import { UpstreamError, type UpstreamErrorKind } from '../src/prometheus/upstream-error.ts'
import { withBreaker } from '../src/prometheus/with-breaker.ts'
import { withRetry } from '../src/prometheus/with-retry.ts'

const never = new AbortController().signal
type Failure = UpstreamErrorKind | UpstreamError
const good = { data: [], warnings: [] }

/** An endpoint that fails as listed, call after call, and answers from then on. */
function failing(failures: readonly Failure[]) {
  const left = failures.map((one) => (one instanceof UpstreamError ? one : new UpstreamError(one, `${one} in words`)))
  const calls = { count: 0 }
  const status = {
    url: 'http://a',
    state: 'ok' as const,
    reason: null,
    lastAnswerAtSeconds: null,
    querySecondsP95: null,
    querySecondsPerSecond: 0,
    querySecondsTotal: 0,
    version: null,
    retention: null,
    log: { recent: () => [], lastHour: () => ({ answered: 0, failed: 0 }) },
    clockSkew: null,
    certificateEndsAtSeconds: null,
    breaker: { state: 'closed' as const, nextTryAtSeconds: null },
  }
  const answer = async () => {
    calls.count += 1
    const failure = left.shift()
    if (failure !== undefined) throw failure
    return good
  }
  const api: PrometheusApi = {
    query: answer,
    queryRange: answer,
    labelValues: answer,
    forward: async () => {
      throw new Error('nobody forwards here')
    },
    scrapeIntervalSeconds: async () => null,
    status: () => [status],
  }
  return { api, calls }
}

const tooMany = (retryAfterSeconds: number) => new UpstreamError('unreachable', '429', undefined, retryAfterSeconds)

describe('a second try', () => {
  function retried(...failures: readonly Failure[]) {
    const { api, calls } = failing(failures)
    const waited: number[] = []
    const clock = { seconds: 0 }
    const use = { ends: Number.POSITIVE_INFINITY }
    const wrapped = withRetry(api, {
      withinSeconds: 5,
      monotonicSeconds: () => clock.seconds,
      random: () => 0.5,
      wait: async (seconds, signal) => {
        signal.throwIfAborted()
        waited.push(seconds)
      },
      isInUse: () => waited.length < use.ends,
    })
    return { ask: (signal = never) => wrapped.query('x', 0, signal), calls, waited, clock, use }
  }

  test('helps against a lost connection, after a pause with jitter', async () => {
    const { ask, calls, waited } = retried('unreachable')
    await expect(ask()).resolves.toEqual(good)
    expect(calls.count).toBe(2)
    expect(waited).toEqual([expect.closeTo(0.2)])
  })

  test('is the last one', async () => {
    const { ask, calls } = retried('unreachable', 'unreachable', 'unreachable')
    await expect(ask()).rejects.toMatchObject({ kind: 'unreachable' })
    expect(calls.count).toBe(2)
  })

  test.each<UpstreamErrorKind>(['rejected', 'unauthorized', 'malformed', 'tooLarge', 'tls', 'timeout', 'aborted'])(
    'is not made when it was %s',
    async (kind) => {
      const { ask, calls } = retried(kind)
      await expect(ask()).rejects.toMatchObject({ kind })
      expect(calls.count).toBe(1)
    },
  )

  test('waits as long as Retry-After says where that is a moment; who asks for more is left alone', async () => {
    const { ask, waited } = retried(tooMany(1))
    await ask()
    expect(waited).toEqual([expect.closeTo(1.1)])
    const long = retried(tooMany(2))
    await expect(long.ask()).rejects.toMatchObject({ message: '429' })
    expect(long.calls.count).toBe(1)
  })

  test('is not made when it would not fit into the time of the call', async () => {
    const late = retried(tooMany(5))
    await expect(late.ask()).rejects.toMatchObject({ message: '429' })
    expect(late.calls.count).toBe(1)
  })

  test.each([
    ['was left alone before', 0],
    ['is left alone since', 1],
  ])('is not made at an endpoint that %s', async (_, ends) => {
    const { ask, calls, waited, use } = retried('unreachable')
    use.ends = ends
    await expect(ask()).rejects.toMatchObject({ kind: 'unreachable' })
    expect(calls.count).toBe(1)
    expect(waited).toHaveLength(ends)
  })

  test('is not made for a caller who left meanwhile', async () => {
    const { ask, calls } = retried('unreachable')
    await expect(ask(AbortSignal.abort())).rejects.toMatchObject({ kind: 'unreachable' })
    expect(calls.count).toBe(1)
  })
})

describe('the breaker', () => {
  function guarded(...failures: readonly Failure[]) {
    const { api, calls } = failing(failures)
    const clock = { seconds: 1_000 }
    const wrapped = withBreaker(api, {
      nowSeconds: () => clock.seconds,
      firstPauseSeconds: 5,
      longestPauseSeconds: 15,
    })
    const ask = (signal = never) => wrapped.query('x', 0, signal)
    const kindOf = () =>
      ask().then(
        () => 'ok',
        (error: UpstreamError) => error.kind,
      )
    return { ask, kindOf, calls, clock, breaker: () => wrapped.status()[0]?.breaker }
  }
  const many = (count: number) => Array.from({ length: count }, () => 'unreachable' as const)

  test('opens after three failures in a row, and then refuses at once with the cause and the time to come', async () => {
    const { ask, kindOf, calls, breaker } = guarded(...many(9))
    for (let call = 0; call < 3; call += 1) await kindOf()
    expect(breaker()).toEqual({ state: 'open', nextTryAtSeconds: 1_005 })
    await expect(ask()).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'unreachable in words; next try in 5 s',
    })
    expect(calls.count).toBe(3)
  })

  test('an answer in between starts the count again; so does one that only this query caused', async () => {
    const { kindOf, breaker } = guarded(...many(2), 'rejected', ...many(2))
    const kinds: string[] = []
    for (let call = 0; call < 6; call += 1) kinds.push(await kindOf())
    expect(kinds).toEqual(['unreachable', 'unreachable', 'rejected', 'unreachable', 'unreachable', 'ok'])
    expect(breaker()?.state).toBe('closed')
  })

  test('one call tries it after the pause; the others wait for what comes of it', async () => {
    const { kindOf, calls, clock, breaker } = guarded(...many(4))
    for (let call = 0; call < 3; call += 1) await kindOf()
    clock.seconds += 5
    const together = Promise.all([kindOf(), kindOf(), kindOf()])
    expect(breaker()?.state).toBe('halfOpen')
    expect(await together).toEqual(['unreachable', 'unreachable', 'unreachable'])
    expect(calls.count).toBe(4)
    clock.seconds += 10
    expect(await Promise.all([kindOf(), kindOf(), kindOf()])).toEqual(['ok', 'ok', 'ok'])
    expect(breaker()).toEqual({ state: 'closed', nextTryAtSeconds: null })
    expect(calls.count).toBe(7)
  })

  test('the pause grows to its most, and starts small again after a success', async () => {
    const { kindOf, clock, breaker } = guarded(...many(6))
    const pauses: number[] = []
    for (let call = 0; call < 2; call += 1) await kindOf()
    for (let round = 0; round < 4; round += 1) {
      await kindOf()
      pauses.push((breaker()?.nextTryAtSeconds ?? 0) - clock.seconds)
      clock.seconds = breaker()?.nextTryAtSeconds ?? 0
    }
    expect(pauses).toEqual([5, 10, 15, 15])
    expect(await kindOf()).toBe('ok')
  })

  test('a clock that is set back shuts nobody off for as long', async () => {
    const { kindOf, calls, clock } = guarded(...many(3))
    for (let call = 0; call < 3; call += 1) await kindOf()
    clock.seconds -= 600
    expect(await kindOf()).toBe('ok')
    expect(calls.count).toBe(4)
  })

  test('Retry-After opens it at once, and for as long', async () => {
    const { kindOf, breaker } = guarded(tooMany(40))
    await kindOf()
    expect(breaker()).toEqual({ state: 'open', nextTryAtSeconds: 1_040 })
  })

  test('callers who left do not count, and a probe that was left is made by the next', async () => {
    const { ask, kindOf, calls, clock, breaker } = guarded(...many(4))
    for (let call = 0; call < 5; call += 1) {
      const leaving = new AbortController()
      const answer = ask(leaving.signal)
      leaving.abort()
      await expect(answer).rejects.toBeInstanceOf(UpstreamError)
      if (call === 3) break
    }
    expect(breaker()?.state).toBe('closed')
    expect(calls.count).toBe(4)
    expect(await kindOf()).toBe('ok')
    expect(clock.seconds).toBe(1_000)
  })
})
