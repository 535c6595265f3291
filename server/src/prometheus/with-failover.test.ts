import { expect, test } from 'vitest'
import type { ForwardedAnswer, PrometheusApi } from './api.ts'
import { OutOfTime } from './out-of-time.ts'
import { UpstreamError } from './upstream-error.ts'
import { withFailover } from './with-failover.ts'
import { withLimit } from './with-limit.ts'

const TIMEOUT_SECONDS = 10
/** What is asked to see whether anything is answered at all. */
const PING = 'vector(1)'
const good = (value: string): ForwardedAnswer => ({
  state: 'answered',
  data: value,
  warnings: [],
  infos: [],
  bytes: 1,
})

/** Time that passes when it is told to. */
function handClock() {
  let now = 1_000
  const waiting = new Set<{ untilSeconds: number; resolve: () => void }>()
  /** So that all has happened that follows at once. */
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    nowSeconds: () => now,
    monotonicSeconds: () => now,
    wait: (seconds: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const one = { untilSeconds: now + seconds, resolve }
        waiting.add(one)
        signal.addEventListener('abort', () => {
          waiting.delete(one)
          reject(signal.reason)
        })
      }),
    async advance(seconds: number) {
      const endSeconds = now + seconds
      await settled()
      for (;;) {
        const [next] = [...waiting].sort((a, b) => a.untilSeconds - b.untilSeconds)
        if (next === undefined || next.untilSeconds > endSeconds) break
        now = Math.max(now, next.untilSeconds)
        waiting.delete(next)
        next.resolve()
        await settled()
      }
      now = endSeconds
      await settled()
    },
  }
}

interface Call {
  readonly text: string
  readonly signal: AbortSignal
  answer(value: string): void
  fail(error: UpstreamError): void
}

/** A replica whose calls end when they are told to, or are answered by `how` at once. */
function replica(how: (text: string) => string | null = () => null) {
  const calls: Call[] = []
  let breaker = 'closed'
  const ask = <T>(text: string, signal: AbortSignal, made: (value: string) => T): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const leave = () =>
        reject(signal.reason instanceof UpstreamError ? signal.reason : new UpstreamError('aborted', 'left'))
      signal.addEventListener('abort', leave)
      const call = { text, signal, answer: (value: string) => resolve(made(value)), fail: reject }
      calls.push(call)
      const value = how(text)
      if (value !== null) call.answer(value)
    })
  const api = {
    query: (promql: string, _: number, signal: AbortSignal) =>
      ask(promql, signal, (value) => ({ data: value, warnings: [] })),
    forward: ({ path }: { path: string }, signal: AbortSignal) => ask(path, signal, good),
    status: () => [{ state: 'untried', breaker: { state: breaker, nextTryAtSeconds: null } }],
  } as unknown as PrometheusApi
  const open = () => {
    breaker = 'open'
  }
  const asked = () => calls.filter(({ text }) => text !== PING).map(({ text }) => text)
  const stopped = () => calls.every(({ text, signal }) => text === PING || signal.aborted)
  return { api, measured: api, calls, asked, stopped, open }
}

function pair(a = replica(), b = replica((text) => `b ${text}`)) {
  const clock = handClock()
  const api = withFailover([a, b], { ...clock, timeoutSeconds: TIMEOUT_SECONDS })
  /** Somebody who asks and may leave. */
  const ask = (promql: string) => {
    const caller = new AbortController()
    const answer = api.query(promql, 0, caller.signal).then(
      ({ data }) => data as unknown as string,
      (error: UpstreamError) => error.kind,
    )
    return { answer, leave: (why?: Error) => caller.abort(why) }
  }
  return { api, ask, a, b, clock }
}

test('a replica that hangs is left within half of the time its caller has, and later questions go to the other', async () => {
  const { api, ask, a, b, clock } = pair()
  const limit = new AbortController()
  const question = { path: '/api/v1/query', method: 'POST', fields: [], timeoutSeconds: 1 } as const
  const answer = api.forward(question, limit.signal)
  await clock.advance(0.49)
  expect(b.asked()).toEqual([])
  await clock.advance(0.01)
  expect(await answer).toEqual(good('b /api/v1/query'))
  expect(a.stopped()).toBe(true)
  for (const promql of ['x', 'y']) expect(await ask(promql).answer).toBe(`b ${promql}`)
  expect(a.asked()).toEqual(['/api/v1/query'])
})

test('of a caller who tells no limit it is waited for no longer than a few seconds', async () => {
  const { ask, clock } = pair()
  const { answer } = ask('x')
  await clock.advance(3)
  expect(await answer).toBe('b x')
})

test('a query that takes long is not asked twice where anything else is answered meanwhile', async () => {
  const { ask, a, b, clock } = pair()
  const slow = ask('slow')
  for (let second = 0; second < TIMEOUT_SECONDS - 1; second += 1) {
    const quick = ask('quick')
    await clock.advance(1)
    a.calls.at(-1)?.answer('a quick')
    expect(await quick.answer).toBe('a quick')
  }
  a.calls[0]?.answer('a slow')
  expect(await slow.answer).toBe('a slow')
  expect(b.calls).toEqual([])
})

test('nor where nothing else is asked, but something trivial is answered', async () => {
  const { ask, a, b, clock } = pair(replica((text) => (text === PING ? '1' : null)))
  const slow = ask('slow')
  await clock.advance(TIMEOUT_SECONDS - 1)
  a.calls[0]?.answer('a slow')
  expect(await slow.answer).toBe('a slow')
  expect(a.asked()).toEqual(['slow'])
  expect(b.calls).toEqual([])
})

test('nor where all places are taken by such queries', async () => {
  const slow = replica((text) => (text === PING ? '1' : null))
  const { ask, a, b, clock } = pair({ ...slow, api: withLimit(slow.api, 2) })
  const answers = ['x', 'y', 'z'].map((promql) => ask(promql).answer)
  await clock.advance(TIMEOUT_SECONDS - 1)
  expect(a.asked()).toEqual(['x', 'y'])
  for (const { text, answer } of a.calls) answer(`a ${text}`)
  await clock.advance(0)
  a.calls.at(-1)?.answer('a z')
  expect(await Promise.all(answers)).toEqual(['a x', 'a y', 'a z'])
  expect(b.calls).toEqual([])
})

test('who is slow may be the first to answer all the same, and the other one is stopped', async () => {
  const { ask, a, b, clock } = pair(replica(), replica())
  const { answer } = ask('x')
  await clock.advance(3)
  expect(b.asked()).toEqual(['x'])
  a.calls[0]?.answer('a x')
  expect(await answer).toBe('a x')
  expect(b.calls[0]?.signal.aborted).toBe(true)
  expect(b.calls[0]?.signal.reason).toMatchObject({ kind: 'aborted' })
})

test('callers who leave without a word add up to a silence', async () => {
  const { ask, a, clock } = pair()
  const impatient = Array.from({ length: 3 }, () => ask('x'))
  await clock.advance(2)
  for (const { leave } of impatient) leave()
  for (const { answer } of impatient) expect(await answer).toBe('aborted')
  const { answer } = ask('y')
  await clock.advance(1)
  expect(await answer).toBe('b y')
  expect(a.asked()).toEqual(['x', 'x', 'x', 'y'])
})

test('so they do where each of them leaves too soon to wait for a sign', async () => {
  const { ask, clock } = pair()
  for (let times = 0; times < 3; times += 1) {
    const { answer, leave } = ask('x')
    await clock.advance(0.9)
    leave()
    expect(await answer).toBe('aborted')
  }
  const { answer } = ask('y')
  await clock.advance(0.9)
  expect(await answer).toBe('b y')
})

test('a moment is not a silence, however many leave together', async () => {
  const { ask, b, clock } = pair()
  const impatient = Array.from({ length: 9 }, () => ask('x'))
  await clock.advance(0.5)
  for (const { leave } of impatient) leave()
  for (const { answer } of impatient) expect(await answer).toBe('aborted')
  ask('y')
  await clock.advance(2)
  expect(b.asked()).toEqual([])
})

test.each([
  { how: 'whose time is over', why: new OutOfTime('too late'), next: 'b y' },
  { how: 'who gave AbortSignal.timeout', why: new DOMException('too late', 'TimeoutError'), next: 'b y' },
  { how: 'who gave up for another question', why: new UpstreamError('timeout', 'no answer'), next: 'a y' },
  { how: 'who left', why: undefined, next: 'a y' },
])('a caller $how: the next question gets $next', async ({ why, next }) => {
  const { ask, clock } = pair(replica((text) => (text === 'y' ? 'a y' : null)))
  const { answer, leave } = ask('x')
  await clock.advance(1.5)
  leave(why)
  expect(await answer).toBe(why instanceof UpstreamError ? 'timeout' : 'aborted')
  expect(await ask('y').answer).toBe(next)
})

test('a caller whose time is over says nothing of a replica that answered others meanwhile', async () => {
  const { ask, clock } = pair(replica((text) => (text === 'y' ? 'a y' : null)))
  const { answer, leave } = ask('x')
  await clock.advance(1)
  expect(await ask('y').answer).toBe('a y')
  await clock.advance(1)
  leave(new OutOfTime('too late'))
  expect(await answer).toBe('timeout')
  expect(await ask('y').answer).toBe('a y')
})

test('whoever was asked late is not blamed for a limit that was over soon', async () => {
  const { ask, a, b, clock } = pair(replica(), replica())
  const { answer, leave } = ask('x')
  await clock.advance(1.5)
  a.calls[0]?.fail(new UpstreamError('unreachable', 'no'))
  await clock.advance(0.1)
  expect(b.asked()).toEqual(['x'])
  leave(new OutOfTime('too late'))
  expect(await answer).toBe('timeout')
  b.calls.length = 0
  ask('y')
  ask('z')
  await clock.advance(3)
  // One that is lost would be asked one of them only.
  expect(b.asked()).toEqual(['y', 'z'])
})

test('all that is under way at a silent one moves as soon as another one has answered', async () => {
  const { ask, a, b, clock } = pair()
  const first = ask('x')
  await clock.advance(2.9)
  const later = ask('y')
  await clock.advance(0.1)
  expect(await first.answer).toBe('b x')
  expect(await later.answer).toBe('b y')
  expect(b.asked()).toEqual(['x', 'y'])
  expect(a.stopped()).toBe(true)
})

test('one whose breaker is open is not asked beside', async () => {
  const { ask, b, clock } = pair()
  b.open()
  const { answer, leave } = ask('x')
  await clock.advance(TIMEOUT_SECONDS - 1)
  expect(b.calls).toEqual([])
  leave()
  expect(await answer).toBe('aborted')
})

test('where all hang the one that is lost is tried with one call at a time, and is found when it is back', async () => {
  const back = { isBack: false }
  const { ask, b, clock } = pair(
    replica(),
    replica((text) => (back.isBack ? `b ${text}` : null)),
  )
  const lost = ask('x')
  await clock.advance(TIMEOUT_SECONDS - 1)
  lost.leave(new OutOfTime('too late'))
  expect(await lost.answer).toBe('timeout')
  b.calls.length = 0
  const many = Array.from({ length: 5 }, () => ask('y'))
  await clock.advance(2)
  expect(b.asked()).toEqual(['y'])
  back.isBack = true
  b.calls[0]?.answer('b y')
  for (const { answer } of many) expect(await answer).toBe('b y')
})

test('one that came back while it was being asked in vain is found with the next question', async () => {
  const back = { isBack: false }
  const { ask, a, clock } = pair(replica((text) => (back.isBack ? `a ${text}` : null)))
  const pings = () => a.calls.filter(({ text }) => text === PING)
  const lost = ask('x')
  await clock.advance(3)
  expect(await lost.answer).toBe('b x')
  await clock.advance(60)
  // Still asked what it was asked first: nothing can be learned from it now.
  expect(await ask('y').answer).toBe('b y')
  expect(pings()).toHaveLength(1)
  back.isBack = true
  pings()[0]?.fail(new UpstreamError('timeout', 'no answer'))
  await clock.advance(1)
  expect(await ask('z').answer).toBe('b z')
  await clock.advance(0)
  expect(pings()).toHaveLength(2)
})
