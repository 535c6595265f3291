import { describe, expect, test } from 'vitest'
import type { PrometheusApi } from '../src/prometheus/api.ts'
import { UpstreamError, type UpstreamErrorKind } from '../src/prometheus/upstream-error.ts'
import { type BreakerOptions, withBreaker } from '../src/prometheus/with-breaker.ts'
import { withLimit } from '../src/prometheus/with-limit.ts'
import { never } from './support/fake-cluster.ts'

const good = { data: [], warnings: [] }
const HANGS_SECONDS = 9

/** An endpoint whose calls end when they are told to, behind a breaker; the clock is set by hand. */
function guarded(inLine?: (api: PrometheusApi) => PrometheusApi, options: Partial<BreakerOptions> = {}) {
  const clock = { seconds: 1_000 }
  const calls: { answer(): void; fail(kind?: UpstreamErrorKind): void }[] = []
  const api = {
    query: () =>
      new Promise((resolve, reject) => {
        const fail = (kind: UpstreamErrorKind = 'timeout') => reject(new UpstreamError(kind, `${kind} in words`))
        calls.push({ answer: () => resolve(good), fail })
      }),
    status: () => [{}],
  } as unknown as PrometheusApi
  const pauses = { nowSeconds: () => clock.seconds, firstPauseSeconds: 5, longestPauseSeconds: 15 }
  const wrapped = withBreaker(api, { ...pauses, ...options }, inLine)
  const ask = (signal = never) => {
    const answer = wrapped.query('x', 0, signal)
    answer.catch(() => undefined)
    return answer
  }
  const begun = (count: number) => expect.poll(() => calls.length).toBe(count)
  /** Opens it with the calls that are under way; nobody waits behind them. */
  const open = async () => {
    const lost = [ask(), ask(), ask()]
    await begun(3)
    for (const call of calls) call.fail()
    await Promise.allSettled(lost)
  }
  return { ask, begun, open, calls, clock, breaker: () => wrapped.status()[0]?.breaker }
}

describe('a call whose turn comes', () => {
  test('after the breaker opened does not go out, though those that went out before it are not stopped', async () => {
    const { ask, begun, calls, breaker } = guarded((api) => withLimit(api, 4))
    const [one, two, three, four, ...waiting] = Array.from({ length: 9 }, () => ask())
    await begun(4)
    for (const call of calls.slice(0, 3)) call.fail()
    for (const lost of [one, two, three, ...waiting])
      await expect(lost).rejects.toMatchObject({ kind: 'timeout', message: 'timeout in words' })
    expect(breaker()?.state).toBe('open')
    calls[3]?.answer()
    expect(await four).toEqual(good)
    expect(calls).toHaveLength(4)
    expect(breaker()?.state).toBe('closed')
  })

  test('after one that took too long waits for what went out together with it', async () => {
    const { ask, begun, calls } = guarded((api) => withLimit(api, 2), { probePatienceSeconds: 1_000 })
    const [lost, found, next] = [ask(), ask(), ask()]
    await begun(2)
    calls[0]?.fail()
    await expect(lost).rejects.toMatchObject({ kind: 'timeout' })
    expect(calls).toHaveLength(2)
    calls[1]?.answer()
    expect(await found).toEqual(good)
    await begun(3)
    calls[2]?.answer()
    expect(await next).toEqual(good)
  })

  test.each<[string, UpstreamErrorKind, number]>([
    ['after a failure that shows that something answers, at once', 'unreachable', 1_000],
    ['after one that took too long, for a moment only', 'timeout', 0.01],
  ])('is not held up by one that is slow by itself: %s', async (_, kind, probePatienceSeconds) => {
    const { ask, begun, calls, breaker } = guarded((api) => withLimit(api, 4), { probePatienceSeconds })
    const [slow, lost] = [ask(), ask()]
    await begun(2)
    calls[1]?.fail(kind)
    await expect(lost).rejects.toMatchObject({ kind })
    const quick = ask()
    await begun(3)
    calls[2]?.answer()
    expect(await quick).toEqual(good)
    expect(breaker()?.state).toBe('closed')
    calls[0]?.answer()
    expect(await slow).toEqual(good)
  })

  test('behind one that may hang is not sent for a caller who left meanwhile', async () => {
    const { ask, begun, calls } = guarded((api) => withLimit(api, 4), { probePatienceSeconds: 1_000 })
    const [, lost] = [ask(), ask()]
    await begun(2)
    calls[1]?.fail()
    await expect(lost).rejects.toMatchObject({ kind: 'timeout' })
    const leaving = new AbortController()
    const left = ask(leaving.signal)
    leaving.abort()
    await expect(left).rejects.toMatchObject({ kind: 'aborted' })
    expect(calls).toHaveLength(2)
  })

  test('while another one tries it does not go out, and says nothing of the endpoint', async () => {
    const turns: (() => void)[] = []
    const { ask, begun, open, calls, clock, breaker } = guarded((api) => ({
      ...api,
      query: async (...given) => {
        // The first three go straight through; the fourth waits to be told, those behind it do not.
        turns.push(() => undefined)
        if (turns.length === 4) await new Promise<void>((resolve) => turns.splice(3, 1, resolve))
        return api.query(...given)
      },
    }))
    const opened = open()
    const waiting = ask()
    await opened
    clock.seconds += 5
    const trying = ask()
    await begun(4)
    turns[3]?.()
    await expect(waiting).rejects.toMatchObject({ kind: 'timeout' })
    expect(breaker()).toEqual({ state: 'halfOpen', nextTryAtSeconds: 1_005 })
    calls[3]?.answer()
    expect(await trying).toEqual(good)
    expect(breaker()?.state).toBe('closed')
  })
})

describe('a try that hangs', () => {
  const impatient = { probePatienceSeconds: 0.01 }

  test('holds nobody up, goes on, and closes the breaker when it is answered after all', async () => {
    const { ask, begun, open, calls, clock, breaker } = guarded(undefined, impatient)
    await open()
    clock.seconds += 5
    const outlook = { kind: 'timeout', message: 'timeout in words; being tried again' }
    await expect(ask()).rejects.toMatchObject(outlook)
    await expect(ask()).rejects.toMatchObject(outlook)
    expect(breaker()?.state).toBe('halfOpen')
    await begun(4)
    calls[3]?.answer()
    await expect.poll(() => breaker()?.state).toBe('closed')
    const next = ask()
    await begun(5)
    calls[4]?.answer()
    expect(await next).toEqual(good)
  })

  test('is a part of the pause', async () => {
    const { ask, begun, open, calls, clock, breaker } = guarded()
    await open()
    clock.seconds += 5
    const trying = ask()
    await begun(4)
    clock.seconds += HANGS_SECONDS
    calls[3]?.fail()
    await expect(trying).rejects.toMatchObject({ kind: 'timeout' })
    expect(breaker()).toEqual({ state: 'open', nextTryAtSeconds: 1_005 + 10 })
  })

  test('for longer than the pause is followed by the next one at once', async () => {
    const { ask, begun, open, calls, clock, breaker } = guarded()
    await open()
    clock.seconds += 5
    const trying = ask()
    await begun(4)
    clock.seconds += 3 * HANGS_SECONDS
    calls[3]?.fail()
    await expect(trying).rejects.toMatchObject({ kind: 'timeout' })
    expect(breaker()).toEqual({ state: 'open', nextTryAtSeconds: clock.seconds })
    const next = ask()
    await begun(5)
    calls[4]?.answer()
    expect(await next).toEqual(good)
  })
})
